"""Failures of the disk, standard output, memory, numbers or patience, and the state in which the command line leaves things.

Usage: test_safety.py CAROM SCENES
"""
import math
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from carom_command import CAROM, FOUR_BALLS, SCENES, CommandTest, h5py

BODY = "{{name: {name}, density: 1000, position: [{at}, 0, {height}], shapes: [{{type: box, size: [0.1, 0.1, 0.1]}}]}}"


def limited(kind, value):
    return lambda: resource.setrlimit(kind, (value, value))


class Safety(CommandTest):
    def start(self, *words, **how):
        return subprocess.Popen([CAROM, *map(str, words)], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **how)

    def assert_one_sentence(self, done, *parts):
        """Exit status 1, and one line on standard error that holds the parts."""
        self.assertEqual(done.returncode, 1, done.stderr)
        lines = done.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("carom: "), lines)
        for part in parts:
            self.assertIn(part, lines[0])

    def boxes(self, count, name="boxes.yaml"):
        bodies = ",\n  ".join(BODY.format(name=f"b{i}", at=0.2 * i, height=0.05) for i in range(count))
        (self.folder / name).write_text(
            "carom: 1\nname: boxes\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\n"
            f"world: {{shapes: [{{type: half-space}}]}}\nbodies:\n [{bodies}]\n"
            "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 0.02\n")
        return name

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_full_disk_costs_no_record(self):
        self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "half.h5")
        self.carom("run", FOUR_BALLS, "--out", "whole.h5")
        before, size = (self.folder / "half.h5").read_bytes(), (self.folder / "whole.h5").stat().st_size
        for part in range(8):
            limit = limited(resource.RLIMIT_FSIZE, size * part // 8)
            with self.subTest(part=part):
                done = subprocess.run([CAROM, "run", "--resume", "half.h5", "--until", "1"], cwd=self.folder,
                                      capture_output=True, text=True, preexec_fn=limit)
                self.assert_one_sentence(done, "half.h5", "File too large")
                self.assertFalse((self.folder / "half.h5.part").exists())
                with h5py.File(self.folder / "half.h5") as file:
                    self.assertGreaterEqual(int(file["step"][-1]), 200)
                (self.folder / "half.h5").write_bytes(before)
                done = subprocess.run([CAROM, "run", FOUR_BALLS, "--out", f"new{part}.h5"], cwd=self.folder,
                                      capture_output=True, text=True, preexec_fn=limit)
                self.assert_one_sentence(done, f"new{part}.h5", "File too large")
                self.assertFalse((self.folder / f"new{part}.h5.part").exists())
                if (self.folder / f"new{part}.h5").exists():
                    h5py.File(self.folder / f"new{part}.h5").close()

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_full_disk_leaves_the_record_that_was_to_be_replaced(self):
        run = ["run", FOUR_BALLS, "--out", "run.h5", "--force"]
        self.carom(*run, "--until", "0.1")
        before = {file.name: file.read_bytes() for file in self.folder.iterdir()}
        self.carom("run", FOUR_BALLS, "--out", "whole.h5")
        size = (self.folder / "whole.h5").stat().st_size
        for file in self.folder.glob("whole*"):
            file.unlink()
        for part in range(6):
            with self.subTest(part=part):
                done = subprocess.run([CAROM, *map(str, run)], cwd=self.folder, capture_output=True, text=True,
                                      preexec_fn=limited(resource.RLIMIT_FSIZE, size * part // 6))
                self.assert_one_sentence(done, "run.h5", "File too large")
                self.assertEqual({file.name: file.read_bytes() for file in self.folder.iterdir()}, before)

    def test_a_page_that_does_not_fit_leaves_the_one_before(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "run.h5")
        before = (self.folder / "run.html").read_bytes()
        done = subprocess.run([CAROM, "view", "run.h5"], cwd=self.folder, capture_output=True, text=True,
                              preexec_fn=limited(resource.RLIMIT_FSIZE, 1000))
        self.assert_one_sentence(done, "run.html", "File too large")
        self.assertEqual((self.folder / "run.html").read_bytes(), before)
        self.assertFalse((self.folder / "run.html.part").exists())

    def test_standard_output_that_takes_nothing_is_told(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "run.h5")
        self.carom("problem", "run.h5", "--step", "20", "--out", "step.hdf5")
        row, model = SCENES / "ball_row.yaml", next((SCENES / "robots").glob("*.urdf"))
        for words in (["run", FOUR_BALLS, "--until", "0.1"], ["run", FOUR_BALLS, "--until", "0.1", "--json"],
                      ["compare", row, "--methods", "event-driven/plus", "--until", "0.05", "--json"],
                      ["converge", FOUR_BALLS, "--steps", "0.01,0.005", "--until", "0.05"],
                      ["impact", row, "--law", "plus"], ["impact", row, "--law", "plus", "--json"],
                      ["inspect", model], ["inspect", model, "--json"], ["solve", "step.hdf5"],
                      ["problem", "run.h5", "--step", "19"], ["view", "run.h5"],
                      ["validate", "stewart2000", "--scenes", SCENES, "--json"], ["--help"], ["run", "--help"],
                      ["--version"]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                done = subprocess.run([CAROM, *map(str, words)], cwd=self.folder, stdout=full, stderr=subprocess.PIPE,
                                      text=True)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("carom: standard output could not be written", done.stderr.splitlines()[-1])

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    @unittest.skipIf(b"__asan_init" in pathlib.Path(CAROM).read_bytes(), "the address sanitizer reserves all addresses")
    def test_too_little_memory_is_told(self):
        scene = self.boxes(2000)
        for megabytes in (100, 116, 120, 124, 128, 132, 136, 140, 150, 200):
            done = subprocess.run([CAROM, "run", scene, "--out", "boxes.h5"], cwd=self.folder, capture_output=True,
                                  text=True, preexec_fn=limited(resource.RLIMIT_AS, megabytes << 20))
            if done.returncode == 0:
                break
            with self.subTest(megabytes=megabytes):
                # HDF5 fails for want of memory in ways of its own, which are no others.
                self.assert_one_sentence(done, "memory")
                self.assertFalse((self.folder / "boxes.h5.part").exists())
                if (self.folder / "boxes.h5").exists():
                    h5py.File(self.folder / "boxes.h5").close()

    def test_a_signal_while_nothing_is_written_ends_at_once(self):
        # A scene that takes long to read: a pipe that nobody writes to.
        os.mkfifo(self.folder / "slow.yaml")
        for kind in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", "slow.yaml")
            keep = open(self.folder / "slow.yaml", "w")  # opened at both ends from here on
            time.sleep(0.2)
            process.send_signal(kind)
            process.communicate(timeout=10)
            self.assertEqual(process.returncode, -kind)
            keep.close()

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_signal_while_a_large_model_is_written_ends_at_once_and_leaves_nothing(self):
        # A hull of 20000 corners takes a while to write.
        with open(self.folder / "ball.obj", "w") as mesh:
            for i in range(20000):
                z = 1 - (2 * i + 1) / 20000
                angle, r = 2.399963 * i, 0.1 * math.sqrt(1 - z * z)
                mesh.write(f"v {r * math.cos(angle):.9f} {r * math.sin(angle):.9f} {0.1 * z:.9f}\n")
            mesh.writelines(f"f {i + 1} {i + 2} {i + 3}\n" for i in range(0, 19998))
        (self.folder / "mesh.yaml").write_text(
            "carom: 1\nname: mesh\ngravity: [0, 0, 0]\nmaterials: [{name: m, friction: 0.5}]\n"
            "bodies: [{name: b, density: 1000, shapes: [{type: mesh, file: ball.obj}]}]\n"
            "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 0.02\n")
        (self.folder / "tmp").mkdir()
        self.carom("run", FOUR_BALLS, "--until", "0.02", "--out", "run.h5", "--no-report")
        old = (self.folder / "run.h5").read_bytes()
        for kind in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", "mesh.yaml", "--out", "run.h5", "--force")
            while process.poll() is None and not (self.folder / "run.h5.part").exists():
                time.sleep(0.01)
            self.assertIsNone(process.poll())
            process.send_signal(kind)
            sent = time.monotonic()
            process.communicate(timeout=60)
            self.assertLess(time.monotonic() - sent, 0.5)
            self.assertEqual(process.returncode, -kind)
            self.assertEqual([file.name for file in self.folder.glob("run*")], ["run.h5"])
            self.assertEqual((self.folder / "run.h5").read_bytes(), old)
        # A record that is not kept lies in a folder of its own.
        process = self.start("run", "mesh.yaml", "--no-record", env={**os.environ, "TMPDIR": str(self.folder / "tmp")})
        while process.poll() is None and not any((self.folder / "tmp").iterdir()):
            time.sleep(0.002)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_a_factorization_that_asks_nobody_is_left(self):
        # 6000 coordinates in one dense matrix, whose Cholesky factors take some 5 s.
        bodies = ",\n  ".join(BODY.format(name=f"b{i}", at=0.2 * i, height=1) for i in range(1000))
        (self.folder / "dense.yaml").write_text(
            "carom: 1\nname: dense\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\n"
            f"bodies:\n [{bodies}]\nduration: 0.02\n"
            "method: {stepper: stewart-trinkle, step: 0.01, dynamics: dense}\n")
        for words in (("dense.yaml", "--out", "dense.h5"), ("--resume", "dense.h5")):
            started = time.monotonic()
            process = self.start("run", *words)
            # A record that is only begun is no loss: a signal ends the program then.
            while process.poll() is None and not all((self.folder / name).exists() for name in ("dense.h5", "dense.h5.part")):
                time.sleep(0.05)
            reading = time.monotonic() - started  # tells how slow the machine, or a program with sanitizers, is
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            sent = time.monotonic()
            _, errors = process.communicate(timeout=120)
            self.assertLess(time.monotonic() - sent, 3 + reading)
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("stopped at 0 s; go on with: carom run --resume dense.h5", errors)
            self.assertEqual([file.name for file in self.folder.glob("dense.h5*")], ["dense.h5"])
            with h5py.File(self.folder / "dense.h5") as file:
                self.assertEqual(list(file["step"]), [0])
                self.assertEqual(file.attrs["end"], "interrupted")

    def test_numbers_beyond_all_numbers_are_refused_or_told(self):
        text = FOUR_BALLS.read_text()
        for name, old, new, status, part in (
                ("fast", "velocity: [1.5, 0.1, 0]", "velocity: [1e200, 0, 0]", 2, "more than a number can hold"),
                ("far", "position: [1, 0, 0.1]", "position: [1, 0, 1e308]", 2, "more than a number can hold"),
                ("heavy", "gravity: [0, 0, -9.81]", "gravity: [0, 0, -1e200]", 1, "no longer finite")):
            self.assertIn(old, text)
            (self.folder / f"{name}.yaml").write_text(text.replace(old, new))
            done = self.carom("run", f"{name}.yaml", status=status)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()
