"""carom impact as a user meets it: words, JSON, page, exit statuses.

Usage: test_impact.py CAROM SCENES
"""
import json
import math
import unittest

from carom_command import SCENES, CommandTest

IMPACTS = SCENES / "impacts"
SEGHETE = SCENES / "seghete2014"
QUADRUPED = SCENES / "robots" / "quadruped.urdf"


def distance(a, b, mass):
    """In the kinetic metric, of balls of one mass that do not turn."""
    return math.sqrt(mass * sum((x - y) ** 2 for x, y in zip(a, b)))


class Impact(CommandTest):
    def impact(self, *words):
        done = self.carom("impact", *words, "--json")
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def test_the_json_is_what_the_manual_says(self):
        found = self.impact(IMPACTS / "narrow_break.yaml")
        for field in ("scene", "name", "time", "at_start", "impacts_before", "words", "state", "bodies", "energy", "contacts",
                      "laws", "outcomes", "unique", "reason", "every_order_ends", "any_momentum", "opening_margin",
                      "contacts_of_outcomes", "immovable", "without_friction", "reachable_energy", "cosines", "readings",
                      "hull", "plastic", "blend_restitution", "blends", "page"):
            self.assertIn(field, found)
        self.assertEqual((found["time"], found["at_start"], found["unique"]), (0, True, "no"))
        self.assertEqual([contact["bodies"] for contact in found["contacts"]], [["cue", "left"], ["cue", "right"]])
        self.assertTrue(all(contact["strikes"] and contact["takes_part"] for contact in found["contacts"]))
        for law in found["laws"]:
            for field in ("law", "refused"):
                self.assertIn(field, law)
            if law["refused"] is not None:
                continue
            for field in ("velocity", "impulse", "before", "after", "bodies", "energy_ratio", "nearest", "distance",
                          "in_hull", "hull_distance", "closest", "closest_distance", "certificate"):
                self.assertIn(field, law)
            self.assertLess(law["certificate"]["momentum_residual"], 1e-9)
        self.assertTrue((self.folder / found["page"]).is_file())

    def test_the_break_parts_by_its_closed_form(self):
        """4 |w| C sqrt(2 (1 - C)) with C = cos(75 deg) / 2 and w = cos(37.5 deg) / sqrt 2 (the study's test derives it)."""
        found = self.impact(IMPACTS / "narrow_break.yaml")
        c, w = math.cos(math.radians(75)) / 2, math.cos(math.radians(37.5)) / math.sqrt(2)
        expected = 4 * w * c * math.sqrt(2 * (1 - c))
        self.assertAlmostEqual(found["readings"]["stops_when_feasible"]["indeterminacy"], expected, places=7)
        self.assertAlmostEqual(found["cosines"][0][1], c, places=9)
        one, two = (outcome["velocity"] for outcome in found["outcomes"])
        self.assertAlmostEqual(distance(one, two, 0.17) / math.sqrt(2 * found["energy"]), expected, places=7)
        self.assertEqual(found["hull"]["dimension"], 1)
        for outcome in found["outcomes"]:
            self.assertAlmostEqual(outcome["energy_ratio"], 1, places=12)
            momentum = [sum(0.17 * outcome["velocity"][6 * ball + 3 + axis] for ball in range(3)) for axis in range(3)]
            for value, before in zip(momentum, (0.34, 0, 0)):
                self.assertAlmostEqual(value, before, places=12)

    def test_unique_scenes_are_told_so_and_why(self):
        for scene, word in (("billiard_break", "orthogonal"), ("cradle_equal", "reflection group")):
            found = self.impact(SEGHETE / f"{scene}.yaml")
            self.assertEqual((found["unique"], len(found["outcomes"])), ("yes", 1), scene)
            self.assertIn(word, found["reason"])
        words = self.carom("impact", SEGHETE / "billiard_break.yaml").stdout
        self.assertIn("resets in any order lead to one outcome", " ".join(words.split()))

    def test_walls_without_a_way_out_are_told_as_unknown(self):
        found = self.impact(IMPACTS / "wedge.yaml")
        self.assertEqual((found["unique"], found["every_order_ends"], found["outcomes"]), ("unknown", False, []))

    def test_a_model_is_dropped_to_its_first_impact(self):
        found = self.impact(QUADRUPED, "--drop", "0.3")
        self.assertAlmostEqual(found["time"], math.sqrt(2 * 0.3 / 9.81), places=6)
        self.assertFalse(found["at_start"])
        self.assertEqual(sum(contact["strikes"] for contact in found["contacts"]), 4)
        self.assertTrue(found["without_friction"])
        self.assertTrue(any("limit" in contact for contact in found["contacts"]))
        self.assertGreater(len(found["outcomes"]), 1)

    def test_laws_can_be_chosen(self):
        found = self.impact(IMPACTS / "two_feet.yaml", "--law", "plus,stronge", "--out", "feet.html")
        self.assertEqual([law["law"] for law in found["laws"]], ["plus", "stronge"])
        self.assertEqual(found["page"], "feet.html")
        self.assertEqual(found["blend_restitution"], 0.5)
        self.assertEqual(self.impact(IMPACTS / "two_feet.yaml", "--blend", "0.25")["blend_restitution"], 0.25)

    def test_a_later_impact_can_be_asked_for(self):
        first = self.impact(IMPACTS / "two_feet.yaml")
        later = self.impact(IMPACTS / "two_feet.yaml", "--at", str(first["time"] + 0.01))
        self.assertGreater(later["time"], first["time"])
        self.assertGreaterEqual(later["impacts_before"], 1)

    def test_a_budget_cuts_and_says_so(self):
        found = self.impact(IMPACTS / "two_feet.yaml", "--budget", "2")
        self.assertTrue(found["readings"]["stops_when_feasible"]["cut"])
        self.assertIn("at least", " ".join(found["words"]))

    def test_nothing_strikes_ends_with_1_and_wrong_words_with_2(self):
        for words, status, part in (
                ((SCENES / "sliding_box.yaml",), 1, "nothing strikes"),
                ((SCENES / "ball_row.yaml", "--at", "start"), 1, "no impact at the start"),
                ((SCENES / "ball_row.yaml", "--until", "0.01"), 1, "until 0.01 s"),
                ((SEGHETE / "cradle_equal.yaml", "--at", "soon"), 2, "first, start, or a time"),
                ((SEGHETE / "cradle_equal.yaml", "--law", "hertz"), 2, "unknown law 'hertz'"),
                ((SEGHETE / "cradle_equal.yaml", "--law", "none"), 2, "says nothing of an impact"),
                ((SEGHETE / "cradle_equal.yaml", "--budget", "0"), 2, "at least 1"),
                ((SEGHETE / "cradle_equal.yaml", "--blend", "1.5"), 2, "between 0 and 1"),
                ((SEGHETE / "cradle_equal.yaml", "--drop", "1"), 2, "model files"),
                ((SEGHETE / "cradle_equal.yaml", "--out", "page.txt"), 2, ".html"),
                (("missing.yaml",), 2, "missing.yaml")):
            done = self.carom("impact", *words, status=status)
            self.assertIn(part, done.stderr, words)
            self.assertEqual(done.stdout, "", words)


if __name__ == "__main__":
    unittest.main()
