#!/usr/bin/env python3
"""Lays out the sources of the manual: docs_pages.py FOLDER XML, with XML the folder that Doxygen wrote.

Copies docs/ and adds the pages that are made from other files. These are one per room (its README and its public
headers), the contributor's page and the changelog. Lists the pages of docs/manual and docs/validation in their tables
of contents.
"""

import posixpath
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIRECTIVES = {"function": "doxygenfunction", "enum": "doxygenenum", "typedef": "doxygentypedef",
              "variable": "doxygenvariable"}


def toctree(names, depth=1):
    return "\n".join(["```{toctree}", f":maxdepth: {depth}", "", *names, "```", ""]) if names else ""


def line_of(element):
    return int(element.find("location").get("line"))


def declarations(xml):
    """Declarations of each header: file -> [(line, directive)]."""
    found = {}

    def add(element, *directive):
        file = element.find("location").get("file")
        found.setdefault(file, []).append((line_of(element), "\n".join([*directive, ""])))

    for path in sorted(xml.glob("*.xml")):
        for compound in ElementTree.parse(path).getroot().findall("compounddef"):
            kind, name = compound.get("kind"), compound.findtext("compoundname")
            if kind in {"class", "struct"} and name.count("::") == 1:
                add(compound, f".. doxygen{kind}:: {name}", "   :members:")
            if kind != "namespace" or not name.startswith("carom"):
                continue
            for member in compound.iter("memberdef"):
                if member.get("kind") in DIRECTIVES:
                    arguments = member.findtext("argsstring") if member.get("kind") == "function" else ""
                    arguments = re.sub(r"\s*=\s*[^,)]+", "", arguments or "")
                    add(member, f".. {DIRECTIVES[member.get('kind')]}:: {name}::{member.findtext('name')}{arguments}")
    return {file: [text for _, text in sorted(entries)] for file, entries in found.items()}


def rooms():
    """Rooms that have public headers, ground floor first."""
    declared = re.findall(r"^ *carom_room\((\w+)", (ROOT / "CMakeLists.txt").read_text(), re.M)
    return [room for room in declared if list((ROOT / "carom" / room).glob("*.h"))]


def page_of(file):
    """Page of the manual that a file of the repository becomes; None if there is none."""
    room = re.fullmatch(r"carom/(\w+)/README\.md", file)
    fixed = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    if room:
        return f"api/{room.group(1)}.md"
    return file[len("docs/"):] if file.startswith("docs/") else fixed.get(file)


def with_links_of_manual(text, file, page):
    """Text of a file of the repository for a page of the manual: links to what the manual lacks become plain text."""

    def link(match):
        label, target = match.groups()
        if re.match(r"\w+:|#", target):
            return match.group(0)
        path, _, anchor = target.partition("#")
        there = page_of(posixpath.normpath(posixpath.join(posixpath.dirname(file), path)))
        if there is None:
            return label
        return f"[{label}]({posixpath.relpath(there, posixpath.dirname(page) or '.')}{'#' + anchor if anchor else ''})"

    return re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)


def private_headers():
    """Headers that serve their own room alone, as paths in the repository."""
    lists = (ROOT / "cmake" / "private_headers.cmake").read_text()
    return {f"carom/{room}/{name}" for room, names in re.findall(r"^set\(CAROM_PRIVATE_(\w+)\s([^)]*)\)", lists, re.M)
            for name in names.split()}


def api_page(room, declared):
    """README of the room, then every public header."""
    folder = ROOT / "carom" / room
    readme = folder / "README.md"
    text = readme.read_text() if readme.is_file() else f"# {room}\n"
    lines = [with_links_of_manual(text, f"carom/{room}/README.md", f"api/{room}.md")]
    private = private_headers()
    for header in sorted(folder.glob("*.h")):
        name = header.relative_to(ROOT).as_posix()
        if name in declared and name not in private:
            lines += [f"## {name}", "", "```{eval-rst}", *declared[name], "```", ""]
    return "\n".join(lines)


def main():
    out, xml = Path(sys.argv[1]), Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(ROOT / "docs", out, ignore=shutil.ignore_patterns("Doxyfile", "__pycache__"))
    (out / "_static").mkdir(exist_ok=True)
    (out / "api").mkdir()
    declared = declarations(xml)
    for room in rooms():
        (out / "api" / f"{room}.md").write_text(api_page(room, declared))
    (out / "api" / "index.md").write_text(
        "# C++ interface\n\nOne page per room: what it is for, and its public headers. A room uses only rooms above it in "
        "this list.\n\n" + toctree(rooms()))
    for file in ("CONTRIBUTING.md", "CHANGELOG.md"):
        (out / page_of(file)).write_text(with_links_of_manual((ROOT / file).read_text(), file, page_of(file)))
    for page, folder in (("manual/index.md", "manual"), ("validation.md", "validation")):
        found = sorted(p.stem for p in (out / folder).glob("*.md") if p.name != "index.md")
        names = found if page.startswith(folder + "/") else [f"{folder}/{name}" for name in found]
        with (out / page).open("a") as file:
            file.write("\n" + toctree(names))


if __name__ == "__main__":
    main()
