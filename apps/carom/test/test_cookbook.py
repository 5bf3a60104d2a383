"""The cookbook of the manual: its Python, run on the record that its commands make, and the mechanics that the numbers obey."""
import json
import math
import os
import sys
import unittest

from carom_command import CommandTest, h5py, numpy, SCENES

sys.path.insert(0, str(SCENES.parent / "scripts"))

from documented import shown_files  # noqa: E402  pylint: disable=wrong-import-position

COOKBOOK = SCENES.parent / "docs" / "manual" / "cookbook.md"


@unittest.skipIf(h5py is None, "python3-h5py is not installed")
class Cookbook(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scenes").symlink_to(SCENES)
        text = COOKBOOK.read_text()
        for name, shown in shown_files(text):
            (self.folder / name).write_text(shown)
        self.code = {name: shown.splitlines()[1:] for name, shown in shown_files(text) if name.endswith(".py")}
        self.carom("run", "slope.yaml", "--no-report", "--out", "slope.h5")
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def run_block(self, name):
        found = {}
        exec("\n".join(self.code[name]), found)  # pylint: disable=exec-used
        self.addCleanup(found["record"].close)
        return found

    def test_no_answer_takes_more_than_six_lines(self):
        self.assertEqual(set(self.code), {"reactions.py", "knee.py"})
        for name, lines in self.code.items():
            self.assertLessEqual(len(lines), 6, name)

    def test_the_feet_bear_the_weight_and_press_on_the_slope(self):
        found = self.run_block("reactions.py")
        force, place = found["force"], found["place"]
        weight = self.mass(found["record"]) * 9.81
        # The robot stands: what is left of its motion is far below a thousandth of g.
        numpy.testing.assert_allclose(sum(force.values()), [0, 0, weight], atol=1e-3 * weight)
        normal = numpy.array([-math.sin(math.radians(5)), 0, math.cos(math.radians(5))])
        for foot in force:
            self.assertLess(abs(place[foot] @ normal), 1e-4, foot)
            self.assertGreater(force[foot] @ normal, 0, foot)
        # Moments about the mass centre cancel.
        centre = found["record"]["mechanisms/mass_centre"][-1, 0]
        moment = sum(numpy.cross(place[foot] - centre, force[foot]) for foot in force)
        numpy.testing.assert_allclose(moment, 0, atol=1e-3 * weight)

    def test_the_knee_bears_what_the_shank_does_not(self):
        knee, feet = self.run_block("knee.py"), self.run_block("reactions.py")
        shank = self.mass(knee["record"], "FL_calf")
        cut = feet["force"]["FL_calf/FL_foot"] + knee["bears"] - [0, 0, shank * 9.81]
        numpy.testing.assert_allclose(cut, 0, atol=1e-3 * 9.81 * self.mass(knee["record"]))

    def test_sensors_read_the_weight_and_the_reactions(self):
        self.carom("run", "sensors.yaml", "--no-report", "--out", "sensors.h5")
        with h5py.File("sensors.h5") as record:
            columns = list(record["sensors"].attrs["columns"])
            read = {name: record["sensors"][-1, i] for i, name in enumerate(columns)}
            vector = lambda name: numpy.array([read[f"{name}.{axis}"] for axis in "xyz"])
            weight = self.mass(record) * 9.81
            numpy.testing.assert_allclose(numpy.linalg.norm(vector("imu.acceleration")), 9.81, rtol=1e-2)
            numpy.testing.assert_allclose(vector("soles.force"), [0, 0, weight], atol=1e-2 * weight)
            self.assertAlmostEqual(read["soles.normal_force"], weight * math.cos(math.radians(5)), delta=1e-2 * weight)
            # The force in the knee is its reaction in other axes.
            joints = list(record["joints/reaction_force"].attrs["columns"])
            bears = record["joints/reaction_force"][-1, joints.index("FL_knee")]
            self.assertAlmostEqual(numpy.linalg.norm(vector("knee_load.force")), numpy.linalg.norm(bears), delta=1e-9)
            outputs = record["outputs"][1:, 0]
            self.assertTrue((numpy.diff(outputs) >= 0).all())
            self.assertGreater(outputs[-1], 9.81)

    def test_a_push_is_felt_by_the_feet(self):
        self.carom("run", "push.yaml", "--no-report", "--out", "push.h5")
        with h5py.File("push.h5") as record:
            names = list(record["scene/colliders"].asstr())
            feet = [i for i, name in enumerate(names) if name.endswith("_foot")]
            sideways = record["colliders/force"][:, feet, 1].sum(axis=1)
            time = record["time"][:]
            self.assertLess(abs(sideways[(time > 0.9) & (time < 0.98)]).max(), 1)
            self.assertLess(sideways[(time > 1.02) & (time < 1.1)].min(), -20)

    def mass(self, record, link=None):
        links = json.loads(self.carom("inspect", SCENES / "robots" / "quadruped.urdf", "--json").stdout)["links"]
        return sum(each["mass"] for each in links if link in (None, each["name"]))


if __name__ == "__main__":
    unittest.main()
