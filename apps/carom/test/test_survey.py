"""scripts/survey_models.py over a folder made here."""
import csv
import pathlib
import subprocess
import sys
import unittest

from carom_command import CAROM, CommandTest

SURVEY = pathlib.Path(__file__).resolve().parents[3] / "scripts" / "survey_models.py"

INERTIA = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
BALL = f'<robot name="ball"><link name="a">{INERTIA}<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>'
ARM = ('<mujoco><worldbody><body pos="0 0 1"><joint name="j" type="hinge" axis="0 1 0"/><geom size="0.1" pos="0.3 0 0"/>'
       "</body></worldbody></mujoco>")


class Survey(CommandTest):
    def survey(self, *words):
        done = subprocess.run([sys.executable, SURVEY, self.folder, "--carom", CAROM, "--until", "0.4", *words],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_tells_what_loads_what_is_refused_and_why(self):
        (self.folder / "balls").mkdir()
        (self.folder / "balls" / "ball.urdf").write_text(BALL)
        (self.folder / "balls" / "two.urdf").write_text(BALL.replace("</robot>", '<link name="b"/><link name="a"/></robot>'))
        (self.folder / "arm.xml").write_text(ARM)
        (self.folder / "note.xml").write_text("<letter/>")
        (self.folder / "empty.urdf").write_text("")
        table = self.survey("--list", self.folder / "list.csv")
        self.assertIn("| balls | URDF | 2 | 1 | 0 | 0 | 0 | 0 | 1 |", table)
        self.assertIn("| . | MJCF | 1 | 1 | 0 | 0 | 0 | 0 | 0 |", table)
        with open(self.folder / "list.csv", encoding="utf-8") as file:
            outcomes = {pathlib.Path(row["file"]).name: row["outcome"] for row in csv.DictReader(file)}
        self.assertEqual(outcomes, {"ball.urdf": "solved", "two.urdf": "refused", "arm.xml": "solved",
                                    "empty.urdf": "refused"})

    def test_an_empty_folder_is_told(self):
        done = subprocess.run([sys.executable, SURVEY, self.folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds no URDF, SDFormat or MJCF file", done.stderr)


if __name__ == "__main__":
    unittest.main()
