"""Shared by the tests of the command line: the program, the scenes, and a folder to run it in.

A test that imports this is started as `TEST.py CAROM SCENES`; both words are taken off sys.argv, unittest reads the rest.
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy
except ImportError:
    h5py = numpy = None

CAROM, SCENES = (pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve())
FOUR_BALLS = SCENES / "stewart2000" / "four_balls.yaml"


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def carom(self, *words, status=0):
        done = subprocess.run([CAROM, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done
