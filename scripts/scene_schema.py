#!/usr/bin/env python3
"""Writes a JSON schema of scene files for editors: scene_schema.py CAROM > docs/scene.schema.json.

Nothing of it is written by hand: the reader of scenes is asked. A key that no scene has makes the reader list the keys
of that block. A value of each kind (text, number, true or false, list, map) makes it say which kinds the key takes, in
which unit, and which words there are. A kind that the reader does not refuse by its kind stays allowed, so the schema
refuses nothing that a scene may say.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

STRANGER = "zzzz"
PROBES = {"string": STRANGER, "number": "1", "boolean": "true", "array": "[]", "object": "{}"}
FORMULA = {"type": "string", "pattern": r"^\s*(=.*|[-+0-9.eE]+ deg(/s)?)\s*$"}
DEEPEST = 6
FIRST = ()
# Words that a key takes in place of a number, which the reader's sentence about the number does not tell.
UNTOLD = {"limit": ["file"]}
# A scene without faults, into which blocks are put.
START = {"carom": 1, "gravity": [0, 0, 0], "materials": [{"name": "m", "friction": 0}], "bodies": [{"name": "b", "mass": 1}],
         "method": {"stepper": "stewart-trinkle", "step": 0.1}, "duration": 1}


class Reader:
    """The scene reader of the program, asked through `carom run`."""

    def __init__(self, program, folder):
        self.program, self.folder, self.asked = program, folder, {}

    def faults(self, text):
        """[(line, column, sentence)] of a scene."""
        if text not in self.asked:
            file, path = tempfile.mkstemp(dir=self.folder, suffix=".yaml")
            with os.fdopen(file, "w") as out:
                out.write(text)
            done = subprocess.run([self.program, "run", path, "--no-record", "--check-step", "off"], capture_output=True, text=True,
                                  check=False)
            os.remove(path)
            found = re.findall(r"\.yaml:(\d+):(\d+): (.*)", done.stderr)
            self.asked[text] = [(int(line), int(column), sentence) for line, column, sentence in found]
        return self.asked[text]

    def block(self, path, entries):
        """Faults of a block that has these entries (key, value as YAML), by key (of its value) and of its keys (None)."""
        lines = ", ".join(f"\n  {json.dumps(key)}:\n   {value}" for key, value in entries)
        at = {2 + 2 * i: key for i, (key, _) in enumerate(entries)}
        found = {}
        for line, column, sentence in self.faults(embedded(path, "{" + lines + "\n }")):
            if line in at and column == 3:
                found.setdefault(None, []).append(sentence)
            elif line - 1 in at and column == 4:
                found.setdefault(at[line - 1], []).append(sentence)
        return found

    def keys(self, path, entries=()):
        """(name of the block, its keys) or None where any key may stand."""
        for sentence in self.block(path, [*entries, (STRANGER, "1")]).get(None, []):
            match = re.fullmatch(rf"unknown key '{STRANGER}' in (.*); the keys are: (.*)", sentence)
            if match:
                return match[1], match[2].split(", ")
        return None


def embedded(path, inner):
    """A scene with a text at a path of (key, entries beside it) and FIRST (the first entry of a list)."""
    marker = "@@"
    value = marker
    for step in reversed(path):
        value = [value] if step is FIRST else {**{key: other for key, other in step[1].items() if key != step[0]}, step[0]: value}
    before, after = json.dumps(value).split(f'"{marker}"')
    return before + inner + after  # what comes before the block is on the first line


def words_of(sentences):
    """The words that a sentence lists for the text it was given."""
    for sentence in sentences:
        match = re.fullmatch(rf"unknown .*'{STRANGER}'; there are: (.*)", sentence)
        if match:
            return match[1].split(", ")
    return None


def refusals(sentences):
    return [sentence for sentence in sentences if re.search(r"(must be|must have|takes) .*but is", sentence)]


def kinds(reader, path, keys, entries):
    """For each key: (kinds that it may have, words, sentence of what is right)."""
    others = [key for key in keys if key not in dict(entries)]
    answers = {kind: reader.block(path, [*entries, *((key, value) for key in others)]) for kind, value in PROBES.items()}
    alone = {}
    for key in keys:
        told = {kind: answers[kind].get(key, []) for kind in PROBES}
        # Keys that exclude one another are not read beside others.
        if key in dict(entries) or not any(refusals(each) for each in told.values()):
            beside = [entry for entry in entries if entry[0] != key]
            told = {kind: reader.block(path, [*beside, (key, value)]).get(key, []) for kind, value in PROBES.items()}
        allowed = {kind for kind in PROBES if not refusals(told[kind])}
        right = next((re.sub(r", but is .*", "", each[0]) for each in map(refusals, told.values()) if each), None)
        alone[key] = (allowed, words_of(told["string"]), right)
    return alone


def value_schema(allowed, words, right, untold=None):
    """A schema of one value of these kinds."""
    if right and " must be " in right:
        description = {"description": right}
    else:
        description = {}
    if words:
        return {**description, "enum": words} if allowed <= {"string", "number", "boolean"} else description
    if allowed == set(PROBES):
        return description
    if right and re.search(r"must be (a number|a whole number)", right) and "string" not in allowed:
        others = sorted(allowed - {"number"})
        number = {"type": ["number", *others] if others else "number"}
        return {**description, "anyOf": [number, FORMULA, *([{"enum": untold}] if untold else [])]}
    return {**description, "type": sorted(allowed)} if allowed else description


def block_schema(reader, path, definitions, depth=0):
    """The schema of the block at a path: a reference to its definition; None where the reader lists no keys.

    definitions: (name, keys) of a block -> (its name in the schema, its schema).
    """
    beside = [] if path else [("carom", "1")]
    known = reader.keys(path, beside)
    typed = known is None or "type" in known[1]
    words = words_of(reader.block(path, [("type", STRANGER)]).get("type", [])) if typed else None
    variants = {word: reader.keys(path, [("type", word)]) or known for word in words or []} or {None: known}
    if None in variants.values() or depth > DEEPEST:
        return None
    known = known or next(iter(variants.values()))
    # A block that was met elsewhere by the same name, with the same keys, is the same one.
    met = (known[0], str(variants))
    if met in definitions:
        return {"$ref": f"#/$defs/{definitions[met][0]}"}
    label = re.sub(r"^(an?|the|this) ", "", known[0] if not typed else path[-2 if path[-1] is FIRST else -1][0])
    every = list(dict.fromkeys(key for _, own in variants.values() for key in own))
    merged, nested = {}, {}
    for word, (_, own) in variants.items():
        entries = [("type", word)] if word else beside
        for key, (allowed, listed, right) in kinds(reader, path, own, entries).items():
            before = merged.get(key, (set(), listed, right))
            same = before[1] == listed
            merged[key] = (before[0] | allowed, listed if same else None, before[2] or right)
            step = (key, dict(entries) if path else START)
            for kind, steps in (("object", [step]), ("array", [step, FIRST])):
                if kind in allowed and (key, kind) not in nested:
                    nested[key, kind] = block_schema(reader, [*path, *steps], definitions, depth + 1)
    properties = {}
    for key in every:
        allowed, listed, right = merged.get(key, (set(PROBES), None, None))
        own = value_schema(allowed, listed, right, UNTOLD.get(key))
        if nested.get((key, "array")) and not (nested.get((key, "object")) or own.get("anyOf")):
            own["items"] = nested[key, "array"]
        if nested.get((key, "object")) and not nested.get((key, "array")):
            own["if"], own["then"] = {"type": "object"}, nested[key, "object"]
        properties[key] = own
    if words:
        properties["type"] = {"enum": words}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    rules = [{"if": {"properties": {"type": {"const": word}}, "required": ["type"]}, "then": {"propertyNames": {"enum": own}}}
             for word, (_, own) in variants.items() if word and set(own) != set(every)]
    if rules:
        schema["allOf"] = rules
    label = re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_")
    while label in (each for each, _ in definitions.values()):
        label += "_"
    definitions[met] = (label, schema)
    return {"$ref": f"#/$defs/{label}"}


def schema_of(program):
    with tempfile.TemporaryDirectory() as folder:
        definitions = {}
        root = block_schema(Reader(program, folder), [], definitions)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "A scene of Carom",
            "$ref": root["$ref"], "$defs": dict(sorted(definitions.values()))}


if __name__ == "__main__":
    print(json.dumps(schema_of(sys.argv[1]), indent=1, ensure_ascii=False))
