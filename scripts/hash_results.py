#!/usr/bin/env python3
"""A hash of the end of every scene, to the last bit: do two builds, or two machines, compute the same?

    scripts/hash_results.py [--carom build/carom] [--scenes scenes] [--beside OTHER_CAROM] [--check PAGE] [--write PAGE]
                            [--timeout 120] [--jobs N]

Every scene below a folder runs to its end. Its hash is the first 16 hexadecimal digits of SHA-256 over time, q and v
there, as little-endian doubles. With --beside another program runs it too. --write makes the page of the manual, and
--check holds the hashes against such a page: status 1, with the scenes named, if one differs or is not there. Scenes
that do not run alone, such as those that need measured data, are left out, and so are those that outlast the timeout.
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

ROW = re.compile(r"^\| `([^`]+)` \| (\d+) \| `([0-9a-f]{16})` \|")


def end_of(carom, scene, seconds):
    """(steps, hash) of a scene's run; (None, why there is none)."""
    words = [carom, "run", scene, "--no-record", "--check-step", "off", "--json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"takes more than {seconds:g} s"
    if not done.stdout.startswith("{"):
        return None, (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[0]
    run = json.loads(done.stdout)
    numbers = [run["time"], *run["state"]["q"], *run["state"]["v"]]
    if None in numbers:
        return None, "ends with numbers that are not finite"
    return run["steps"], hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()[:16]


def scenes_of(folder):
    return [path for path in sorted(folder.rglob("*.yaml")) if re.search(r"^carom:", path.read_text(), flags=re.M)]


def ends(carom, folder, scenes, seconds, jobs):
    """{scene: (steps, hash)} in the order of the scenes; reasons of the others are told."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda scene: end_of(carom, scene, seconds), scenes)
    told = {}
    for scene, (steps, said) in zip(scenes, found):
        name = scene.relative_to(folder).as_posix()
        if steps is None:
            print(f"left out: {name}: {said}", file=sys.stderr)
        else:
            told[name] = (steps, said)
    return told


def page(hashes, beside):
    """The text of docs/validation/hashes.md."""
    apart = [name for name in hashes if beside.get(name) != hashes[name]]
    lines = ["# Results to the last bit", "",
             "Equal input gives equal bits, on any number of threads, interrupted or not; tests hold every stepper to that. This page is",
             "about builds. Each scene of the repository ran to its end with a program that g++ 12 made and with one that clang++ 14 made, both",
             "with the project's own settings (`-O3`, no contraction of products and sums). The hash is of time, positions and velocities at",
             "the end (`scripts/hash_results.py` says how). `make hashes` makes the page.", "",
             "Another processor may have other hashes: sine, cosine and powers come from the C library, which takes other instructions on",
             "other processors, and may differ in the last bit.", "",
             f"Of {len(hashes)} scenes {len(hashes) - len(apart)} have the same bits with both compilers."
             + (" These have not:" if apart else ""), ""]
    lines += [f"- `{name}`" for name in apart]
    lines += [""] if apart else []
    lines += ["| scene | steps | hash, g++ | clang++ |", "| --- | --- | --- | --- |"]
    for name, (steps, digest) in hashes.items():
        other = beside.get(name)
        same = "the same" if other == (steps, digest) else f"`{other[1]}`" if other else "left out"
        lines.append(f"| `{name}` | {steps} | `{digest}` | {same} |")
    return "\n".join(lines) + "\n"


def faults(hashes, text):
    """Sentences on scenes whose hash is not the page's, or that the page lacks."""
    known = {match[1]: (int(match[2]), match[3]) for match in map(ROW.match, text.splitlines()) if match}
    said = [f"{name}: {digest} after {steps} steps; the page has "
            + (f"{known[name][1]} after {known[name][0]}" if name in known else "no such scene")
            for name, (steps, digest) in hashes.items() if known.get(name) != (steps, digest)]
    return said + [f"{name}: the page has it, and no such scene ran" for name in known if name not in hashes]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--carom", type=pathlib.Path, default=pathlib.Path("build/carom"))
    parser.add_argument("--scenes", type=pathlib.Path, default=pathlib.Path("scenes"))
    parser.add_argument("--beside", type=pathlib.Path)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.write and not options.beside:
        parser.error("--write wants --beside: the page shows two builds")
    scenes = scenes_of(options.scenes)

    def of(carom):
        return ends(carom.resolve(), options.scenes, scenes, options.timeout, options.jobs)

    hashes = of(options.carom)
    if options.write:
        options.write.write_text(page(hashes, of(options.beside)))
        return 0
    for name, (steps, digest) in hashes.items():
        print(f"{digest}  {steps:6}  {name}")
    said = faults(hashes, options.check.read_text()) if options.check else []
    if options.beside:
        other = of(options.beside)
        said += [f"{name}: {hashes.get(name)} and {other.get(name)}" for name in {**hashes, **other}
                 if hashes.get(name) != other.get(name)]
    print("\n".join(said), file=sys.stderr)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
