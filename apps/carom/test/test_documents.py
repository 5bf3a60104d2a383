"""Every command that a document (README.md, a page of docs) shows, with the exit status that it documents.

The test is started as `test_documents.py CAROM SCENES DOCUMENT...`, with one document or several.

`scripts/documented.py` says what counts as a command, and as a file that a document shows. The commands of a document run in their
order in one folder. It has `scenes`, the files that the document shows, and those of FILES that its commands name.

Commands of LONG run where CAROM_LONG is set, those that need data or a browser where these are.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import unittest

from carom_command import CAROM, CommandTest, SCENES

ROOT = SCENES.parent
sys.path.insert(0, str(ROOT / "scripts"))

from documented import commands, pictures, shown_files  # noqa: E402  pylint: disable=wrong-import-position

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs" / "manual").rglob("*.md"))]

# More than half a minute each: a budget of seconds for every method, long mechanisms, whole papers.
LONG = (r"^compare scenes/ball_row", r"^compare robot\.urdf", r"^converge scenes/tumbling_brick", r"scenes/gallery/",
        r"--until 600", r"^validate ")
DATA = (r"tosses\.h5", r"impacts\.h5", r"YOURS\.h5")

ROBOT = """<robot name="robot">
  <link name="trunk"><inertial><mass value="4"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>
    <collision><geometry><box size="0.4 0.3 0.1"/></geometry></collision></link>
  <link name="shank"><inertial><origin xyz="0 0 -0.1"/><mass value="0.5"/>
    <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.001"/></inertial>
    <collision><origin xyz="0 0 -0.2"/><geometry><sphere radius="0.02"/></geometry></collision></link>
  <joint name="knee" type="revolute"><parent link="trunk"/><child link="shank"/><origin xyz="0.1 0 -0.1"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="-0.5" effort="1" velocity="1"/></joint>
</robot>
"""
BALLS = "carom run scenes/stewart2000/four_balls.yaml --until 0.6 --out "
# Files that documents name and do not make: the text, or the command that makes it.
FILES = {
    "robot.urdf": ROBOT,
    "PROBLEM.hdf5": "carom problem balls.h5 --step 57 --out PROBLEM.hdf5",
    "balls.h5": BALLS + "balls.h5",
    "runs/balls.h5": BALLS + "runs/balls.h5",
    "runs/newton.h5": BALLS + "runs/newton.h5",
    "runs/poisson.h5": BALLS + "runs/poisson.h5",
    "runs/plus.h5": BALLS + "runs/plus.h5 --step 0.02",
    "runs/other.h5": BALLS + "runs/other.h5 --step 0.02",
    "heap.h5": "carom run scenes/quasi_rigid/foam.yaml --until 0.2 --out heap.h5",
    "broken.yaml": "carom: 1\ngravity: [0, 0, down]\n",
}


class Documents(CommandTest):
    def setUp(self):
        super().setUp()
        (self.folder / "scenes").symlink_to(SCENES)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "carom").symlink_to(CAROM)
        opener = tools / "xdg-open"  # no test opens a browser
        opener.write_text("#!/bin/sh\nexit 0\n")
        opener.chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "MPLBACKEND": "agg"}

    def shell(self, words):
        first, *rest = shlex.split(words)
        command = [sys.executable, "-B", *rest] if first == "python3" else ["carom", first, *rest]
        return subprocess.run(command, cwd=self.folder, env=self.environment, timeout=3600,
                              capture_output=True, text=True)

    def make(self, name):
        path = self.folder / name
        if name not in FILES or path.exists():
            return
        path.parent.mkdir(exist_ok=True)
        if not FILES[name].startswith("carom "):
            path.write_text(FILES[name])
            return
        words = FILES[name].removeprefix("carom ")
        for word in shlex.split(words):
            if word != name:
                self.make(word)
        done = self.shell(words)
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stderr}")

    def test_its_commands_end_as_it_says(self):
        for document in self.documents:
            self.try_commands(document)

    def try_commands(self, document):
        text = document.read_text()
        for name, inside in shown_files(text):
            (self.folder / name).write_text(inside)
        made = set()
        for words, status in dict.fromkeys(commands(text)):  # a command that is shown twice is run once
            long = any(re.search(pattern, words) for pattern in LONG)
            if (long and not os.environ.get("CAROM_LONG")) or any(re.search(pattern, words) for pattern in DATA):
                continue
            with self.subTest(command=words):
                for word in shlex.split(words):
                    if word not in made:
                        self.make(word)
                out = re.search(r"--out (\S+)", words)
                made.update([out[1]] if out else [])
                done = self.shell(words)
                self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")

        if document.parent.name == "tutorials":  # its pictures are drawn by its own commands
            for name in pictures(text):
                self.assertTrue((self.folder / name).exists(), name)

    def test_the_documents_show_commands(self):
        self.assertGreater(sum(len(list(commands(document.read_text()))) for document in DOCUMENTS), 30)

    def test_what_a_command_is(self):
        text = ("Words.\n\n    build/carom run a.yaml --step 0.1   # ends with status 1: why\n    carom run b.yaml\n"
                "    carom solve X [--json]\n\n```sh\ncarom view 'a b.h5' # no comment\n```\n```yaml\n# c.yaml\ncarom: 1\n```\n"
                "    python3 d.py  # ends with status 1\n    python3 -m venv env\n```python\n# d.py\nx\n```\n![A](d.png)\n")
        self.assertEqual(list(commands(text)), [("run a.yaml --step 0.1", 1), ("run b.yaml", 0),
                                                ("view 'a b.h5' # no comment", 0), ("python3 d.py", 1)])
        self.assertEqual(list(shown_files(text)), [("c.yaml", "# c.yaml\ncarom: 1\n"), ("d.py", "# d.py\nx\n")])
        self.assertEqual(pictures(text), ["d.png"])


if __name__ == "__main__":
    # The documents whose commands this run tries.
    Documents.documents = [pathlib.Path(name) for name in sys.argv[1:]]
    unittest.main(argv=sys.argv[:1])
