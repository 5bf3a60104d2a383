#!/usr/bin/env python3
"""Sorts sources into batches that can be compiled as one.

    cmake/batches.py --size N FILE ...

Prints a line `NUMBER FILE` for each source. Sources of one batch see one another's anonymous namespaces. So no two of a
batch name anything there alike, except aliases that read alike. A batch has at most N sources. In the order given, each
goes into the first batch that takes it.
"""

import argparse
import re
from pathlib import Path

TOP_LEVEL_BRACES = re.compile(r"^namespace \{", re.M)
AROUND = re.compile(r"^namespace ([\w:]+) \{", re.M)
TYPE = re.compile(r"(?:template ?<.*?> ?)?(?:struct|class|enum class|enum) (\w+)")
ALIAS = re.compile(r"(?:template ?<.*?> ?)?using (\w+) ?= ?.*")
BORROWED = re.compile(r"using ([\w:]*?(\w+))$")
FUNCTION = re.compile(r".*?[\w>&*\]] [&*]?(\w+) ?\(")
CONSTANT = re.compile(r"(?:static |inline )*(?:constexpr|const) [^(]*?[ &*](\w+)(?:\[\w*\])? ?(?:=|\{|\()")
OF_UNNAMED = re.compile(r"(\w+)(?:\[\w*\])? ?=")  # what follows the braces of a struct without a name
FURTHER = re.compile(r", ?(\w+) ?=")  # constants in one declaration
TEST = re.compile(r"(?:TYPED_)?TEST|INSTANTIATE|using namespace")


def matching_brace(text, start):
    depth = 0
    for i in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def statements(body):
    """Declarations of a namespace without what their braces hold."""
    kept, depth = [], 0
    for character in body:
        if character == "{":
            kept.append("{}" if depth == 0 else "")
            depth += 1
        elif character == "}":
            depth -= 1
            kept.append(";" if depth == 0 else "")
        elif depth == 0:
            kept.append(character)
    return (" ".join(part.split()) for part in "".join(kept).split(";"))


def private_names(path):
    """Names in the anonymous namespaces of a source, with the namespace around them: {name: whose it is}. For an alias
    it is the alias's text, which another source may repeat."""
    text = re.sub(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", "", Path(path).read_text())
    names = {}
    for opening in TOP_LEVEL_BRACES.finditer(text):
        start = opening.end() - 1
        around = [found[1] for found in AROUND.finditer(text, 0, opening.start())][-1:]
        for statement in statements(text[start + 1 : matching_brace(text, start)]):
            if not statement or TEST.match(statement):
                continue
            borrowed = BORROWED.match(statement)
            if borrowed:
                names[*around, borrowed[2]] = borrowed[1]
                continue
            alias = ALIAS.match(statement)
            if alias:  # C++ allows one alias to be declared twice, if both stand for the same type
                names[*around, alias[1]] = alias[0]
                continue
            constant = CONSTANT.match(statement) or OF_UNNAMED.match(statement)
            named = TYPE.match(statement) or constant or FUNCTION.match(statement)
            for name in ([named[1]] if named else []) + (FURTHER.findall(statement) if constant else []):
                names[*around, name] = path
    return names


def batches(paths, size):
    """[(names, [path])]."""
    found = []
    for path in paths:
        names = private_names(path)
        for taken, members in found:
            if len(members) < size and all(taken.get(name, whose) == whose for name, whose in names.items()):
                taken.update(names)
                members.append(path)
                break
        else:
            found.append((names, [path]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, required=True)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    for number, (_, members) in enumerate(batches(arguments.files, arguments.size)):
        for path in members:
            print(number, path)


if __name__ == "__main__":
    main()
