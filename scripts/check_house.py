#!/usr/bin/env python3
"""Holds the sources to the rules of the house.

    scripts/check_house.py [--root FOLDER]

Prints one line per fault, `file:line: what is wrong and what would be right`, and exits with 1 if there is any.

The arrows between rooms come from the carom_room(NAME USES ...) lines of CMakeLists.txt, so there is one place that says
who may use whom. The other rules are listed in CONTRIBUTING.md.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

LONGEST_FILE = 600
CODE = {".h", ".cpp", ".py", ".sh", ".js", ".cmake"}
TEXT = CODE | {".md", ".txt", ".yaml", ".yml", ".json", ".html", ".css", ""}
SKIPPED_FOLDERS = {".git", "node_modules", "runs", "__pycache__"}

PRIVATE_HEADERS = re.compile(r"^set\(CAROM_PRIVATE_(\w+)\s([^)]*)\)", re.M)
ROOM_LINE = re.compile(r"^ *carom_room\((\w+)(?:\s+USES\s+([\w\s]+))?\)", re.M)
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
ROOM_TARGET = re.compile(r"\bcarom_(\w+)\b")
STANDARD_HEADER = re.compile(r"^[a-z_0-9]+$")

# Banned from the code of the rooms, and why. Comments are taken out before the search.
BANNED = [
    (re.compile(r"\bunordered_(?:multi)?(?:map|set)\b"), "iterates in no fixed order; use std::map, or sort a vector"),
    (re.compile(r"\bfloat\b"), "Carom computes in double throughout"),
    (re.compile(r"\bparallel_reduce\b"), "its sum depends on the threads; use parallel_deterministic_reduce"),
    (re.compile(r"\b(?:s?rand\s*\(|random_device\b)"), "results must repeat; use an engine with a fixed seed"),
]
# Rooms that may, all the same: a report's curves are stored in single precision, and so are MuJoCo's files of heights.
ALLOWED = {("record", "float"), ("import", "float")}
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:home|root|work|Users|mnt|media)/\w")
REGISTRY_HOST = re.compile(r"\b(?:registry\.[a-z]|npmjs\.(?:com|org)|pypi\.org|pythonhosted\.org|deb\.debian\.org)")
CONFLICT = re.compile(r"^(?:<{7} |>{7} |={7}$)")


def tracked_files(root):
    """Files that git tracks or would add; every file where there is no repository."""
    listing = None
    if (root / ".git").exists():
        listing = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"],
                                 capture_output=True, check=True).stdout.decode()
    if listing is not None:
        paths = [root / name for name in listing.split("\0") if name]
    else:
        paths = list(root.rglob("*"))
    def is_source(path):
        parts = path.relative_to(root).parts
        return path.is_file() and not SKIPPED_FOLDERS & set(parts) and not parts[0].startswith("build")

    keep = [path for path in paths if is_source(path)]
    return sorted(set(keep))


def without_comments(text):
    """The text with comments blanked and line breaks kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
    blank = lambda m: m.group(0) if m.group(0).startswith('"') else re.sub(r"[^\n]", " ", m.group(0))
    return pattern.sub(blank, text)


class House:
    """The rooms as CMakeLists.txt declares them, and the faults found."""

    def __init__(self, root):
        self.root = root
        self.faults = []
        self.uses = {}  # room -> every room whose headers it may include, itself among them
        cmake = root / "CMakeLists.txt"
        text = cmake.read_text()
        for match in ROOM_LINE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            name, direct = match.group(1), (match.group(2) or "").split()
            if name in self.uses:
                self.fault(cmake, line, f"room {name} is declared twice")
            reach = {name}
            for used in direct:
                if used in self.uses:
                    reach |= self.uses[used]
                else:
                    self.fault(cmake, line, f"room {name} uses {used}, which is not declared above it")
            self.uses[name] = reach
        self.private = set()  # headers that are for their own room alone, as includes name them
        lists = root / "cmake" / "private_headers.cmake"
        for match in PRIVATE_HEADERS.finditer(lists.read_text() if lists.is_file() else ""):
            for header in match.group(2).split():
                self.private.add(f"carom/{match.group(1)}/{header}")
                if not (root / "carom" / match.group(1) / header).is_file():
                    self.fault(lists, 1, f"names carom/{match.group(1)}/{header}, which is not there")

    def fault(self, path, line, sentence):
        self.faults.append(f"{path.relative_to(self.root)}:{line}: {sentence}")

    def check(self):
        files = tracked_files(self.root)
        self.check_rooms(files)
        for path in files:
            if path.suffix not in TEXT or path.name == "LICENSE":
                continue
            try:
                text = path.read_text()
            except UnicodeDecodeError:
                self.fault(path, 1, "is not UTF-8")
                continue
            self.check_text(path, text)
            if path.suffix in {".h", ".cpp"}:
                self.check_source(path, text)
            if path.name in {"room.cmake", "CMakeLists.txt"} and path.parent != self.root:
                self.check_links(path, text)
        return sorted(self.faults)

    def check_rooms(self, files):
        folders = {}
        for path in files:
            parts = path.relative_to(self.root).parts
            if len(parts) > 2 and parts[0] == "carom":
                folders.setdefault(parts[1], path)
        for folder, path in sorted(folders.items()):
            if folder not in self.uses:
                self.fault(path, 1, f"folder carom/{folder} is no room; declare it with carom_room in CMakeLists.txt")
            if self.root / "carom" / folder / "README.md" not in files:
                self.fault(path, 1, f"room {folder} has no README.md; it needs a page that says what it is for")

    def room_of(self, path):
        parts = path.relative_to(self.root).parts
        return parts[1] if len(parts) > 2 and parts[0] == "carom" else None

    def reach_of(self, path):
        """Rooms that a file may include from; None where the rules do not apply."""
        room = self.room_of(path)
        if room is not None:
            return self.uses.get(room, {room})
        parts = path.relative_to(self.root).parts
        if parts == ("carom", "carom.h"):  # the door to all of them
            return set(self.uses)
        if parts[0] == "carom":
            return set()
        for folder in path.parents:  # a program: what its CMakeLists.txt links
            lists = folder / "CMakeLists.txt"
            if folder == self.root:
                return None
            if lists.is_file():
                linked = set(ROOM_TARGET.findall(lists.read_text())) & set(self.uses)
                return set().union(*(self.uses[room] for room in linked))
        return None

    def may_read(self, path, room):
        """True if a file may include headers that are private to the room: its sources, tests and private headers
        may."""
        name = path.relative_to(self.root).as_posix()
        return self.room_of(path) == room and (path.suffix != ".h" or "/test/" in name or name in self.private)

    def check_links(self, path, text):
        room = self.room_of(path)
        if room is None:
            return
        for number, line in enumerate(text.splitlines(), 1):
            for name in ROOM_TARGET.findall(line.split("#")[0]):
                if name in self.uses and name not in self.uses.get(room, {room}):
                    self.fault(path, number, f"room {room} links {name}, which it may not use")

    def check_text(self, path, text):
        lines = text.splitlines()
        if path.suffix in CODE and len(lines) > LONGEST_FILE:
            self.fault(path, LONGEST_FILE, f"has {len(lines)} lines; split it: {LONGEST_FILE} is the limit")
        for number, line in enumerate(lines, 1):
            if MACHINE_PATH.search(line):
                self.fault(path, number, "holds an absolute path of one machine; make it relative to the repository")
            if REGISTRY_HOST.search(line):
                self.fault(path, number, "names a package registry's host; the package manager's configuration knows it")
            if CONFLICT.match(line):
                self.fault(path, number, "holds a conflict marker")
            if path.suffix in CODE and UNFINISHED.search(line):
                self.fault(path, number, "marks something unfinished; finish it or leave it out")

    def check_source(self, path, text):
        parts = path.relative_to(self.root).parts
        in_test = "test" in parts
        code = without_comments(text)
        lines = code.splitlines()
        includes = [(n, *m.groups()) for n, m in ((n, INCLUDE.match(line)) for n, line in enumerate(lines, 1)) if m]
        self.check_includes(path, includes, in_test)
        if parts[0] != "carom":
            return
        if not in_test and not re.search(r"\bnamespace carom\b|^template .*\bcarom::", code, re.M):
            self.fault(path, 1, "has nothing in namespace carom")
        for number, line in enumerate(lines, 1):
            for pattern, reason in BANNED:
                found = pattern.search(line)
                if found and (self.room_of(path), found.group(0)) not in ALLOWED:
                    self.fault(path, number, f"uses {found.group(0).rstrip(' (')}: {reason}")
        if path.suffix == ".h":
            self.check_header(path, text, code)

    def check_header(self, path, text, code):
        if not text.startswith("#pragma once\n"):
            self.fault(path, 1, "must start with #pragma once")
        body = re.sub(r"^\s*#.*$|namespace\s+[\w:]*\s*\{|[{}\s]", "", code, flags=re.M)
        if not body and path != self.root / "carom" / "carom.h":  # which only includes
            self.fault(path, 1, "is a header that declares nothing; remove it")

    def check_includes(self, path, includes, in_test):
        reach = self.reach_of(path)
        parts = path.relative_to(self.root).parts
        inside = parts[0] == "carom"
        for number, bracket, name in includes:
            target = name.split("/")
            beside = in_test and len(target) == 1 and (path.parent / name).is_file()
            shared = in_test and target[0] == "testing"  # what tests of several rooms share
            if bracket == '"' and inside and target[0] != "carom" and not beside and not shared:
                self.fault(path, number, f'includes "{name}"; write the whole path, "carom/room/file.h"')
            if target[0] == "carom" and len(target) > 2 and reach is not None and target[1] not in reach:
                who = f"room {parts[1]}" if inside and len(parts) > 2 else "/".join(parts[:-1])
                self.fault(path, number, f"{who} includes {name}, but may use only: {', '.join(sorted(reach))}")
            if name in self.private and not self.may_read(path, target[1]):
                self.fault(path, number, f"includes {name}, which is private to room {target[1]} "
                                         "(cmake/private_headers.cmake)")
            if target[0] == "carom" and "test" in target[2:] and not in_test:
                self.fault(path, number, f"includes {name}, which belongs to tests")
            if bracket == "<" and inside and path.suffix == ".h" and not in_test:
                light = STANDARD_HEADER.match(name) or target[0] == "Eigen" or name.endswith("_fwd.hpp")
                if not light:
                    self.fault(path, number, f"a public header includes <{name}>; keep the library in one source file")
        own = path.with_suffix(".h")
        if inside and not in_test and path.suffix == ".cpp" and own.is_file():
            expected = own.relative_to(self.root).as_posix()
            if not includes or includes[0][2] != expected:
                self.fault(path, 1, f'must include "{expected}" first, so that the header is seen to stand alone')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    house = House(parser.parse_args().root.resolve())
    faults = house.check()
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults in {len(house.uses)} rooms" if faults else f"{len(house.uses)} rooms are in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
