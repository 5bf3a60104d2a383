"""Model files on the command line: the three robots of scenes/robots, one of each format.

Usage: test_robots.py CAROM SCENES
"""
import json
import unittest

from carom_command import FOUR_BALLS, SCENES, CommandTest

ROBOTS = SCENES / "robots"
KNEES = [words for leg in ("FL", "FR", "HL", "HR") for words in ("--joint", f"{leg}_knee=-1.2")]


class Robots(CommandTest):
    """Model files: the three robots of scenes/robots, one of each format."""

    def inspect(self, name):
        return json.loads(self.carom("inspect", ROBOTS / name, "--json").stdout)

    def run_model(self, *words):
        run = json.loads(self.carom("run", *words, "--json").stdout)
        self.assertEqual(run["certificate"]["unsolved_steps"], 0)
        self.assertLess(run["certificate"]["penetration"], 1e-4)
        return run

    def test_inspect_tells_of_a_urdf(self):
        found = self.inspect("quadruped.urdf")
        links = {link["name"]: link for link in found["links"]}
        self.assertEqual(len(links), 13)
        self.assertEqual((links["trunk"]["type"], links["trunk"]["parent"]), ("free", None))
        self.assertAlmostEqual(links["trunk"]["mass"], 7.5 + 0.12, 12)  # with the camera, which is welded to it
        self.assertEqual((links["FL_calf"]["joint"], links["FL_calf"]["parent"]), ("FL_knee", "FL_thigh"))
        self.assertEqual((links["FL_calf"]["lower"], links["FL_calf"]["upper"]), ([-2.5], [-0.65]))
        self.assertIn(("camera", "trunk", 0.12), [(f["name"], f["link"], f["mass"]) for f in found["frames"]])
        self.assertEqual({s["name"] for s in found["shapes"] if s["material"]}, {"FL_foot", "FR_foot", "HL_foot", "HR_foot"})
        self.assertEqual(len(found["unused"]), 12)  # velocities of twelve limits
        text = (ROBOTS / "quadruped.urdf").read_text().splitlines()
        for note in found["unused"]:
            self.assertIn("effort=", text[note["line"] - 1])

    def test_inspect_tells_of_an_mjcf_and_an_sdformat(self):
        humanoid = self.inspect("humanoid.xml")
        self.assertEqual((humanoid["keyframes"], humanoid["unused"]), (["crouch"], []))
        self.assertEqual(sum(len(link.get("lower", [])) for link in humanoid["links"]), 21)
        gripper = self.inspect("gripper.sdf")
        self.assertEqual([link["type"] for link in gripper["links"]], ["prismatic", "revolute"] * 2)
        self.assertEqual([link["parent"] for link in gripper["links"]],
                         ["world", "left_finger", "world", "right_finger"])
        text = self.carom("inspect", ROBOTS / "gripper.sdf").stdout
        self.assertIn("4 moving links, 0.38 kg", text)
        self.assertIn("everything in the file is used", text)

    def test_inspect_tells_alike_what_is_unused_in_one_line(self):
        model = self.folder / "pictures.urdf"
        links = "".join(f'<link name="l{i}"><sensor/><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                        'iyy="1" iyz="0" izz="1"/></inertial></link>\n' for i in range(3))
        joints = "".join(f'<joint name="j{i}" type="continuous"><parent link="l0"/><child link="l{i}"/></joint>\n'
                         for i in (1, 2))
        model.write_text(f'<robot name="r">\n{links}{joints}<transmission/>\n</robot>\n')
        lines = self.carom("inspect", model).stdout.splitlines()
        start = lines.index("not used: 4")
        self.assertEqual(lines[start + 1:], [f"  {model}:2: <sensor>, 3 times: lines 2, 3, 4",
                                             f"  {model}:7: <transmission>"])
        self.assertEqual(len(json.loads(self.carom("inspect", model, "--json").stdout)["unused"]), 4)

    def test_inspect_lists_what_acts_in_the_joints(self):
        model = self.folder / "driven.xml"
        model.write_text("""<mujoco><compiler angle="radian"/><worldbody><body name="cart">
            <joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1"/><body name="arm" pos="0 0 1">
            <joint name="shoulder" axis="0 1 0"/><geom size="0.1"/><body name="hand" pos="0 0 1">
            <joint name="wrist" axis="0 1 0"/><joint name="twist" axis="0 0 1"/><geom size="0.1"/></body></body></body></worldbody>
            <tendon><fixed name="cord"><joint joint="shoulder" coef="0.5"/><joint joint="wrist" coef="-2"/></fixed></tendon>
            <equality><joint name="held" joint1="twist" polycoef="0.25 0 0 0 0"/></equality>
            <actuator><position name="hold" joint="shoulder" kp="20" kv="3" forcerange="-12 12"/>
            <velocity name="brake" joint="rail" kv="7"/>
            <position name="pull" tendon="cord" kp="40"/>
            <general name="push" joint="rail" biastype="affine" biasprm="6 0 0"/></actuator></mujoco>""")
        told = json.loads(self.carom("inspect", model, "--json").stdout)["drives"]
        drives = {drive.pop("name"): drive for drive in told}
        servo = {"type": "servo", "target": 0, "damping": 0, "limit": None}
        self.assertEqual(drives["hold"], servo | {"joints": [{"joint": "shoulder", "ratio": 1}], "stiffness": 20,
                                                  "damping": 3, "limit": 12, "unit": "rad"})
        self.assertEqual(drives["brake"], servo | {"joints": [{"joint": "rail", "ratio": 1}], "stiffness": 0, "damping": 7,
                                                   "unit": "m"})
        self.assertEqual({joint["ratio"] for joint in drives["pull"]["joints"]}, {0.5, -2})
        self.assertEqual(drives["push"], {"type": "force", "joints": [{"joint": "rail", "ratio": 1}], "force": 6, "unit": "m"})
        self.assertEqual((drives["held"]["type"], drives["held"]["target"]), ("motion", 0.25))
        self.assertTrue(drives["held"]["joints"][0]["joint"].endswith(".2"))
        lines = self.carom("inspect", model).stdout.splitlines()
        self.assertIn("servo hold on shoulder: 20 N m/rad, 3 N m s/rad, towards 0 rad, 12 N m at most", lines)
        self.assertIn("force push on rail: 6 N", lines)
        self.assertFalse([line for line in lines if line.startswith("constraint held")])

    def test_inspect_tells_the_effort_of_motors(self):
        legs = {link["joint"]: link for link in self.inspect("quadruped.urdf")["links"]}
        effort = float((ROBOTS / "quadruped.urdf").read_text().split('name="FL_knee"')[1].split('effort="')[1].split('"')[0])
        self.assertEqual(legs["FL_knee"]["effort"], [effort])
        self.assertIn(f"{effort:g} N m at most", self.carom("inspect", ROBOTS / "quadruped.urdf").stdout)

    def test_inspect_says_first_what_a_run_will_find_missing(self):
        first = self.carom("inspect", ROBOTS / "quadruped.urdf").stdout.splitlines()
        self.assertEqual(first[1], "It runs:")
        told = self.inspect("quadruped.urdf")
        self.assertTrue(told["runs"])
        for part, option in (("no ground", "--drop"), ("no friction", "--friction"), ("HL_knee", "--joint")):
            self.assertTrue(any(part in text and option in text for text in told["advice"]), part)
        # A run that takes the advice has nothing to tell.
        run = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.2", *KNEES, "--until", "0.01")
        self.assertNotIn("limit", run.stderr)

    def test_inspect_lists_the_faults_of_a_refused_model_as_json(self):
        model = self.folder / "two.urdf"
        model.write_text('<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>\n')
        told = json.loads(self.carom("inspect", model, "--json", status=2).stdout)
        self.assertFalse(told["runs"])
        self.assertEqual([fault["line"] for fault in told["faults"]], [3])

    def test_inspect_says_first_that_a_model_does_not_run_that_a_run_refuses(self):
        model = self.folder / "point.urdf"
        model.write_text('<robot name="r"><link name="base"/><link name="b"><inertial><mass value="1"/>'
                         '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>'
                         '<joint name="j" type="continuous"><parent link="base"/><child link="b"/></joint></robot>')
        refusal = self.carom("run", model, "--until", "0.01", status=2).stderr
        lines = self.carom("inspect", model, status=2).stdout.splitlines()
        self.assertEqual(lines[1], "It does not run:")
        self.assertIn("'b' is a point mass", refusal)
        self.assertIn("'b' is a point mass", lines[2])
        told = json.loads(self.carom("inspect", model, "--json", status=2).stdout)
        self.assertFalse(told["runs"])
        self.assertIn("'b' is a point mass", told["faults"][0]["what"])
        self.assertEqual([link["name"] for link in told["links"]], ["b"])

    def test_a_model_is_dropped_from_the_height_asked_for(self):
        run = self.run_model(ROBOTS / "quadruped.urdf", "--drop", "0.1", *KNEES, "--until", "0.2")
        first = run["events"][0]
        self.assertEqual(first["kind"], "touch")
        # t² = 2 H / g, within the two steps in which a contact may be foreseen
        self.assertLess(abs(first["time"] - (2 * 0.1 / 9.81) ** 0.5), 0.002)
        fixed = self.run_model(ROBOTS / "quadruped.urdf", "--fixed", *KNEES, "--until", "0.01")
        self.assertEqual(fixed["events"], [])

    def test_a_joint_that_cannot_start_at_zero_is_told(self):
        done = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.1", "--until", "0.01")
        self.assertIn("'HR_knee' starts at its limit, -0.65", done.stderr)
        done = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.1", *KNEES, "--until", "0.01")
        self.assertNotIn("starts at its limit", done.stderr)

    def test_a_keyframe_is_where_the_run_starts(self):
        run = self.run_model(ROBOTS / "humanoid.xml", "--keyframe", "crouch", "--until", "0.001")
        # Almost free fall for one step: the whole moves down by g h².
        pelvis = run["bodies"][0]
        self.assertEqual(pelvis["name"], "pelvis")
        for got, said in zip(pelvis["position"], (0, 0, 0.8)):
            self.assertLess(abs(got - said), 1e-3)

    def test_scenes_of_robots_run(self):
        run = self.run_model(ROBOTS / "gripper_hold.yaml", "--until", "0.3")
        brick = run["bodies"][0]
        self.assertEqual(brick["name"], "brick")
        self.assertLess(max(abs(a - b) for a, b in zip(brick["position"], (0, 0, 0.365))), 1e-9)
        self.assertLess(max(map(abs, run["state"]["v"])), 1e-9)
        run = self.run_model(ROBOTS / "quadruped_drop.yaml", "--until", "1")
        self.assertLess(max(map(abs, run["state"]["v"])), 1e-3)
        self.run_model(ROBOTS / "humanoid_fall.yaml", "--until", "0.6")

    def test_wrong_words_about_a_model_end_with_2_and_a_sentence(self):
        dog, man = ROBOTS / "quadruped.urdf", ROBOTS / "humanoid.xml"
        for words, part in (
                (("run", "missing.urdf"), "missing.urdf"),
                (("inspect", "missing.urdf"), "missing.urdf"),
                (("inspect", FOUR_BALLS), "this is a scene"),
                (("run", FOUR_BALLS, "--drop", "0.2"), "--drop"),
                (("run", dog, "--drop", "-1"), "--drop -1"),
                (("run", dog, "--joint", "FL_kne=-1"), "did you mean 'FL_knee'?"),
                (("run", dog, "--joint", "FL_knee=0.5"), "beyond its limit -0.65 rad"),
                (("run", dog, "--joint", "FL_knee"), "NAME=VALUE"),
                (("run", dog, "--friction", "-1"), "--friction -1"),
                (("run", man, "--keyframe", "stand"), "crouch")):
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
