#!/usr/bin/env python3
"""Hashes of results tell two ends apart that differ in the last bit."""

import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from hash_results import ends, page, scenes_of  # noqa: E402

PROGRAM = """#!{python}
import json, pathlib, sys
scene = pathlib.Path(sys.argv[2]).read_text()
if "broken" in scene:
    sys.exit("carom: no such thing")
q = [float(scene.split("q:")[1])]
print(json.dumps(dict(time=1.0, steps=3, state=dict(q=q, v=[0.0]))))
"""


class HashResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "carom"
        self.program.write_text(PROGRAM.format(python=sys.executable))
        self.program.chmod(0o755)

    def hashes(self, **scenes):
        for name, q in scenes.items():
            (self.folder / f"{name}.yaml").write_text(f"# A scene.\ncarom: 1\nq: {q}\n")
        (self.folder / "table.yaml").write_text("unknowns: 3\n")
        found, self.left_out = ends(self.program, self.folder, scenes_of(self.folder), 60, 1)
        return found

    def test_the_last_bit_counts_and_order_does_not(self):
        first = self.hashes(a=0.1, b=math.nextafter(0.1, 1), c=0.1)
        self.assertEqual(list(first), ["a.yaml", "b.yaml", "c.yaml"])
        self.assertEqual(first["a.yaml"], first["c.yaml"])
        self.assertNotEqual(first["a.yaml"], first["b.yaml"])

    def test_scenes_that_do_not_run_are_left_out_and_told(self):
        self.assertEqual(list(self.hashes(a=1, b="broken")), ["a.yaml"])
        self.assertEqual(self.left_out, {"b.yaml": "no such thing"})

    def test_the_page_names_what_differs_and_what_is_left_out(self):
        hashes = self.hashes(a=1, b=2, c="broken")
        text = page(hashes, {**hashes, "b.yaml": (3, "0123456789abcdef")}, self.left_out, ("one", "another"))
        self.assertIn("Of 2 scenes 1 have the same bits", text)
        self.assertIn("- `b.yaml`\n", text)
        self.assertIn("- `c.yaml`: no such thing", text)
        self.assertNotIn("These have not", page(hashes, hashes, {}, ("one", "another")))


if __name__ == "__main__":
    unittest.main()
