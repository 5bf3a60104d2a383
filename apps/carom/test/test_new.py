"""carom new: each scene runs as it is, solved throughout, and what its comments advise works."""
import json
import re
import unittest

from carom_command import CommandTest, SCENES, h5py, numpy

QUADRUPED = SCENES / "robots" / "quadruped.urdf"


class New(CommandTest):
    def new(self, kind, *options, status=0):
        return self.carom("new", kind, f"{kind}.yaml", *options, status=status)

    def certificate(self, scene, *options):
        return json.loads(self.carom("run", scene, "--json", "--no-report", *options).stdout)["certificate"]

    def test_a_mechanism_runs_and_strikes_its_stop(self):
        self.assertIn("carom run mechanism.yaml", self.new("mechanism").stdout)
        told = json.loads(self.carom("run", "mechanism.yaml", "--json", "--no-record").stdout)
        self.assertEqual(told["certificate"]["unsolved_steps"], 0)
        self.assertTrue(any({"world", "slider"} == set(impact["bodies"]) for impact in told["events"]
                            if impact["kind"] == "touch"), told["events"])
        # The output is one that settles as the step shrinks.
        values = [output["max"] for output in told["outputs"] if output["name"] == "fastest_turn"]
        finer = json.loads(self.carom("run", "mechanism.yaml", "--json", "--no-record", "--step", "0.0005",
                                      "--check-step", "off").stdout)
        values += [output["max"] for output in finer["outputs"]]
        self.assertGreater(values[0], 1)
        self.assertAlmostEqual(values[1] / values[0], 1, delta=0.01)

    def test_an_impact_strikes_three_contacts_at_the_start(self):
        self.new("impact")
        told = json.loads(self.carom("impact", "impact.yaml", "--json").stdout)
        self.assertGreaterEqual(len(told["contacts"]), 3)
        self.assertEqual(self.certificate("impact.yaml", "--no-record")["unsolved_steps"], 0)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_robot_stands(self):
        self.new("robot", "--model", QUADRUPED)
        self.assertEqual(self.certificate("robot.yaml", "--out", "robot.h5")["unsolved_steps"], 0)
        with h5py.File(self.folder / "robot.h5") as record:
            height = record["mechanisms/mass_centre"][:, 0, 2]
            self.assertGreater(height[-1], 0.5 * height[0])
            self.assertLess(numpy.ptp(height[-20:]), 1e-3)

    def test_a_robot_in_a_folder_of_its_own_finds_its_model(self):
        self.carom("new", "robot", "scenes/deep/robot.yaml", "--model", QUADRUPED)
        text = (self.folder / "scenes" / "deep" / "robot.yaml").read_text()
        self.assertNotRegex(text, r"file: \"?/")
        self.certificate("scenes/deep/robot.yaml", "--until", "0.01", "--no-record")

    def test_robots_with_a_fixed_base_or_a_ground_of_their_own_run(self):
        (self.folder / "ball.xml").write_text("<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'>"
                                              "<freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
        for name, model in (("fixed", SCENES / "robots" / "gripper.sdf"), ("ground", "ball.xml")):
            self.carom("new", "robot", f"{name}.yaml", "--model", model)
            self.certificate(f"{name}.yaml", "--until", "0.02", "--no-record")
            text = (self.folder / f"{name}.yaml").read_text()
            self.assertNotIn("drop:", text)
            self.assertEqual("half-space" in text, name == "fixed")

    def test_comments_name_commands_that_work(self):
        self.new("mechanism")
        self.new("impact")
        for scene in ("mechanism.yaml", "impact.yaml"):
            text = (self.folder / scene).read_text()
            for command in re.findall(r"^#.*?: +carom (\S+ \S+)$", text, re.M):
                self.carom(*command.split())

    def test_a_file_that_is_there_stays(self):
        (self.folder / "robot.yaml").write_text("mine")
        self.assertIn("exists", self.new("robot", "--model", QUADRUPED, status=2).stderr)
        self.assertEqual((self.folder / "robot.yaml").read_text(), "mine")

    def test_what_is_missing_or_wrong_is_told(self):
        for arguments, part in ((("robot", "a.yaml"), "--model"), (("impact", "a.yaml", "--model", "a.urdf"), "--model"),
                                (("mechanism", "a.txt"), ".yaml"), (("robots", "a.yaml"), "robot"),
                                (("robot", "a.yaml", "--model", "missing.urdf"), "missing.urdf")):
            self.assertIn(part, self.carom("new", *arguments, status=2).stderr)
            self.assertFalse((self.folder / "a.yaml").exists())


if __name__ == "__main__":
    unittest.main()
