"""carom fit: measurements of known truth in, numbers with intervals out, on the command line."""

import importlib.util
import json
import re
import subprocess
import unittest

from carom_command import CAROM, CommandTest, SCENES

FITS = SCENES / "fits"


def truth():
    """The script that made the measurements."""
    spec = importlib.util.spec_from_file_location("make_measurements", FITS / "make_measurements.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Fit(CommandTest):
    def fit(self, *words):
        return subprocess.run([CAROM, "fit", *map(str, words)], cwd=self.folder, capture_output=True, text=True)

    def numbers(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return {number["name"]: number for number in json.loads(done.stdout)["numbers"]}

    def test_the_measurements_are_those_of_their_script(self):
        truth().main(self.folder)
        for name in ("bouncing_ball.csv", "spun_ball.csv"):
            self.assertEqual((self.folder / name).read_text(), (FITS / name).read_text())

    def test_a_bouncing_ball_tells_restitution_and_not_friction(self):
        made = truth()
        done = self.fit(FITS / "bouncing_ball.yaml", "--json", "--out", "fitted.yaml")
        numbers = self.numbers(done)
        for name, value in (("restitution", made.RESTITUTION), ("height", 0.93), ("speed", 1.6), ("rise", 0.2)):
            low, high = numbers[name]["interval"]
            self.assertTrue(low <= value <= high, (name, low, high))
            self.assertTrue(numbers[name]["determined"])
        self.assertFalse(numbers["friction"]["determined"])
        self.assertEqual(numbers["friction"]["open"], "high")
        told = json.loads(done.stdout)
        self.assertTrue(any(s.startswith("friction is not determined: every value from 0.0") for s in told["sentences"]))
        page = (self.folder / told["page"]).read_text()
        self.assertTrue(page.startswith("<!doctype html>"))
        # The fitted scene: the scene's text with other numbers, and it moves as the data do.
        fitted, scene = (self.folder / "fitted.yaml").read_text(), (FITS.parent / "thrown_ball.yaml").read_text()
        comments = [line for line in scene.splitlines() if line.startswith("#")]
        self.assertEqual([line for line in fitted.splitlines() if line.startswith("#")], comments)
        run = subprocess.run([CAROM, "run", "fitted.yaml", "--no-record", "--json", "--until", "1"], cwd=self.folder,
                             capture_output=True, text=True)
        x, z = made.throw(0.93, 1.6, 0.2, 0.0, [1.0])[0]
        position = json.loads(run.stdout)["bodies"][0]["position"]
        self.assertAlmostEqual(position[0], x, delta=0.01)
        self.assertAlmostEqual(position[2], z, delta=0.01)

    def test_backspin_tells_friction_and_folds_rank_the_laws(self):
        done = self.fit(FITS / "spun_ball.yaml", "--json")
        numbers = self.numbers(done)
        made = truth()
        for name, value in (("restitution", made.RESTITUTION), ("friction", made.FRICTION)):
            low, high = numbers[name]["interval"]
            self.assertTrue(low <= value <= high, (name, low, high))
            self.assertTrue(numbers[name]["determined"])
        ranking = json.loads(done.stdout)["ranking"]
        self.assertAlmostEqual(ranking[0]["held_out"], 1, delta=0.15)  # units of the noise

    def test_the_short_form_is_the_study_of_its_options(self):
        study = self.folder / "study.yaml"
        study.write_text(f"scene: {FITS.parent / 'thrown_ball.yaml'}\ndata: {FITS / 'bouncing_ball.csv'}\n"
                         "columns: {z: ball.position.z}\nunknowns:\n  restitution: {bounds: [0.3, 0.99]}\n"
                         "  bodies/ball/position/2: {bounds: [0.7, 1.2]}\n  bodies/ball/velocity/2: {bounds: [-1, 1]}\n")
        short = self.fit(FITS.parent / "thrown_ball.yaml", FITS / "bouncing_ball.csv", "--column", "z=ball.position.z",
                         "--unknown", "restitution=0.3:0.99", "--unknown", "bodies/ball/position/2=0.7:1.2",
                         "--unknown", "bodies/ball/velocity/2=-1:1", "--json")
        long = self.fit(study, "--json")
        self.assertEqual(self.numbers(short), self.numbers(long))

    def test_text_names_what_is_in_the_tables(self):
        done = self.fit(FITS / "bouncing_ball.yaml", "--page", "here.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("restitution", "95 % from", "friction is not determined", "here.html", "Gauss-Newton"):
            self.assertIn(word, done.stdout)
        self.assertTrue((self.folder / "here.html").exists())

    def test_wrong_words_get_a_sentence(self):
        scene, data = FITS.parent / "thrown_ball.yaml", FITS / "bouncing_ball.csv"
        column, unknown = ("--column", "z=ball.position.z"), ("--unknown", "restitution=0.3:0.99")
        for words, sentence in (
                ((scene, data), "--unknown NAME=LOW:HIGH"),
                ((scene, data, *unknown), "--column NAME=FORMULA"),
                ((scene, data, *column, "--unknown", "restitution=0.9"), "write NAME=LOW:HIGH"),
                ((scene, data, *column, "--unknown", "restitution=0.9:0.3"), "the first bound must be below the second"),
                ((scene, data, *unknown, *column, *column), "has a formula already"),
                ((scene, data, *unknown, "--column", "z"), "write NAME=FORMULA"),
                ((scene, data, *unknown, "--column", "y=ball.position.y"), "has no column 'y'"),
                ((FITS / "bouncing_ball.yaml", *unknown), "the study"),
                ((FITS / "bouncing_ball.yaml", "--out", "fitted.h5"), "must end in .yaml"),
                ((FITS / "bouncing_ball.yaml", "--out", FITS.parent / "thrown_ball.yaml"), "is the scene that"),
                ((FITS / "bouncing_ball.yaml", "--page", "page.txt"), "--page page.txt"),
                (("none.yaml",), "none.yaml")):
            done = self.fit(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertTrue(re.search(re.escape(sentence), done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
