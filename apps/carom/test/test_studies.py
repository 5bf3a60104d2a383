"""Comparisons, convergence and designs on the command line.

Usage: test_studies.py CAROM SCENES
"""
import json
import unittest

from carom_command import SCENES, CommandTest

ROBOTS = SCENES / "robots"


class Comparisons(CommandTest):
    def compare(self, *words, status=0):
        return json.loads(self.carom("compare", *words, "--json", status=status).stdout)

    def test_a_row_of_balls_parts_by_law_and_not_by_stepper(self):
        told = self.compare(SCENES / "ball_row.yaml", "--until", "0.2", "--out", "row.html", "--budget", "100")
        groups = [sorted(group) for group in told["groups"]]
        self.assertIn([f"{stepper}/{law}" for stepper in ("event-driven", "semi-explicit", "variational")
                       for law in ("plus", "propagative")], groups)
        self.assertIn(["compliant", "event-driven/lzb", "semi-explicit/lzb", "variational/lzb"],
                      groups)  # what elastic contacts do, lzb does
        self.assertEqual(len(groups), 3)
        for run in told["runs"]:
            self.assertTrue(run["settled"], run["method"])
            self.assertEqual(len(run["distance"]), len(told["times"]))
            self.assertTrue((self.folder / run["record"]).is_file())
        reasons = {left["method"]: left["reason"] for left in told["left_out"]}
        self.assertIn("restitution", reasons["stewart-trinkle"])
        page = (self.folder / "row.html").read_text()
        self.assertIn("3 different motions", page)

    def test_a_robot_file_is_compared(self):
        words = ["--drop", "0.05", "--until", "0.1", "--methods", "stewart-trinkle,semi-explicit/plus"]
        told = self.compare(SCENES / "robots" / "quadruped.urdf", *words, "--out", "q.html", "--budget", "30")
        self.assertEqual([run["method"] for run in told["runs"]], ["stewart-trinkle", "semi-explicit/plus"])

    def test_the_order_of_a_sliding_box_is_one(self):
        told = json.loads(self.carom("converge", SCENES / "sliding_box.yaml", "--budget", "600", "--json").stdout)
        method = told["methods"][0]
        self.assertAlmostEqual(method["order"], 1, delta=0.05)
        self.assertEqual(method["reference"], "event-driven/plastic")
        last = method["runs"][-1]
        self.assertAlmostEqual(last["error"] / method["estimate"], 1, delta=0.2)
        self.assertEqual([run["accuracy"] for run in method["accuracy_runs"]], [1e-2, 1e-3, 1e-4])
        page = (self.folder / "runs" / "sliding_box-converge.html").read_text()
        self.assertIn("Work against precision", page)
        self.assertIn("stewart-trinkle, by accuracy", page)

    def test_wrong_words_end_with_2_and_a_sentence(self):
        scene = SCENES / "ball_row.yaml"
        for words, sentence in [
            (["compare", scene, "--methods", "semi-explicit/pluss"], "unknown law 'pluss'"),
            (["compare", scene, "--methods", "stewart-trinkle/plus"], "choose stepper semi-explicit, event-driven or variational"),
            (["compare", scene, "--tolerance", "0"], "--tolerance 0"),
            (["compare", scene, "--budget", "-1"], "--budget -1"),
            (["compare", scene, "--out", "page.h5"], "must end in .html"),
            (["compare", "nothing.yaml"], "nothing.yaml"),
            (["converge", scene, "--methods", "event-driven/plus"], "error control"),
            (["converge", scene, "--steps", "0.01"], "at least two different steps"),
            (["converge", scene, "--accuracies", "0.01,2"], "--accuracies 2: an accuracy lies between 1e-8 and 0.1"),
            (["converge", scene, "--out", "page.h5"], "must end in .html"),
        ]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr, words)


class Designs(CommandTest):
    STUDY = """scene: rod.yaml
unknowns: {J: {bounds: [0, %s]}}
contacts: {rear: [rod/rear, floor], front: [rod/front, floor]}
conditions: [{normals: [rear, front], are: orthogonal}]
"""
    SCENE = """carom: 1
parameters: {J: 0.1}   # kg m2
gravity: [0, 0, -9.81]
materials: [{name: all, friction: 0}]
world: {shapes: [{type: half-space, name: floor}]}
bodies:
  - name: rod
    inertia: {mass: 2, moments: [=J, =J, =J]}
    shapes:
      - {type: sphere, name: rear, radius: 0.01, position: [-0.25, 0, 0]}
      - {type: sphere, name: front, radius: 0.01, position: [0.5, 0, 0]}
    position: [0, 0, 0.01]
    velocity: [0, 0, -1]
method: {stepper: stewart-trinkle, step: 0.01}
duration: 0.1
"""

    def study(self, most):
        (self.folder / "rod.yaml").write_text(self.SCENE)
        (self.folder / "study.yaml").write_text(self.STUDY % most)
        return "study.yaml"

    def test_a_rod_gets_the_inertia_of_its_feet(self):
        done = self.carom("design", self.study(1), "--json", "--out", "new/rod.yaml")
        self.assertEqual(done.stderr, "")
        design = json.loads(done.stdout)
        self.assertTrue(design["met"])
        self.assertIsNone(design["why"])
        self.assertAlmostEqual(design["unknowns"][0]["after"], 2 * 0.25 * 0.5, delta=1e-12)
        self.assertEqual([design[when]["unique"] for when in ("before", "after")], ["no", "yes"])
        self.assertEqual(design["written"], "new/rod.yaml")
        written = (self.folder / "new" / "rod.yaml").read_text()
        self.assertEqual(written, self.SCENE.replace("J: 0.1}", "J: %r}" % design["unknowns"][0]["after"]))
        self.carom("run", "new/rod.yaml")
        self.assertIn("one outcome, from any velocity", self.carom("design", "study.yaml").stdout)

    def test_a_bound_in_the_way_ends_with_1_and_its_name(self):
        done = self.carom("design", self.study(0.2), "--out", "designed.yaml", status=1)
        self.assertIn("J at its upper bound 0.2", done.stdout)
        self.assertFalse((self.folder / "designed.yaml").exists())

    def test_wrong_words_end_with_2_and_a_sentence(self):
        study = self.study(1)
        for words, sentence in [
                (("design", "none.yaml"), "there is no such file"),
                (("design", study, "--out", "rod.yaml"), "is the scene that the study begins with"),
                (("design", study, "--out", study), "exists and is no scene"),
                (("design", study, "--out", "x.csv"), "its name must end in .yaml or .yml"),
                (("design", "rod.yaml"), "unknown key 'carom' in a study")]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr)
        self.assertEqual((self.folder / "rod.yaml").read_text(), self.SCENE)

    def test_a_parameter_is_set_for_one_run(self):
        self.study(1)
        run = json.loads(self.carom("run", "rod.yaml", "--set", "J=0.3", "--set", "bodies/rod/position/2=2", "--json").stdout)
        self.assertAlmostEqual(run["bodies"][0]["position"][2], 2 - 0.1 - 0.5 * 9.81 * 0.1 * 0.11, delta=1e-3)
        for words, sentence in [
                (("run", "rod.yaml", "--set", "K=1"), "there is no parameter 'K'"),
                (("run", "rod.yaml", "--set", "J"), "write NAME=VALUE"),
                (("run", "rod.yaml", "--set", "bodies/rod/position/2=20deg"), "must be a number (m), but is '20deg'"),
                (("run", "--resume", run["record"], "--set", "J=1"), "--set can't change the scene of a run"),
                (("run", ROBOTS / "quadruped.urdf", "--set", "J=1"), "a model file has none")]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr)


if __name__ == "__main__":
    unittest.main()
