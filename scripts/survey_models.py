#!/usr/bin/env python3
"""Which model files of a folder Carom reads, and how they fall: a table by source and reason, in Markdown.

    scripts/survey_models.py FOLDER [--carom build/carom] [--until 2] [--timeout 120] [--list FILE.csv] [-- OPTIONS]

Every URDF, SDFormat and MJCF file below FOLDER is inspected; one that loads is dropped from 0.2 m and runs for two
seconds. A source is a folder directly in FOLDER. OPTIONS go to carom, for example --search-path. A file that another
one includes is not told apart: its own row says how it fares alone.
"""
import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOTS = {"robot": "URDF", "sdf": "SDFormat", "mujoco": "MJCF"}
ENDINGS = {".urdf", ".sdf", ".world", ".xml", ".mjcf"}


def kind_of(path):
    """The format by the root element, or None where it is none of the three."""
    try:
        head = path.read_text(encoding="utf-8", errors="replace")[:20000]
    except OSError:
        return None
    root = re.search(r"<([A-Za-z_][\w:.-]*)", re.sub(r"<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>]*>", "", head, flags=re.S))
    return ROOTS.get(root.group(1)) if root else None


def reason_of(message):
    """The first fault without its place, names and numbers, so that equal reasons are counted together."""
    lines = message.strip().splitlines()
    first = re.sub(r"^carom: ", "", lines[0]) if lines else "no message"
    first = re.sub(r"^\S+?:(\d+:)? ", "", first)
    first = re.sub(r'"[^"]*"|\'[^\']*\'', "…", first)
    return re.sub(r"[-+]?\d[\d.e+-]*", "#", first)[:110]


def survey(path, options):
    row = {"file": str(path), "format": kind_of(path) or "none", "outcome": "refused", "reason": "", "seconds": ""}
    command = [options.carom, "inspect", "--json", str(path), *options.rest]
    try:
        inspected = subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, check=False)
    except subprocess.TimeoutExpired:
        return row | {"reason": f"not read within {options.timeout} s"}
    if inspected.returncode != 0:
        return row | {"reason": reason_of(inspected.stderr)}
    common = ["--until", str(options.until), "--no-record", "--no-report", *options.rest]
    try:
        for start in (["--drop", "0.2"], []):  # nothing falls of a model that is fixed to the world
            run = subprocess.run([options.carom, "run", str(path), *start, *common], capture_output=True, text=True,
                                 timeout=options.timeout, check=False)
            if "nothing of" not in run.stderr:
                break
    except subprocess.TimeoutExpired:
        return row | {"outcome": "slow", "reason": f"not run within {options.timeout} s"}
    done = re.search(r"steps of \S+ s to (\S+) s in (\S+) s \((.*)\)", run.stdout)
    if not done:
        return row | {"outcome": "fails", "reason": reason_of(run.stderr)}
    row["seconds"] = f"{float(done[2]) / max(float(done[1]), 1e-9):.3g}"
    unsolved = re.search(r" status +(\d+) of (\d+)", run.stdout)
    if done[3] != "done" or (unsolved and int(unsolved[1]) > 0):
        return row | {"outcome": "unsolved", "reason": f"{unsolved[0].split(None, 1)[1]} steps" if unsolved else done[3]}
    suspect = re.search(r"LOOK HERE +(\S+)", run.stdout)
    return row | {"outcome": "look here" if suspect else "solved", "reason": suspect[1] if suspect else ""}


def median(values):
    return sorted(values)[len(values) // 2] if values else float("nan")


def table(rows, folder):
    outcomes = ["solved", "look here", "unsolved", "fails", "slow", "refused"]
    groups = collections.defaultdict(list)
    for row in rows:
        parts = pathlib.Path(row["file"]).relative_to(folder).parts
        groups[(parts[0] if len(parts) > 1 else ".", row["format"])].append(row)
    print("| source | format | files | " + " | ".join(outcomes) + " | s per simulated s, median |")
    print("| --- | --- |" + " ---: |" * (len(outcomes) + 2))
    for (source, form), group in [*sorted(groups.items()), (("all", ""), rows)]:
        counts = collections.Counter(row["outcome"] for row in group)
        took = median([float(row["seconds"]) for row in group if row["seconds"]])
        print(f"| {source} | {form} | {len(group)} | " + " | ".join(str(counts[o]) for o in outcomes) + f" | {took:.3g} |")
    reasons = collections.Counter((row["outcome"], row["reason"]) for row in rows if row["reason"])
    if reasons:
        print("\n| files | outcome | reason (of several the first) |\n| ---: | --- | --- |")
    for (outcome, reason), count in reasons.most_common():
        print(f"| {count} | {outcome} | {reason} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    here = pathlib.Path(__file__).resolve().parents[1] / "build" / "carom"
    parser.add_argument("--carom", default=str(here), help="the program, build/carom of this clone if left out")
    parser.add_argument("--until", type=float, default=2)
    parser.add_argument("--timeout", type=float, default=120, help="s, for reading and for running")
    parser.add_argument("--list", metavar="FILE.csv", help="a row per file as well")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    options.rest = arguments[split + 1:]
    if not options.folder.is_dir():
        parser.error(f"{options.folder} is no folder")
    if not shutil.which(options.carom):
        parser.error(f"there is no program {options.carom}; build it with make build, or name it with --carom")
    # Other XML files are nobody's model; what calls itself one and is none is refused, and counted.
    paths = sorted(path for path in options.folder.rglob("*")
                   if path.is_file() and path.suffix in ENDINGS and (path.suffix != ".xml" or kind_of(path)))
    if not paths:
        parser.error(f"{options.folder} holds no URDF, SDFormat or MJCF file")
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(lambda path: survey(path, options), paths))
    if options.list:
        with open(options.list, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
    table(rows, options.folder)


if __name__ == "__main__":
    main()
