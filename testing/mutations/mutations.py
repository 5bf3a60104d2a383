"""Changed numbers of the papers' scenes: does `carom validate` notice?

A validation is worth as much as its power to fail. Every number in the scenes of a paper is changed, one at a time, by
10 % up and down and then by 50 %. The validation of the paper runs on the changed scenes. The change is noticed if an
entry fails
that passed before, or if the scene is refused. A number that no change makes anybody notice is *unseen*; `unseen.yaml` says of
each why nothing that the paper prints depends on it. Papers without a section there have yet to be gone through, by --paper.

    mutations.py CAROM_VALIDATE SCENES [--paper NAME ...] [--part K/N] [--journal FILE] [--write PAGE]

Prints a line for each number. Ends with status 1 if an unseen number has no reason, or a reason no unseen number. With
--part it takes every N-th number from the K-th on, and leaves reasons alone. Numbers in the journal are not run again,
so that a run of hours can be interrupted. With --write it writes the table of docs/validation/mutations.md.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

PAPERS = ("stewart2000", "uchida2015", "seghete2014", "chakraborty2007", "bhalerao2009")
CHANGES = (0.1, -0.1, 0.5, -0.5)
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
# Seconds that a validation on changed scenes may take: one that does not end is noticed.
PATIENCE = 1800


@dataclasses.dataclass(frozen=True)
class Number:
    """A number in a scene's text."""
    path: str      # where it stands: "bodies/ball 1/position/0"; of a formula's numbers "...#1" is the second
    start: int     # its characters in the text
    end: int
    value: float
    scale: float   # what the change of a zero is relative to: its list's largest number, or 1

    def changed(self, text, change):
        """The scene's text with the number grown by the share `change` of itself, a zero by that of its scale."""
        return text[:self.start] + repr(self.value * (1 + change) if self.value else change * self.scale) + text[self.end:]


def numbers(text):
    """All numbers of a scene, in their order. The format's version is none of them."""
    found, seen = [], set()

    def scalar(node, path, largest):
        anchor = re.match(r"(?:&\S+\s+)?", text[node.start_mark.index:])
        begin = node.start_mark.index + anchor.end()
        inside = text[begin:node.end_mark.index]
        whole = re.fullmatch(rf"\s*({NUMBER})(?:\s*[a-zA-Z°%/^0-9]+)?\s*", inside)
        formula = node.value.startswith("=")
        if not whole and not formula:
            return
        pattern = rf"(?<![\w.])(?:{NUMBER.replace('[-+]?', '', 1)})" if formula else NUMBER
        for count, match in enumerate(re.finditer(pattern, inside)):
            value = float(match[0])
            start = begin + match.start()
            found.append(Number(path + (f"#{count}" if formula else ""), start, start + len(match[0]), value,
                                largest or 1.0))
            if not formula:
                return

    def visit(node, path, largest=0.0):
        if id(node) in seen:  # a second place of an anchor
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value not in ("carom", "name"):
                    visit(value, f"{path}/{key.value}".lstrip("/"))
        elif isinstance(node, yaml.SequenceNode):
            largest = max((abs(float(item.value)) for item in node.value
                           if isinstance(item, yaml.ScalarNode) and re.fullmatch(NUMBER, item.value)), default=0.0)
            for index, item in enumerate(node.value):
                names = [v.value for k, v in item.value if k.value == "name"] if isinstance(item, yaml.MappingNode) else []
                visit(item, f"{path}/{names[0] if names else index}", largest)
        else:
            scalar(node, path, largest)

    visit(yaml.compose(text), "")
    return found


def validate(program, scenes, paper, seconds=None):
    """(names of the entries that fail, None), or (None, why there are no entries)."""
    with tempfile.TemporaryDirectory() as out:
        try:
            done = subprocess.run([program, "--scenes", scenes, "--out", out, "--json", paper], capture_output=True, text=True,
                                  timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, "does not end"
    if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
        said = (done.stderr.strip() or f"status {done.returncode}").splitlines()[-1]
        return None, re.sub(r"\S*/", "", said)[:100]
    entries = json.loads(done.stdout)["entries"]
    return [f"{entry['figure']}: {entry['quantity']}" for entry in entries if not entry["pass"]], None


@dataclasses.dataclass
class Outcome:
    paper: str
    scene: str
    number: Number
    change: float = 0  # the first that was noticed; 0 if none was
    by: str = ""       # what noticed it

    def key(self):
        return [self.paper, self.scene, self.number.path, self.number.value]


def mutate(program, scenes, paper, scene, number, seconds):
    """Outcome of the validation of `paper` when `number` in `scene` is changed."""
    outcome = Outcome(paper, scene.name, number)
    text = scene.read_text()
    with tempfile.TemporaryDirectory() as folder:
        for item in scenes.iterdir():
            if item.name != paper:
                (pathlib.Path(folder) / item.name).symlink_to(item)
        shutil.copytree(scenes / paper, pathlib.Path(folder) / paper)
        copy = pathlib.Path(folder) / paper / scene.name
        for change in CHANGES:
            copy.write_text(number.changed(text, change))
            failed, refused = validate(program, folder, paper, seconds)
            if failed or refused:
                return dataclasses.replace(outcome, change=change, by=failed[0] if failed else f"refused: {refused}")
    return outcome


UNSEEN = yaml.safe_load(pathlib.Path(__file__).with_name("unseen.yaml").read_text())


def papers_gone_through():
    """Papers whose numbers have all been changed once: those with a section in unseen.yaml."""
    return tuple(paper for paper in PAPERS if paper in UNSEEN)


def reasons():
    """[(paper, scene and path as a pattern, reason)] of the numbers on which nothing printed depends."""
    return [(paper, item["number"], item["reason"]) for paper, items in UNSEEN.items() for item in items]


def reason_of(outcome, known):
    for paper, pattern, reason in known:
        if paper == outcome.paper and re.fullmatch(pattern, f"{outcome.scene}:{outcome.number.path}"):
            return reason
    return None


def table(outcomes, known):
    """The text of docs/validation/mutations.md."""
    left = [paper for paper in PAPERS if not any(outcome.paper == paper for outcome in outcomes)]
    lines = ["# What a wrong number changes", "",
             "A validation is worth as much as its power to fail. For this page every number in the papers' scenes was changed, one",
             "at a time, by 10 % up and down and then by 50 %, and the validation of the paper was run on the changed scene. A change is",
             "noticed if an entry fails that passed before, or if the scene is refused. A zero is changed by a tenth, then half, of its",
             "list's largest number, or of 1. `make mutations` makes the page; `make test-long` holds it against the scenes.", "",
             *([f"Still to be gone through: {', '.join(left)}.", ""] if left else []),
             "| paper | numbers | noticed at 10 % | at 50 % | unseen |", "| --- | --- | --- | --- | --- |"]
    for paper in dict.fromkeys(outcome.paper for outcome in outcomes):
        of = [outcome for outcome in outcomes if outcome.paper == paper]
        sizes = [abs(outcome.change) for outcome in of]
        lines.append(f"| {paper} | {len(of)} | {sizes.count(0.1)} | {sizes.count(0.5)} | {sizes.count(0)} |")
    lines += ["", "## Numbers that nothing printed depends on", "", "| paper | scene | number | why |", "| --- | --- | --- | --- |"]
    grouped = {}
    for outcome in outcomes:
        if not outcome.change:
            key = (outcome.paper, outcome.scene, reason_of(outcome, known) or "**no reason is known**")
            grouped.setdefault(key, []).append(f"`{outcome.number.path}`")
    lines += [f"| {paper} | `{scene}` | {', '.join(paths)} | {reason} |" for (paper, scene, reason), paths in grouped.items()]
    lines += ["", "## Numbers that are noticed", "", "| paper | scene | number | value | change | what fails first |",
              "| --- | --- | --- | --- | --- | --- |"]
    for outcome in outcomes:
        if outcome.change:
            by = outcome.by.replace("|", "\\|")
            lines.append(f"| {outcome.paper} | `{outcome.scene}` | `{outcome.number.path}` | {outcome.number.value:g} | "
                         f"{outcome.change * 100:+g} % | {by} |")
    return "\n".join(lines) + "\n"


def run(program, scenes, papers, part=(0, 1), tell=print, journal=None):
    """[Outcome] of every number of the papers' scenes, or of a part of them."""
    outcomes = []
    done = {}
    if journal and journal.exists():
        for line in journal.read_text().splitlines():
            *key, change, by = json.loads(line)
            done[json.dumps(key)] = (change, by)

    def outcome_of(paper, scene, number):
        outcome = Outcome(paper, scene.name, number)
        known = done.get(json.dumps(outcome.key()))
        if known:
            return dataclasses.replace(outcome, change=known[0], by=known[1])
        outcome = mutate(program, scenes, paper, scene, number, PATIENCE)
        if journal:
            with journal.open("a") as file:
                file.write(json.dumps([*outcome.key(), outcome.change, outcome.by]) + "\n")
        return outcome

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for paper in papers:
            failed, refused = validate(program, scenes, paper)
            if failed or refused:
                raise SystemExit(f"{paper} fails on its own scenes: {failed or refused}")
            found = [(scene, number) for scene in sorted((scenes / paper).glob("*.yaml")) for number in numbers(scene.read_text())]
            going = [pool.submit(outcome_of, paper, scene, number) for scene, number in found[part[0]::part[1]]]
            for one in going:
                outcome = one.result()
                outcomes.append(outcome)
                told = f"{outcome.change * 100:+3.0f} %  {outcome.by}" if outcome.change else "UNSEEN"
                tell(f"{paper} {outcome.scene}:{outcome.number.path} = {outcome.number.value:g}  {told}")
    return outcomes


def faults(outcomes, known, whole):
    """Sentences on unseen numbers without a reason and, where all numbers were changed, reasons without an unseen number."""
    said = [f"no entry of {o.paper} notices {o.scene}:{o.number.path}, and unseen.yaml gives no reason"
            for o in outcomes if not o.change and not reason_of(o, known)]
    if whole:
        for paper, pattern, _ in known:
            if not any(o.paper == paper and not o.change and re.fullmatch(pattern, f"{o.scene}:{o.number.path}") for o in outcomes):
                said.append(f"unseen.yaml: '{pattern}' of {paper} is no unseen number")
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("scenes", type=pathlib.Path)
    parser.add_argument("--paper", action="append", choices=PAPERS)
    parser.add_argument("--part", default="0/1")
    parser.add_argument("--journal", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    part = tuple(map(int, options.part.split("/")))
    outcomes = run(options.program.resolve(), options.scenes.resolve(), options.paper or papers_gone_through(), part,
                   lambda line: print(line, flush=True), options.journal)
    known = [reason for reason in reasons() if not options.paper or reason[0] in options.paper]
    if options.write:
        options.write.write_text(table(outcomes, known))
    said = faults(outcomes, known, part == (0, 1))
    print("\n".join(said))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
