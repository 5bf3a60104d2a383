"""docs/scene.schema.json, the schema for editors: takes every scene of the repository, refuses what the reader refuses, and is the reader's."""
import json
import os
import re
import sys
import unittest

import jsonschema
import yaml

from carom_command import CAROM, CommandTest, SCENES

ROOT = SCENES.parent
sys.path.insert(0, str(ROOT / "scripts"))

from documented import shown_files  # noqa: E402  pylint: disable=wrong-import-position
from scene_schema import FIRST, START, Reader, schema_of  # noqa: E402  pylint: disable=wrong-import-position


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors and Carom read it: 1e-3 is a number, yes is a text."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("null", r"null|~|", ["n", "~", ""]), ("bool", r"true|false", list("tf")),
                            ("int", r"[-+]?[0-9]+", list("-+0123456789")),
                            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.inf", list("-+0123456789."))):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^(?:{pattern})$"), first)
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf")))

BALL = """
carom: 1
gravity: [0, 0, -9.81]
materials: [{name: rubber, friction: 0.5, restitution: 0.2}]
world: {shapes: [{type: half-space, material: rubber}]}
bodies: [{name: ball, mass: 1, shapes: [{type: sphere, radius: 0.1}], position: [0, 0, 1]}]
method: {stepper: stewart-trinkle, law: newton, step: 0.01}
duration: 1
"""


class Schema(CommandTest):
    def setUp(self):
        super().setUp()
        self.schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
        self.validator = jsonschema.Draft7Validator(self.schema)

    def faults(self, text):
        return [f"{list(fault.absolute_path)}: {fault.message}" for fault in self.validator.iter_errors(yaml.load(text, Loader))]

    def test_it_is_a_schema(self):
        jsonschema.Draft7Validator.check_schema(self.schema)

    def test_it_takes_every_scene_of_the_repository(self):
        count = 0
        for path in sorted(SCENES.rglob("*.yaml")):
            text = path.read_text()
            if re.search(r"^carom:", text, re.M):
                count += 1
                self.assertEqual(self.faults(text), [], path)
        self.assertGreater(count, 50)

    def test_it_takes_the_scenes_of_the_manual(self):
        for page in sorted((ROOT / "docs" / "manual").rglob("*.md")):
            for name, text in shown_files(page.read_text()):
                if name.endswith(".yaml") and re.search(r"^carom:", text, re.M):
                    self.assertEqual(self.faults(text), [], f"{page} {name}")

    def test_it_takes_the_scenes_to_begin_with(self):
        for kind, more in (("mechanism", []), ("impact", []), ("robot", ["--model", SCENES / "robots" / "quadruped.urdf"])):
            self.carom("new", kind, f"{kind}.yaml", *more)
            self.assertEqual(self.faults((self.folder / f"{kind}.yaml").read_text()), [], kind)

    def test_what_the_reader_refuses_is_refused(self):
        self.assertEqual(self.faults(BALL), [])
        (self.folder / "ball.yaml").write_text(BALL)
        self.carom("run", "ball.yaml", "--no-record")
        for right, wrong in (("friction: 0.5", "frction: 0.5"), ("duration: 1", "duration: [1]"), ("law: newton", "law: newtn"),
                             ("stepper: stewart-trinkle", "stepper: euler"), ("[0, 0, -9.81]", "-9.81"), ("mass: 1", "mass: heavy"),
                             ("radius: 0.1", "radius: {}"), ("radius: 0.1", "length: 0.1"), ("type: sphere", "type: shpere"),
                             ("bodies: [", "bdies: ["), ("step: 0.01", "step: true")):
            broken = BALL.replace(right, wrong)
            with self.subTest(wrong=wrong):
                (self.folder / "broken.yaml").write_text(broken)
                self.carom("run", "broken.yaml", "--no-record", status=2)
                self.assertNotEqual(self.faults(broken), [])

    def test_its_keys_are_those_of_the_reader(self):
        reader = Reader(CAROM, self.folder)
        found = self.schema["$defs"]
        self.assertEqual(list(found["scene"]["properties"]), reader.keys([], [("carom", "1")])[1])
        for block, path in (("method", ["method"]), ("record", ["record"]), ("material", ["materials", FIRST]), ("body", ["bodies", FIRST]),
                            ("wrench", ["wrenches", FIRST]), ("model", ["models", FIRST]), ("pair", ["pairs", FIRST])):
            there = [(path[0], START), *path[1:]]
            self.assertEqual(list(found[block]["properties"]), reader.keys(there)[1], block)
        allowed = {rule["if"]["properties"]["type"]["const"]: rule["then"]["propertyNames"]["enum"] for rule in found["shapes"]["allOf"]}
        for kind in found["shapes"]["properties"]["type"]["enum"]:
            self.assertEqual(allowed[kind], reader.keys([("world", START), ("shapes", {}), FIRST], [("type", kind)])[1], kind)

    @unittest.skipUnless(os.environ.get("CAROM_LONG"), "asks the reader thousands of questions")
    def test_it_is_what_the_reader_says(self):
        self.assertEqual(schema_of(CAROM), self.schema)


if __name__ == "__main__":
    unittest.main()
