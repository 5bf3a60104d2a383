#!/usr/bin/python3
"""Lists what the stable headers declare and the library defines for a linker: symbols.py BUILD > docs/manual/symbols.txt

Stable are the headers that docs/manual/stability.md names, and those that carom/carom.h includes. By room these are the
functions, methods and data of namespace carom in its archive, with their arguments. Their names stand in such a header
of the room outside the private parts of classes. Not listed is what compilers make where it is used: inline functions
and templates. With --check FILE the list is compared with a file, and the exit status is 1 where they differ.
"""
import argparse
import difflib
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHORT = [("std::__cxx11::", "std::"), ("std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
         ("std::basic_string_view<char, std::char_traits<char> >", "std::string_view"), ("carom::", "")]
MATRIX = re.compile(r"Eigen::Matrix<double, (-?\d+), (-?\d+), \d, -?\d+, -?\d+>")
TAIL = re.compile(r", (?:std::(?:allocator|less|default_delete)<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>|0, Eigen::\w+Stride<[^<>]*>) ?(?=[,>])")


def matrix(match):
    rows, columns = (("X" if size == "-1" else size) for size in match.groups())
    if columns == "1":
        return "VectorX" if rows == "X" else f"Vec{rows}"
    return "MatrixX" if rows == columns == "X" else f"Mat{rows}" if rows == columns else f"Mat{rows}{columns}"


def short(name):
    for long, word in SHORT:
        name = name.replace(long, word)
    name = MATRIX.sub(matrix, name)
    while (shorter := TAIL.sub("", name)) != name:
        name = shorter
    name = re.sub(r"std::variant<Sphere, [^<>]*>", "Shape", name)
    return name.replace(", 18446744073709551615ul>", ">").replace(" >", ">")


def rooms():
    return re.findall(r"(?m)^ *carom_room\((\w+)", (ROOT / "CMakeLists.txt").read_text())


def stable_headers():
    page = (ROOT / "docs" / "manual" / "stability.md").read_text()
    named = re.findall(r"`(carom/\S+\.h)`", page)
    return sorted({*named, *re.findall(r'#include "(carom/\S+)"', (ROOT / "carom" / "carom.h").read_text())})


def public_words(room):
    """Identifiers of the room's stable headers, without the private parts of classes."""
    words = set()
    for header in stable_headers():
        if header.startswith(f"carom/{room}/"):
            text = re.sub(r"//.*", "", (ROOT / header).read_text())
            text = re.sub(r"\bprivate:.*?(?=\bpublic:|\n};)", "", text, flags=re.DOTALL)
            words |= set(re.findall(r"\w+", text))
    return words


def names_in(symbol):
    """carom::Simulation::step(...) as Simulation, step."""
    name = re.sub(r"\(.*", "", symbol.replace("operator()", "operator"))
    name = re.sub(r"operator.*", "operator", name)
    while "<" in name:
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return [part.lstrip("~") for part in name.split(" ")[-1].split("::")[1:]]


def symbols(build, room):
    archive = build / f"libcarom_{room}.a"
    listed = subprocess.run(["nm", "--defined-only", "--extern-only", "--demangle", archive], capture_output=True, text=True,
                            check=True)
    words = public_words(room)
    found = set()
    for line in listed.stdout.splitlines():
        match = re.match(r"[0-9a-f]+ [TDBRG] (carom::.*)", line)
        if not match or "internal::" in line or "(anonymous namespace)" in line or "[clone" in line:
            continue
        names = names_in(match.group(1))
        if names and all(name in words for name in names):
            found.add(short(match.group(1)))
    return sorted(found)


def listing(build):
    lines = ["# Made by `make symbols`; docs/manual/stability.md says what it is for."]
    for room in rooms():
        found = symbols(build, room)
        lines += ["", f"[{room}]", *found] if found else []
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    arguments = parser.parse_args()
    missing = [room for room in rooms() if not (arguments.build / f"libcarom_{room}.a").exists()]
    if missing:
        sys.exit(f"symbols.py: {arguments.build} has no archives of {', '.join(missing)}; build them first")
    lines = listing(arguments.build)
    if not arguments.check:
        print("\n".join(lines))
        return 0
    committed = arguments.check.read_text().splitlines()
    if committed == lines:
        return 0
    print("\n".join(difflib.unified_diff(committed, lines, str(arguments.check), "the build", lineterm="", n=0)))
    print("The library's stable symbols are not those of the list. Where that is meant, renew it by `make symbols`, and say in "
          "CHANGELOG.md what a user of C++ has to change.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
