"""The manual's lists of options, keys, fields and datasets are the program's.

Generated pages are current. Pages that say more than can be generated name all that there is, and nothing else."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from carom_command import CAROM, SCENES

ROOT = SCENES.parent
MANUAL = ROOT / "docs" / "manual"
sys.path.insert(0, str(ROOT / "scripts"))

import reference_tables  # noqa: E402  pylint: disable=wrong-import-position

# Maps whose keys are names of the data, or words that another page explains.
DATA = {"assumptions", "reasons", "status", "numbers", "parts", "restitution"}
# Certificates within other objects have a section of their own.
APART = DATA | {"certificate"}

# Blocks of the schema, and the section of the page of scenes that explains each.
SECTIONS = {
    "scene": "The whole file", "orientation": "Include", "material": "Materials", "layer": "Materials", "patch": "Materials", "restitution": "Materials",
    "combination": "Materials", "pair": "Materials", "tangential_spring": "Tangential springs", "friction": "Materials", "static_friction": "Materials",
    "impact_friction": "Materials", "shapes": "Shapes", "restitution_change": "Shapes", "world": "The whole file", "body": "Bodies",
    "inertia": "Bodies", "model": "Models", "joints": "Joints", "on_parent": "Joints", "on_child": "Joints", "constraints": "Constraints",
    "on_a": "Constraints", "on_b": "Constraints", "joint_of_a_sum": "Constraints", "path": "Constraints", "drives": "Drives and wrenches", "wrench": "Drives and wrenches",
    "scale": "Drives and wrenches", "angle": "Drives and wrenches", "sine": "Drives and wrenches", "sensors": "Sensors",
    "collisions": "Collisions", "method": "Method", "plus": "Method", "lzb": "Method", "propagative": "Method", "compliant": "Method",
    "quasi_rigid": "Method", "record": "Record"}

STUDY = "scene: {}\nruns: 2\nseed: 1\nvary: {{speed: {{at: bodies/cube/velocity/0, normal: [0.9, 0.1]}}}}\noutputs: {{place: cube.position}}\n"
PARTS = """
carom: 1
gravity: [0, 0, -9.81]
materials: [{name: m, friction: 0.5}]
world: {shapes: [{type: half-space, name: floor, normal: [0, 0, 1]}]}
bodies:
  - {name: arm, density: 500, shapes: [{type: capsule, radius: 0.02, length: 0.3, position: [0.15, 0, 0], orientation: {z_axis: [1, 0, 0]}}]}
  - {name: box, density: 500, position: [1, 0, 0.0499], shapes: [{type: box, size: [0.1, 0.1, 0.1]}]}
  - {name: load, mass: 1, position: [2, 0, 1], shapes: [{type: sphere, radius: 0.02}]}
joints:
  - {name: hip, type: revolute, parent: world, child: arm, axis: [0, 1, 0], on_parent: {position: [0, 0, 1]}, position: 0.3, limits: {upper: 0.35}}
constraints: [{name: leash, type: rope, a: load, b: world, on_b: {position: [2, 0, 1.1]}, length: 0.1}]
drives: [{name: motor, type: servo, joint: hip, target: 0.5, stiffness: 20, damping: 1}]
sensors:
  - {name: imu, type: imu, body: arm}
  - {name: load_cell, type: force_torque, joint: hip}
  - {name: sole, type: contact, bodies: box}
method: {stepper: stewart-trinkle, cone: exact, step: 0.01, accuracy: 0.01}
duration: 0.2
outputs: {height: box.position.z}
"""


def section(text, heading):
    """The text below a heading, up to the next one of its rank or above."""
    found = re.search(rf"(?m)^(#+) {re.escape(heading)}\n(.*?)(?=^\1 |^#{{1,1}} |\Z)", text + "\n", re.S)
    assert found, f"there is no section '{heading}'"
    return found[2]


def own(text):
    """A section without the sections below it."""
    return re.split(r"(?m)^#+ ", text)[0]


def named(text):
    """All words that stand as code in a text."""
    return {word for span in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"[\w-]+", span)}


def rows(text):
    """The words of the first column of the tables of a text."""
    return [word for cell in re.findall(r"(?m)^\| (`[^|]*`) \|", text) for word in re.findall(r"`([^`]+)`", cell)]


def keys(value):
    """All keys of the objects in a JSON value."""
    if isinstance(value, list):
        return {key for each in value for key in keys(each)}
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(keys(each) for key, each in value.items() if not (key in APART and isinstance(each, dict))))


class Reference(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.json_page = (MANUAL / "json.md").read_text()
        (cls.folder / "parts.yaml").write_text(PARTS)
        (cls.folder / "toss.yaml").write_text(STUDY.format(SCENES / "cube_toss.yaml"))

    def told(self, *words):
        done = subprocess.run([CAROM, *map(str, words), "--json"], cwd=self.folder, capture_output=True, text=True, timeout=300, check=False)
        self.assertLess(done.returncode, 2, f"{words}\n{done.stderr}")
        return json.loads(done.stdout)

    def compare(self, heading, objects):
        """The table of a section of the page of JSON has the keys of objects that the program wrote, its text the keys within these."""
        text = own(section(self.json_page, heading))
        self.assertEqual(set(rows(text)), {key for each in objects for key in each}, heading)
        self.assertEqual(keys(objects) - named(text), set(), heading)

    def test_generated_pages_are_what_the_program_says(self):
        for path, text in reference_tables.pages(CAROM).items():
            self.assertEqual(path.read_text(), text, f"{path.name}: run scripts/reference_tables.py")

    def test_the_options_of_hand_written_tables_are_those_of_the_program(self):
        every = {name: [each for signature, _ in reference_tables.entries(reference_tables.help_of(CAROM, name)) for each in
                        re.findall(r"--[\w-]+", signature.split(" ")[0])] for name, _ in reference_tables.commands_of(CAROM)}
        for page, commands in (("compare", ["compare"]), ("impact", ["impact"]), ("problem-files", ["solve"]), ("player", ["view"]),
                               ("model-files", ["run", "inspect"])):
            listed = {option for cell in rows((MANUAL / f"{page}.md").read_text()) for option in re.findall(r"--[\w-]+", cell)}
            self.assertGreater(len(listed), 3, page)
            self.assertEqual(listed - {option for name in commands for option in every[name]}, set(), page)

    def test_the_page_of_scenes_has_every_key(self):
        page = (MANUAL / "scene-format.md").read_text()
        schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
        blocks = reference_tables.blocks_of(schema)
        self.assertEqual(set(SECTIONS), set(blocks), "a block of the reader has no section")
        for name, (own_keys, _) in blocks.items():
            self.assertEqual(set(own_keys) - named(section(page, SECTIONS[name])), set(), f"'{SECTIONS[name]}' lacks keys of {name}")

    def test_the_page_of_scenes_has_no_key_that_is_none(self):
        page = (MANUAL / "scene-format.md").read_text()
        blocks = reference_tables.blocks_of(json.loads((ROOT / "docs" / "scene.schema.json").read_text()))
        for heading in dict.fromkeys(SECTIONS.values()):
            known = {key for name, there in SECTIONS.items() if there == heading for key in blocks[name][0]}
            kinds = {word for name, there in SECTIONS.items() if there == heading for word in schema_words(name)}
            tables = re.findall(r"(?m)^\| (?:key|option under `\w+`) \|.*\n(?:\|.*\n)+", own(section(page, heading)))
            listed = {word for each in tables for word in rows(each)}
            self.assertEqual(listed - known - kinds, set(), heading)

    def test_the_page_of_records_has_every_attribute(self):
        page = section((MANUAL / "record-format.md").read_text(), "Scene, certificate, end")
        record = next(iter(reference_tables.write_records(CAROM, self.folder)))
        residuals = set(named(section((MANUAL / "record-format.md").read_text(), "Frames")))
        for group, names in reference_tables.attributes(record)[0].items():
            line = re.search(rf"(?m)^\| `{group}` \| .*$", page)
            self.assertTrue(line, group)
            known = named(line[0]) | (residuals if group == "/certificate" else set())
            self.assertEqual(set(names) - known, set(), group)
            if group == "/certificate":
                self.assertEqual({word for word in named(line[0]) if "_" in word} - set(names) - {"worst_status"}, set())

    def test_json_of_a_run(self):
        answers = [self.told("run", "parts.yaml", "--check-step", "on", "--out", "parts.h5"),
                   self.told("run", "parts.yaml", "--law", "plus", "--stepper", "event-driven", "--out", "events.h5", "--no-report"),
                   self.told("run", SCENES / "ball_row.yaml", "--law", "plus", "--until", "0.1", "--set", "record/traces=true", "--no-record"),
                   self.told("run", SCENES / "robots" / "quadruped.urdf", "--drop", "0.05", "--until", "0.1", "--no-record")]
        plain = [{key: value for key, value in answer.items() if key not in ("impacts", "certificate")} for answer in answers]
        text = own(section(self.json_page, "The JSON of a run"))
        self.assertEqual(set(rows(text)), {key for answer in answers for key in answer})
        self.assertEqual(keys(plain) - named(text), set())
        impacts = [impact for answer in answers for impact in answer["impacts"]]
        self.assertTrue(impacts)
        self.compare("`impacts`", impacts)
        certificates = [answer["certificate"] for answer in answers]
        self.compare("`certificate`", certificates)
        theory = (ROOT / "docs" / "theory" / "certificate.md").read_text()
        tables = re.findall(r"(?m)^\| (?:entry|line) \|.*\n(?:\|.*\n)+", theory)
        self.assertEqual(len(tables), 3)
        self.assertEqual({word for each in tables for word in rows(each)} - keys(certificates), set())

    def test_json_of_studies(self):
        throw = ("fit", SCENES / "thrown_ball.yaml", SCENES / "fits" / "bouncing_ball.csv", "--column", "z=ball.position.z", "--unknown",
                 "restitution=0.3:0.99", "--loss", "huber")
        methods = ("--methods", "event-driven/plus,event-driven/newton")
        for heading, words in (
                ("A comparison: `carom compare`", ("compare", SCENES / "ball_row.yaml", *methods, "--until", "0.2", "--budget", "1")),
                ("A convergence: `carom converge`", ("converge", SCENES / "sliding_box.yaml", "--until", "0.1", "--steps", "0.01,0.005")),
                ("An impact: `carom impact`", ("impact", SCENES / "impacts" / "narrow_break.yaml")),
                ("A model file: `carom inspect`", ("inspect", SCENES / "robots" / "quadruped.urdf")),
                ("Many runs: `carom sweep`", ("sweep", "toss.yaml")),
                ("A fit: `carom fit`", throw),
                ("A design: `carom design`", ("design", SCENES / "studies" / "two_feet.yaml")),
                ("A validation: `carom validate`", ("validate", "seghete2014"))):
            with self.subTest(heading):
                self.compare(heading, [self.told(*words)])

    def test_json_of_contact_problems(self):
        self.told("run", SCENES / "stewart2000" / "four_balls.yaml", "--until", "0.6", "--out", "balls.h5", "--no-report", "--check-step", "off")
        taken = self.told("problem", "balls.h5", "--step", "57", "--out", "problem.hdf5")
        self.assertEqual(keys(taken) - named(section(self.json_page, "A contact problem: `carom solve`")), set())
        solved = self.told("solve", "problem.hdf5")
        self.compare("A contact problem: `carom solve`", [solved])
        self.assertEqual(set(solved["certificate"]) - named(section(self.json_page, "A contact problem: `carom solve`")), set())
        self.compare("A table: `carom export`", [self.told("export", "balls.h5", "--csv", "balls.csv")])

    def test_every_command_with_json_has_a_section(self):
        for name, _ in reference_tables.commands_of(CAROM):
            if "--json" in reference_tables.help_of(CAROM, name):
                self.assertIn(f"`carom {name}", self.json_page)


def schema_words(name):
    """The types that a block of a scene may have."""
    schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
    return schema["$defs"][name]["properties"].get("type", {}).get("enum", [])


if __name__ == "__main__":
    unittest.main()
