"""carom sweep: its files, its exit status, and that nothing it has done is lost or done twice."""

import csv
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
import unittest

import h5py
import numpy
from carom_command import CAROM, SCENES

STUDY = """scene: {scene}
runs: 6
seed: 2
vary:
  friction: {{at: materials/plastic/friction, values: [0.1, 0.3]}}
  speed: {{at: bodies/cube/velocity/0, normal: [0.9, 0.1]}}
methods: [stewart-trinkle/poisson, semi-explicit/plus]
outputs:
  place: cube.position
  hardest: max(norm(cube/box.force))
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        self.study = self.path / "toss.yaml"
        self.study.write_text(STUDY.format(scene=pathlib.Path(SCENES).resolve() / "cube_toss.yaml"))

    def tearDown(self):
        self.folder.cleanup()

    def sweep(self, out, *more, **kept):
        return subprocess.run([CAROM, "sweep", str(self.study), "--out", str(self.path / out), *more],
                              capture_output=True, text=True, **kept)

    def rows(self, name):
        with open(self.path / name, encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_table_and_summary_say_the_same(self):
        done = self.sweep("a.csv", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        rows = self.rows("a.csv")
        self.assertEqual(len(rows), 24)
        self.assertEqual(told["cases"], 24)
        self.assertEqual(told["status"], {"done": 24})
        hardest = [float(row["hardest"]) for row in rows]
        output = next(o for o in told["outputs"] if o["name"] == "hardest")
        self.assertAlmostEqual(output["mean"], numpy.mean(hardest), delta=1e-9 * output["mean"])
        self.assertAlmostEqual(output["q95"], numpy.quantile(hardest, 0.95), delta=1e-9 * output["q95"])
        with h5py.File(self.path / "a.h5") as file:
            columns = [c.decode() if isinstance(c, bytes) else c for c in file["numbers"].attrs["columns"]]
            self.assertEqual(file["numbers"][:, columns.index("hardest")].tolist(), hardest)
            self.assertEqual(len(file["status"]), 24)

    def test_a_case_is_the_run_of_its_scene(self):
        self.assertEqual(self.sweep("a.csv", "--quiet").returncode, 0)
        row = self.rows("a.csv")[15]
        stepper, _, law = row["method"].partition("/")
        alone = subprocess.run([CAROM, "run", f"{SCENES}/cube_toss.yaml", "--no-record", "--json", "--stepper", stepper,
                                "--law", law or "none", "--set", f"materials/plastic/friction={row['friction']}",
                                "--set", f"bodies/cube/velocity/0={row['speed']}",
                                "--output", "hardest=max(norm(cube/box.force))"], capture_output=True, text=True)
        told = json.loads(alone.stdout)
        self.assertEqual(told["outputs"][0]["last"], float(row["hardest"]))
        self.assertEqual(told["bodies"][0]["position"], [float(row[f"place.{axis}"]) for axis in "xyz"])

    def test_a_killed_sweep_goes_on(self):
        self.assertEqual(self.sweep("whole.csv", "--quiet").returncode, 0)
        dice = random.Random(1)
        for trial in range(20 if os.environ.get("CAROM_LONG") else 4):
            out = f"killed{trial}.csv"
            for kill in range(3):
                process = subprocess.Popen([CAROM, "sweep", str(self.study), "--out", str(self.path / out), "--quiet"],
                                           start_new_session=True)
                time.sleep(dice.uniform(0, 0.3))
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            self.assertEqual(self.sweep(out, "--quiet").returncode, 0)
            for ending in (".csv", ".h5"):
                self.assertEqual((self.path / out).with_suffix(ending).read_bytes(),
                                 (self.path / "whole.csv").with_suffix(ending).read_bytes())

    def test_files_that_no_sweep_left_stay(self):
        for ending in (".csv", ".h5", ".html"):
            mine = (self.path / "mine.csv").with_suffix(ending)
            mine.write_text("<!doctype html>mine")
            refused = self.sweep("mine.csv", "--quiet")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("no sweep's journal", refused.stderr)
            self.assertIn("--force", refused.stderr)
            self.assertEqual(mine.read_text(), "<!doctype html>mine")
            if ending != ".html":
                mine.unlink()
        self.assertEqual(self.sweep("mine.csv", "--quiet", "--force").returncode, 0)
        self.assertEqual(self.sweep("mine.csv", "--quiet").returncode, 0)
        (self.path / "notes.txt").write_text("mine")
        self.assertEqual(self.sweep("mine.csv", "--quiet", "--page", str(self.path / "notes.txt")).returncode, 2)
        self.assertEqual((self.path / "notes.txt").read_text(), "mine")

    def test_wrong_words_are_told(self):
        for options, sentence in ((["--part", "3/3"], "write I/N"), (["--part", "x"], "write I/N"),
                                  (["--engine", "slurm", "--part", "0/2"], "leave out --engine slurm")):
            wrong = self.sweep("a.csv", *options)
            self.assertEqual(wrong.returncode, 2, wrong.stderr)
            self.assertIn(sentence, wrong.stderr)
        wrong = subprocess.run([CAROM, "sweep", str(self.study), "--out", str(self.path / "a.txt")], capture_output=True,
                               text=True)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("end its name in .csv", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
