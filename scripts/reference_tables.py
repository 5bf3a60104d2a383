#!/usr/bin/env python3
"""Writes the reference tables of the manual from what the program itself says: reference_tables.py CAROM [--check]

The options of every command go into docs/manual/options.md, from their --help. The keys of scene files go into
docs/manual/scene-keys.md, from docs/scene.schema.json, which scene_schema.py gets from the reader. The text of
docs/manual/record-format.md stays; its tables of datasets stand between marks and come from records that the program
writes. Option --check writes nothing, and ends with status 1 if a page would change.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANUAL = ROOT / "docs" / "manual"
# Two runs whose mechanisms have nothing in common but the format: columns that differ are names of the model's parts.
RUNS = (("ball_row.yaml", "--law", "plus", "--until", "0.1"), ("mechanisms/servo_arm.yaml", "--until", "0.1"))
TYPES = {"TEXT": "text", "FLOAT": "number", "INT": "whole number", "X,Y,Z": "three numbers"}
COLUMN = 30  # where a help's meanings begin
RANGES = {"NONNEGATIVE": "not negative"}
MARK = re.compile(r"(<!-- table: ([\w ]+) -->\n).*?(<!-- end of table -->)", re.S)


def row(*cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head, rows):
    return "\n".join([row(*head), row(*["---"] * len(head)), *(row(*cells) for cells in rows)])


def code(word):
    return f"`{word}`"


def spelled(text):
    """A text of the program as Markdown: options, wildcards and addresses stand as code."""
    text = re.sub(r"'(30 deg(?:/s)?)'", r"`\1`", text)
    return re.sub(r"(?<![\w`])(--[\w-]+(?:=\S*\w)?|\w+='[^']*'|\w+://|NAME=[\w:]+|\*|(?<= )/[a-z_]+(?:/[a-z_]+)*)", r"`\1`", text).replace("...", "…")


# Options

def help_of(program, *words):
    return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout


def commands_of(program):
    """[(name, purpose)] of the commands, in the order of the program's help."""
    return re.findall(r"(?m)^  ([a-z]+) {2,}(.*)$", help_of(program).split("Subcommands:")[1])


def entries(text):
    """(signature, meaning) of every line of a help that names an argument or an option; meanings begin in one column, or on the next line."""
    found = []
    for line in text.split("\n"):
        short, rest = line[2:COLUMN - 1], line[COLUMN - 1:]
        if rest.startswith(" ") and not rest.startswith(("  ", " --")) and short.count("[") == short.count("]"):
            line = f"  {short}  {rest}"
        beside, below = re.match(r"  (\S.*?)(?: {2,}(\S.*))?$", line), re.match(r" {20,}(\S.*)$", line)
        if beside:
            found.append([beside[1], beside[2] or ""])
        elif below and found:
            found[-1][1] = f"{found[-1][1]} {below[1]}".strip()
    return found


def option(signature, meaning):
    """(names, what it takes, default, meaning) of an entry of a help."""
    names, _, rest = signature.partition(" ")
    excludes = re.search(r"Excludes: (.*)$", rest)
    rest = rest[:excludes.start()].strip() if excludes else rest
    form = re.match(r"(\S+?)(?::(\{.*?\}|[A-Z]+|INT in \[.*?\]))?(?:=(\S+))?(?: x 3)?( \.\.\.)?( REQUIRED)?$", rest) if rest else None
    if rest and not form:
        raise ValueError(f"the help's '{signature}' has a form that is not known")
    takes = default = ""
    if form:
        kind, limits, default, many, required = form.groups()
        takes = TYPES[kind]
        if limits and limits.startswith("{"):
            takes = ", ".join(code(word) for word in limits[1:-1].split(","))
        elif limits:
            takes += ", " + (RANGES.get(limits) or limits.removeprefix("INT in [").rstrip("]").replace(" - ", " to "))
        takes += ", one or several" if many else ""
        default = "required" if required else code(default) if default else ""
    if excludes:
        meaning += "; not with " + " or ".join(code(name) for name in excludes[1].split())
    return ", ".join(code(name) for name in names.split(",")), takes, default, spelled(meaning)


def command_help(program, name):
    """(purpose, usage, [(names, takes, default, meaning)]) of a command."""
    text = help_of(program, name)
    above, _, below = text.partition("Usage: ")
    purpose = " ".join(above.split("\nExample")[0].split())
    listed = entries(below.split("\n", 1)[1])
    return purpose, below.split("\n", 1)[0], [option(*each) for each in listed if not each[0].startswith("-h,")]


def options_page(program):
    helps = {name: command_help(program, name) for name, _ in commands_of(program)}
    every = [each for _, _, options in helps.values() for each in options]
    shared = {each for each in every if every.count(each) > 2 and re.match("of a (scene|model):", each[3])}
    head = ("argument or option", "takes", "default", "meaning")
    parts = ["# Options of the commands", "",
             "[Commands](commands.md) shows what they are asked for. This page is made by `scripts/reference_tables.py` from the help of the",
             "program. Every command has `--help` as well, and the program has `--version`.", "", "## Scenes and models", "",
             "These options are common to several commands, which say so below.", "",
             table(head, dict.fromkeys(each for each in every if each in shared)), ""]
    for name, (purpose, usage, options) in helps.items():
        parts += [f"## carom {name}", "", spelled(purpose), "", code(usage)
                  + (", with the options of [scenes and models](#scenes-and-models)." if shared & set(options) else "."), "",
                  table(head, [each for each in options if each not in shared]), ""]
    return "\n".join(parts)


# Keys of scenes

def kinds_of(schema):
    """The kinds of JSON values that a key's schema names."""
    kinds = [schema.get("type", []), *(choice.get("type", []) for choice in schema.get("anyOf", []))]
    return {kind for each in kinds for kind in ([each] if isinstance(each, str) else each)}


def takes_of(key, schema):
    """The reader's words for what a key takes, in Markdown."""
    if "enum" in schema:
        return ", ".join(code(word) for word in schema["enum"])
    said = schema.get("description", "")
    takes = re.sub(r"^.*? must be ", "", said)
    if takes.startswith("one of "):
        takes = ", ".join(code(word) for word in takes.removeprefix("one of ").split(", "))
    link = ""
    target = schema.get("then", {}).get("$ref") or schema.get("items", {}).get("$ref")
    if target:
        block = target.rsplit("/", 1)[1]
        takes, link = "a map" if takes.startswith("a map with") or not takes else takes, f"[{block}](#{block})"
    others = [text for kind, text in (("array", "a list"), ("object", "a map")) if kind in kinds_of(schema) and takes.startswith(("a text", "a number"))]
    words = [word for choice in schema.get("anyOf", []) for word in choice.get("enum", [])]
    takes = ", or ".join([takes or "see [scene files](scene-format.md)", *others, *map(code, words)])
    return f"{takes}, {link}" if link else takes


def blocks_of(schema):
    """{block: (keys, {key: types that have it, if not all})} of the schema of scenes, the scene first."""
    found = {}
    for name, block in sorted(schema["$defs"].items(), key=lambda item: (item[0] != "scene", item[0])):
        keys = list(block["properties"])
        rules = {rule["if"]["properties"]["type"]["const"]: rule["then"]["propertyNames"]["enum"] for rule in block.get("allOf", [])}
        types = block["properties"].get("type", {}).get("enum", [])
        having = {key: [kind for kind in types if kind not in rules or key in rules[kind]] for key in keys}
        found[name] = keys, {key: kinds for key, kinds in having.items() if len(kinds) < len(types)}
    return found


def scene_keys_page(schema):
    parts = ["# Keys of scene files", "",
             "[Scene files](scene-format.md) says what keys mean. This page lists them all, as the reader of scenes names them. It is made by",
             "`scripts/reference_tables.py` from [the schema](editors.md). Wherever a number stands, a",
             "[formula](scene-format.md#parameters-and-formulas) may stand.", ""]
    for name, (keys, kinds) in blocks_of(schema).items():
        some = any(kinds.values())
        parts += [f"## {name}", "", table(("key", "takes", "of types") if some else ("key", "takes"), [
            (code(key), spelled(takes_of(key, schema["$defs"][name]["properties"][key])),
             *([", ".join(map(code, kinds.get(key, []))) or "all"] if some else [])) for key in keys]), ""]
    return "\n".join(parts)


# Datasets of records

def write_records(program, folder):
    for number, (scene, *options) in enumerate(RUNS):
        path = pathlib.Path(folder) / f"{number}.h5"
        subprocess.run([program, "run", ROOT / "scenes" / scene, *options, "--out", path, "--no-report", "--quiet", "--check-step", "off"],
                       capture_output=True, check=True)
        yield path


def datasets(path):
    """{name: (shape of a row, columns or None, words of an enumeration, unit, meaning)} of a record, in the order of writing."""
    found = []

    def note(name, item):
        if isinstance(item, h5py.Dataset) and "meaning" in item.attrs:
            columns = item.attrs.get("columns")
            found.append((h5py.h5o.get_info(item.id).addr, "/" + name, (
                item.shape[1:], None if columns is None else tuple(columns), tuple(h5py.check_enum_dtype(item.dtype) or ()),
                item.attrs["unit"], item.attrs["meaning"])))

    with h5py.File(path, "r") as record:
        record.visititems(note)
    return {name: rest for _, name, rest in sorted(found)}


def attributes(path):
    """{group: names of its attributes} of a record, and {group: version}."""
    with h5py.File(path, "r") as record:
        names = {"/": sorted(record.attrs), **{f"/{name}": sorted(record[name].attrs) for name in ("scene", "certificate", "accuracy")}}
        versions = {"/": int(record.attrs["format"]), **{f"/{name}": int(record[name].attrs["version"]) for name in ("model", "method", "run")}}
    return names, versions


def record_rows(first, second):
    """{name: cells of its row} from the datasets of two records."""
    rows = {}
    for name, (shape, columns, words, unit, meaning) in first.items():
        other = second[name]
        sizes = [str(size) for size in shape]
        if shape and (shape[0] == 0 or (shape, columns) != other[:2]):
            sizes[0] = "columns" if columns or other[1] or shape[0] == 0 else "coordinates"
        listed = words or (columns if shape and sizes[0] != "columns" and columns else ())
        meaning = spelled(meaning).replace(">=", "≥") + (": " + ", ".join(map(code, listed)) if listed else "")
        rows[name] = code(name), " × ".join(sizes), unit.replace("^2", "²"), meaning
    return rows


def record_tables(rows):
    """{name of a table: its text}: the datasets of frames, those about parts of the world, and one table for each other group."""
    listed = {"contacts", "memory", "events", "impacts", "impact_contacts", "intervals", "interval_contacts"}
    groups = {}
    for name in rows:
        part = name.split("/")[1:]
        group = part[0] if part[0] in listed else "world" if len(part) > 1 or part[0] == "sensors" else "frames"
        groups.setdefault(group, []).append(rows[name])
    return {f"record {group}": table(("dataset", "row", "unit", "meaning"), cells) for group, cells in groups.items()}


def version_table(versions):
    return table(("group", "version"), [(code(group), str(version)) for group, version in versions.items()])


def with_tables(text, tables):
    """A page with its marked tables renewed; a mark without a table, and a table without a mark, is a ValueError."""
    marks = [name for _, name, _ in MARK.findall(text)]
    if sorted(marks) != sorted(tables):
        raise ValueError(f"the page has marks for {marks}, and there are tables {list(tables)}")
    return MARK.sub(lambda match: f"{match[1]}\n{tables[match[2]]}\n\n{match[3]}", text)


def pages(program):
    """{path: text} of every page that has generated tables."""
    schema = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        records = list(write_records(program, folder))
        tables = record_tables(record_rows(*map(datasets, records)))
        tables["record versions"] = version_table(attributes(records[0])[1])
    record = MANUAL / "record-format.md"
    return {MANUAL / "options.md": options_page(program), MANUAL / "scene-keys.md": scene_keys_page(schema),
            record: with_tables(record.read_text(), tables)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    changed = {path: text for path, text in pages(options.program).items() if not path.is_file() or path.read_text() != text}
    for path, text in changed.items():
        if options.check:
            print(f"{path.relative_to(ROOT)} is not what the program says; run scripts/reference_tables.py", file=sys.stderr)
        else:
            path.write_text(text)
    sys.exit(1 if options.check and changed else 0)


if __name__ == "__main__":
    main()
