#!/usr/bin/env python3
"""A batch knows which of its tests failed, also where one ends the process."""

import stat
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from batched_suite import Batch, batches_of  # noqa: E402

PROGRAM = """#!{python}
import os, sys
names = next(a for a in sys.argv if a.startswith("--gtest_filter=")).split("=", 1)[1].split(":")
for name in names:
    print("[ RUN      ]", name, flush=True)
    if "Crash" in name:
        os.abort()
    word = "[  FAILED  ]" if "Fail" in name else "[  SKIPPED ]" if "Skip" in name else "[       OK ]"
    print(word, name, "(3 ms)", flush=True)
sys.exit(1 if any("Fail" in n or "Leak" in n for n in names) else 0)
"""


class BatchedSuite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = Path(folder.name) / "program"
        path.write_text(PROGRAM.format(python=sys.executable))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.program = str(path)

    def outcomes(self, *names):
        results, texts = Batch("room", self.program, names, None, 60).run()
        return {name.split(":", 1)[1]: outcome for name, outcome, _ in results}, texts

    def test_tells_what_passed_failed_and_was_skipped(self):
        found, texts = self.outcomes("A.Runs", "A.Fails", "B.Skips", "B.Runs")
        self.assertEqual(found, {"A.Runs": "OK", "A.Fails": "FAILED", "B.Skips": "SKIPPED", "B.Runs": "OK"})
        self.assertEqual(len(texts), 1)

    def test_goes_on_after_a_crash(self):
        found, texts = self.outcomes("A.Runs", "A.Crashes", "B.Runs", "B.Crashes", "C.Fails")
        self.assertEqual(found, {"A.Runs": "OK", "A.Crashes": "FAILED", "B.Runs": "OK", "B.Crashes": "FAILED",
                                 "C.Fails": "FAILED"})
        self.assertEqual(len(texts), 3)

    def test_a_process_that_fails_after_its_tests_is_seen(self):
        found, texts = self.outcomes("A.Runs", "A.Leaks")
        self.assertEqual(found, {"A.Runs": "OK", "A.Leaks": "FAILED"})
        self.assertEqual(len(texts), 1)

    def test_batches_hold_the_tests_of_one_program(self):
        tests = [{"name": f"room:A.{i}", "command": [f"test_{i % 2}", f"--gtest_filter=A.{i}"]} for i in range(100)]
        batches = batches_of(tests)
        self.assertEqual(sorted(test for batch in batches for test in batch.tests), sorted(f"A.{i}" for i in range(100)))
        for batch in batches:
            self.assertEqual(len({int(test[2:]) % 2 for test in batch.tests}), 1)


if __name__ == "__main__":
    unittest.main()
