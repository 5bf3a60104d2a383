#!/usr/bin/env python3
"""Hashes of results tell two ends apart that differ in the last bit, and a page from one that is out of date."""

import contextlib
import io
import math
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from hash_results import ends, faults, page, scenes_of  # noqa: E402

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
        with contextlib.redirect_stderr(io.StringIO()) as self.told:
            return ends(self.program, self.folder, scenes_of(self.folder), 60, 1)

    def test_the_last_bit_counts_and_order_does_not(self):
        first = self.hashes(a=0.1, b=math.nextafter(0.1, 1), c=0.1)
        self.assertEqual(list(first), ["a.yaml", "b.yaml", "c.yaml"])
        self.assertEqual(first["a.yaml"], first["c.yaml"])
        self.assertNotEqual(first["a.yaml"], first["b.yaml"])

    def test_scenes_that_do_not_run_are_left_out_and_told(self):
        self.assertEqual(list(self.hashes(a=1, b="broken")), ["a.yaml"])
        self.assertIn("left out: b.yaml: carom: no such thing", self.told.getvalue())

    def test_a_page_is_held_against_what_ran(self):
        hashes = self.hashes(a=1, b=2)
        beside = {**hashes, "b.yaml": (3, "0123456789abcdef")}
        text = page(hashes, beside)
        self.assertIn("Of 2 scenes 1 have the same bits", text)
        self.assertIn("- `b.yaml`", text)
        self.assertEqual(faults(hashes, text), [])
        self.assertEqual(len(faults({**hashes, "b.yaml": hashes["a.yaml"]}, text)), 1)
        self.assertEqual(len(faults({**hashes, "c.yaml": hashes["a.yaml"]}, text)), 1)
        self.assertEqual(len(faults({"a.yaml": hashes["a.yaml"]}, text)), 1)


if __name__ == "__main__":
    unittest.main()
