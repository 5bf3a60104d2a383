"""Numbers of the papers' scenes that are changed: each is noticed, or known not to be.

    test_mutations.py CAROM_VALIDATE SCENES

Takes every 16th number of one paper. With CAROM_LONG it takes all numbers of all papers that were gone through. Then
docs/validation/mutations.md must name the same numbers as unseen.
"""
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import mutations

PROGRAM, SCENES = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "validation" / "mutations.md"

SCENE = """carom: 1
name: 7 balls
gravity: [0, -2, -9.81]
parameters: {angle: 45 deg, half: "=angle / 2 + x1*1e-3"}
bodies:
  - {name: ball 2, mass: &mass 3.5e-1, position: [0, 0, 0]}
  - {name: other, mass: *mass, friction: 0}
"""


class Finder(unittest.TestCase):
    def test_every_number_is_found_once(self):
        found = {number.path: number for number in mutations.numbers(SCENE)}
        self.assertEqual({path: number.value for path, number in found.items()}, {
            "gravity/0": 0, "gravity/1": -2, "gravity/2": -9.81, "parameters/angle": 45, "parameters/half#0": 2,
            "parameters/half#1": 1e-3, "bodies/ball 2/mass": 0.35, "bodies/ball 2/position/0": 0, "bodies/ball 2/position/1": 0,
            "bodies/ball 2/position/2": 0, "bodies/other/friction": 0})

    def test_a_change_is_relative_to_the_number_or_its_neighbours(self):
        found = {number.path: number for number in mutations.numbers(SCENE)}
        self.assertIn("[0, -2, -10.791]", found["gravity/2"].changed(SCENE, 0.1).replace("000000000002", ""))
        self.assertIn("[0.981, -2, -9.81]", found["gravity/0"].changed(SCENE, 0.1).replace("0000000000001", ""))
        self.assertIn("{name: other, mass: *mass, friction: 0.5}", found["bodies/other/friction"].changed(SCENE, 0.5))
        self.assertIn("mass: &mass 0.175,", found["bodies/ball 2/mass"].changed(SCENE, -0.5))

    def test_a_journal_is_not_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = pathlib.Path(folder) / "journal"
            numbers = [(scene.name, number) for scene in sorted((SCENES / "stewart2000").glob("*.yaml"))
                       for number in mutations.numbers(scene.read_text())]
            lines = [[*mutations.Outcome("stewart2000", scene, number).key(), 0.5, "figure 9"] for scene, number in numbers]
            journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
            outcomes = mutations.run(PROGRAM, SCENES, ["stewart2000"], tell=lambda line: None, journal=journal)
            self.assertEqual(len(outcomes), len(numbers))
            self.assertTrue(all(outcome.change == 0.5 and outcome.by == "figure 9" for outcome in outcomes))

    def test_faults_name_what_has_no_reason_and_what_is_noticed(self):
        number = mutations.numbers(SCENE)[0]
        unseen, seen = mutations.Outcome("paper", "a.yaml", number), mutations.Outcome("paper", "b.yaml", number, 0.1, "figure 1")
        known = [("paper", r"b\.yaml:gravity/.*", "why")]
        said = mutations.faults([unseen, seen], known, True)
        self.assertEqual(len(said), 2)
        self.assertIn("a.yaml:gravity/0", said[0])
        self.assertIn("is no unseen number", said[1])
        self.assertEqual(mutations.faults([seen], [], True), [])


class Papers(unittest.TestCase):
    def test_changes_are_noticed_or_their_numbers_are_known(self):
        whole = "CAROM_LONG" in os.environ
        papers, part = (mutations.papers_gone_through(), (0, 1)) if whole else (("stewart2000",), (5, 16))
        outcomes = mutations.run(PROGRAM, SCENES, papers, part, tell=lambda line: None)
        self.assertEqual(mutations.faults(outcomes, mutations.reasons(), whole), [])
        self.assertTrue(any(outcome.change for outcome in outcomes))
        if whole:
            listed = re.search(r"(?s)## Numbers that nothing printed depends on(.*?)## ", PAGE.read_text())[1]
            unseen = [f"`{outcome.number.path}`" for outcome in outcomes if not outcome.change]
            self.assertEqual(sorted(re.findall(r"`[^`]+`(?=, | \|)", re.sub(r"(?m)^\| \S+ \| `[^`]+` \|", "|", listed))), sorted(unseen))


if __name__ == "__main__":
    unittest.main()
