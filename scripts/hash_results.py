#!/usr/bin/env python3
"""A hash of the end of every scene, to the last bit: do two builds, or two machines, compute the same?

    scripts/hash_results.py [--carom build/carom] [--scenes scenes] [--beside OTHER_CAROM] [--timeout 120] [--jobs N]
                            [--write PAGE --compilers NAME OTHER_NAME]

Every scene below a folder that runs alone runs to its end. Its hash is the first 16 hexadecimal digits of SHA-256 over
time, q and v there, as little-endian doubles. With --beside another program runs it too: the status is 1 if one ends
otherwise, and the scenes are named. With --write the hashes of both make the page of the manual.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import struct
import subprocess
import sys


def end_of(carom, scene, seconds):
    """(steps, hash) of a scene's run; (None, why there is none)."""
    words = [carom, "run", scene, "--no-record", "--check-step", "off", "--json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"takes more than {seconds:g} s"
    if not done.stdout.startswith("{"):
        said = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0]
        return None, re.sub(r"^carom: (\S+:\d+:\d+: )?|;.*", "", said)  # a place is that of this machine
    run = json.loads(done.stdout)
    numbers = [run["time"], *run["state"]["q"], *run["state"]["v"]]
    if None in numbers:
        return None, "ends with numbers that are not finite"
    return run["steps"], hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()[:16]


def scenes_of(folder):
    return [path for path in sorted(folder.rglob("*.yaml")) if re.search(r"^carom:", path.read_text(), flags=re.M)]


def ends(carom, folder, scenes, seconds, jobs):
    """({scene: (steps, hash)} in the order of the scenes, {scene: why it has none})."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(lambda scene: end_of(carom, scene, seconds), scenes))
    names = [scene.relative_to(folder).as_posix() for scene in scenes]
    hashes = {name: end for name, end in zip(names, found) if end[0] is not None}
    return hashes, {name: said for name, (steps, said) in zip(names, found) if steps is None}


def page(hashes, beside, left_out, compilers):
    """The text of docs/validation/hashes.md."""
    apart = [name for name in hashes if beside.get(name) != hashes[name]]
    lines = ["# Results to the last bit", "",
             "Equal input gives equal bits, on any number of threads, interrupted or not; tests hold every stepper to that. This page is",
             f"about builds. The scenes of the repository that run alone ran to their ends with a program that {compilers[0]} made and",
             f"with one that {compilers[1]} made, both with the project's own settings (`-O3`, no contraction of products and sums). A hash is",
             "of time, positions and velocities at the end (`scripts/hash_results.py` says how). `make hashes` makes the page.", "",
             "Another processor may have other hashes: sine, cosine and powers come from the C library, which takes other instructions on",
             "other processors, and may differ in the last bit.", "",
             f"Of {len(hashes)} scenes {len(hashes) - len(apart)} have the same bits with both compilers."
             + (" These have not:" if apart else ""), ""]
    lines += [f"- `{name}`" for name in apart]
    lines += [""] if apart else []
    lines += [f"| scene | steps | {compilers[0]} | {compilers[1]} |", "| --- | --- | --- | --- |"]
    for name, (steps, digest) in hashes.items():
        other = beside.get(name)
        same = "the same" if other == (steps, digest) else f"`{other[1]}`" if other else "none"
        lines.append(f"| `{name}` | {steps} | `{digest}` | {same} |")
    if left_out:
        lines += ["", "Left out:", "", *(f"- `{name}`: {why}" for name, why in left_out.items())]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carom", type=pathlib.Path, default=pathlib.Path("build/carom"))
    parser.add_argument("--scenes", type=pathlib.Path, default=pathlib.Path("scenes"))
    parser.add_argument("--beside", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--compilers", nargs=2, metavar=("NAME", "OTHER_NAME"))
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.write and not (options.beside and options.compilers):
        parser.error("--write wants --beside and --compilers: the page shows two builds")
    scenes = scenes_of(options.scenes)

    def of(carom):
        return ends(carom.resolve(), options.scenes, scenes, options.timeout, options.jobs)

    hashes, left_out = of(options.carom)
    beside = of(options.beside)[0] if options.beside else hashes
    if options.write:
        options.write.write_text(page(hashes, beside, left_out, options.compilers))
    for name, (steps, digest) in hashes.items():
        print(f"{digest}  {steps:6}  {name}")
    said = [f"{name} is left out: {why}" for name, why in left_out.items()]
    apart = [f"{name}: {hashes.get(name)} and {beside.get(name)}" for name in {**hashes, **beside}
             if hashes.get(name) != beside.get(name)]
    print("\n".join(said + apart), file=sys.stderr)
    return 1 if apart and not options.write else 0


if __name__ == "__main__":
    sys.exit(main())
