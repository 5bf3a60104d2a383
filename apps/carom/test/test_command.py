"""The command line as a user meets it: exit statuses, JSON, records, resuming, Ctrl-C.

Usage: test_command.py CAROM SCENES
"""
import json
import os
import pty
import signal
import subprocess
import time
import unittest

from carom_command import CAROM, FOUR_BALLS, SCENES, CommandTest, h5py, numpy


def contents(path):
    """Every dataset of a record but the texts and times that name the run itself."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


class Command(CommandTest):
    def test_json_is_one_object_and_alone_on_standard_output(self):
        done = self.carom("run", FOUR_BALLS, "--json")
        run = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        for field in ("scene", "stepper", "law", "dynamics", "step", "steps", "time", "wall_seconds", "state", "bodies",
                      "events", "certificate", "record"):
            self.assertIn(field, run)
        self.assertEqual(run["steps"], 400)
        self.assertEqual(len(run["state"]["q"]), 28)
        self.assertEqual([body["name"] for body in run["bodies"]], ["thrown", "first", "second", "third"])
        self.assertTrue((self.folder / run["record"]).is_file())
        self.assertTrue(all(event["kind"] in ("touch", "separate", "slide", "roll") for event in run["events"]))

    def test_options_override_the_scene(self):
        run = json.loads(self.carom("run", FOUR_BALLS, "--stepper", "anitescu-potra", "--dynamics", "dense", "--step",
                                    "0.01", "--until", "0.5", "--out", "other/name.h5", "--json").stdout)
        self.assertEqual((run["stepper"], run["dynamics"], run["step"], run["steps"]),
                         ("anitescu-potra", "dense", 0.01, 50))
        self.assertTrue((self.folder / "other" / "name.h5").is_file())
        self.assertTrue((self.folder / "other" / "name.html").is_file())

    def test_exact_cone_is_certified_and_leaves_no_polyhedral_error(self):
        done = self.carom("run", FOUR_BALLS, "--cone", "exact", "--json", "--out", "exact.h5")
        self.assertIn("directions", done.stderr)  # the scene's, which has no effect
        run = json.loads(done.stdout)
        self.assertEqual((run["cone"], run["directions"]), ("exact", None))
        self.assertLess(run["certificate"]["natural_map"], 1e-8)
        self.assertEqual(run["certificate"]["unsolved_steps"], 0)
        self.assertIsNone(run["certificate"]["polyhedral_error"])
        self.assertIn("polyhedral_error", run["certificate"]["reasons"])
        more = json.loads(self.carom("run", "--resume", "exact.h5", "--until", "1.1", "--json").stdout)
        self.assertEqual(more["cone"], "exact")
        refused = self.carom("run", "--resume", "exact.h5", "--until", "1.2", "--cone", "polyhedral", status=2)
        self.assertIn("cone exact and not polyhedral", refused.stderr)

    def test_wrong_input_ends_with_2_and_a_sentence(self):
        bad = self.folder / "bad.yaml"
        bad.write_text("carom: 1\nname: bad\ngravity: [0, 0, down]\n")
        for words, part in (
                (("run", "missing.yaml"), "missing.yaml"),
                (("run", bad), "bad.yaml:3:"),
                (("run", FOUR_BALLS, "--stepper", "euler"), "stewart-trinkle"),
                (("run", FOUR_BALLS, "--cone", "square"), "polyhedral, exact"),
                (("run", FOUR_BALLS, "--step", "-1"), "--step -1"),
                (("run", FOUR_BALLS, "--until", "nan"), "--until nan"),
                (("run", "some.h5"), "--resume some.h5"),
                (("run", FOUR_BALLS, "--resume", "missing.h5"), "missing.h5"),
                (("run",), "scene"),
                (("validate", "newton1687"), "stewart2000"),
                (("validate", "cube_tosses"), "--data"),
                (("fly",), "")):
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_nothing_but_a_record_is_written_over(self):
        scene = self.folder / "mine.yaml"
        scene.write_text(FOUR_BALLS.read_text())
        (self.folder / "page.html").write_text("my own page")
        for out in ("mine.yaml", "page.h5", ".", "new/../mine.yaml"):
            self.carom("run", scene, "--out", out, status=2)
        self.assertEqual(scene.read_text(), FOUR_BALLS.read_text())
        self.assertEqual((self.folder / "page.html").read_text(), "my own page")
        for _ in range(2):
            self.carom("run", scene, "--until", "0.1", "--out", "again.h5")

    def test_a_run_beyond_all_numbers_fails(self):
        scene = self.folder / "huge.yaml"
        scene.write_text(FOUR_BALLS.read_text().replace("velocity: [1.5, 0.1, 0]", "velocity: [1e308, 1e308, 0]"))
        self.assertIn("LOOK HERE", self.carom("run", scene, status=1).stdout)

    def test_an_overlap_at_the_start_is_told(self):
        scene = self.folder / "low.yaml"
        scene.write_text(FOUR_BALLS.read_text().replace("position: [1, 0, 0.1]", "position: [1, 0, 0.05]"))
        self.assertIn("first and the world by 0.05 m", self.carom("run", scene).stderr)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_n_steps_and_n_more_are_2n_steps(self):
        self.carom("run", FOUR_BALLS, "--out", "whole.h5")
        self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "half.h5")
        self.carom("run", FOUR_BALLS, "--resume", "half.h5", "--until", "1", "--out", "resumed.h5")
        self.carom("run", "--resume", "half.h5", "--until", "1")
        whole = contents(self.folder / "whole.h5")
        for other in ("resumed.h5", "half.h5"):
            resumed = contents(self.folder / other)
            self.assertEqual(whole.keys(), resumed.keys())
            for name, value in whole.items():
                if "wall" not in name:
                    numpy.testing.assert_array_equal(value, resumed[name], err_msg=f"{other}: {name}")

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_interrupting_keeps_the_record_and_resuming_goes_on(self):
        process = subprocess.Popen([CAROM, "run", SCENES / "ball_pile.yaml", "--out", "pile.h5"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("--resume pile.h5", errors)
        with h5py.File(self.folder / "pile.h5", "r") as file:
            steps = int(file["step"][-1])
        self.assertGreater(steps, 0)
        until = (steps + 5) * 0.005
        run = json.loads(self.carom("run", "--resume", "pile.h5", "--until", until, "--json").stdout)
        self.assertEqual(run["steps"], steps + 5)

    def test_bar_on_a_terminal_only(self):
        self.assertEqual(self.carom("run", FOUR_BALLS).stderr, "")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(CAROM, [str(CAROM), "run", str(SCENES / "ball_pile.yaml"), "--until", "1"])
        shown = b""
        try:
            while chunk := os.read(terminal, 65536):
                shown += chunk
        except OSError:
            pass  # the far side closed
        os.waitpid(pid, 0)
        self.assertIn(b"%", shown)
        self.assertIn(b"left", shown)

    def test_help_shows_an_example_each(self):
        for command in ("run", "validate"):
            self.assertIn("Example", self.carom(command, "--help").stdout)

    def test_validate_prints_a_json_object(self):
        object_ = json.loads(self.carom("validate", "stewart2000", "--scenes", SCENES, "--json").stdout)
        self.assertEqual(object_["failed"], 0)
        self.assertEqual(object_["passed"] + object_["explained"], len(object_["entries"]))
        for field in ("source", "figure", "quantity", "reference", "value", "deviation", "tolerance", "pass", "note"):
            self.assertIn(field, object_["entries"][0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
