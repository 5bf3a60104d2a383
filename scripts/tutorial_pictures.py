#!/usr/bin/env python3
"""Draws the pictures of the tutorials with Carom itself: tutorial_pictures.py BUILD FOLDER.

Runs the commands of each page of docs/manual/tutorials in their order, with the program and the Python module of the
build folder BUILD. Copies the pictures that the page shows into FOLDER. Needs chromium and python3-matplotlib.
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from documented import commands, pictures, shown_files

ROOT = Path(__file__).resolve().parent.parent


def draw(page, build, out):
    """Runs one page in a folder of its own. A command that ends otherwise than the page says ends the program."""
    text = page.read_text()
    environment = {**os.environ, "PYTHONPATH": str(build / "python"), "MPLBACKEND": "agg"}
    programs = {"python3": [sys.executable, "-B"]}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "scenes").symlink_to(ROOT / "scenes")
        for name, inside in shown_files(text):
            (folder / name).write_text(inside)
        for words, status in dict.fromkeys(commands(text)):
            first, *rest = shlex.split(words)
            command = programs[first] + rest if first in programs else [str(build / "carom"), first, *rest]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if done.returncode != status:
                sys.exit(f"{page.name}: {words} ended with status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
        for name in pictures(text):
            shutil.copy(folder / name, out / name)


def main():
    build, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    for page in sorted((ROOT / "docs" / "manual" / "tutorials").glob("*.md")):
        draw(page, build, out)


if __name__ == "__main__":
    main()
