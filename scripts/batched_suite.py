#!/usr/bin/env python3
"""Runs the suite of a build with many tests of GoogleTest in one process.

    scripts/batched_suite.py BUILD [--jobs N] [--without-labels REGEX] [--leave-out FILE] [--slowest N]

ctest starts a process per test. Under sanitizers a program takes up to half a second to start, which is longer than most tests run.
FILE holds patterns of test names as ctest has them, one a line; lines with # are comments. Tests of other kinds are left to ctest.
After a crash the tests that follow in its batch run in a new process. Fails if any test fails.
"""

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BATCH = 40
FILTER = "--gtest_filter="
OUTCOME = re.compile(r"^\[ +(OK|SKIPPED|FAILED) +\] (\S+?)(?:, where .*)? \((\d+) ms\)$", re.MULTILINE)


def known_tests(build, without_labels):
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    if without_labels:
        command += ["-LE", without_labels]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["tests"]


def is_googletest(test):
    return any(argument.startswith(FILTER) for argument in test["command"])


def property_of(test, name, default):
    return next((p["value"] for p in test.get("properties", []) if p["name"] == name), default)


class Batch:
    """Tests of one program, by the names that GoogleTest has for them."""

    def __init__(self, room, program, tests, folder, timeout):
        self.room, self.program, self.tests, self.folder = room, program, tests, folder
        self.timeout = timeout  # s, of one test

    def run_once(self, tests):
        """Outcome and milliseconds by test, what was printed, and whether the process ended well."""
        command = [self.program, FILTER + ":".join(tests), "--gtest_color=no"]
        try:
            run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, errors="replace", timeout=self.timeout * len(tests))
            text, well = run.stdout + run.stderr, run.returncode == 0
        except subprocess.TimeoutExpired as late:
            printed = b"".join(part or b"" for part in (late.stdout, late.stderr)).decode(errors="replace")
            well, text = False, f"{printed}\nstopped after {late.timeout:g} s"
        return {name: (outcome, int(time)) for outcome, name, time in OUTCOME.findall(text)}, text, well

    def run(self):
        """[(test, outcome, milliseconds)] and the texts of processes in which one failed."""
        found, texts, left = {}, [], list(self.tests)
        while left:
            outcomes, text, well = self.run_once(left)
            found.update(outcomes)
            missing = [test for test in left if test not in outcomes]
            if missing:
                found[missing[0]] = ("FAILED", 0)  # it ended the process
            elif not well and not any(outcome == "FAILED" for outcome, _ in outcomes.values()):
                found[left[-1]] = ("FAILED", 0)  # the process as a whole failed: a leak, say
            if not well:
                texts.append(text)
            left = missing[1:]
        return [(f"{self.room}:{test}", *found[test]) for test in self.tests], texts


def batches_of(tests):
    programs = defaultdict(list)
    for test in tests:
        programs[test["command"][0]].append(test)
    batches = []
    for program, own in programs.items():
        room = own[0]["name"].split(":")[0]
        folder, timeout = property_of(own[0], "WORKING_DIRECTORY", None), property_of(own[0], "TIMEOUT", 600)
        names = [next(a for a in test["command"] if a.startswith(FILTER))[len(FILTER):] for test in own]
        batches += [Batch(room, program, names[i:i + BATCH], folder, timeout) for i in range(0, len(names), BATCH)]
    return batches


def run_batches(batches, jobs):
    results = []
    with ThreadPoolExecutor(jobs) as pool:
        for done, (outcomes, texts) in enumerate(pool.map(Batch.run, batches), 1):
            results += outcomes
            print(f"{done}/{len(batches)} {outcomes[0][0]} and {len(outcomes) - 1} more: "
                  f"{sum(time for _, _, time in outcomes) / 1000:.1f} s", flush=True)
            for text in texts:
                print(text, flush=True)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without-labels", default="")
    parser.add_argument("--leave-out", type=Path, help="file of patterns of names")
    parser.add_argument("--slowest", type=int, default=10, help="tests to name at the end")
    options = parser.parse_args()

    lines = options.leave_out.read_text().splitlines() if options.leave_out else []
    patterns = [line for line in lines if line and not line.startswith("#")]
    left_out = re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None
    tests = [test for test in known_tests(options.build, options.without_labels)
             if not (left_out and left_out.search(test["name"]))]
    if not tests or not all(test.get("command") for test in tests):
        sys.exit(f"batched_suite.py: not all tests of {options.build} are built; build them first")
    results = run_batches(batches_of([test for test in tests if is_googletest(test)]), options.jobs)

    others = [re.escape(test["name"]) for test in tests if not is_googletest(test)]
    rest = 0
    if others:
        rest = subprocess.run(["ctest", "--test-dir", options.build, "-j", str(options.jobs), "--output-on-failure",
                               "-R", "^(" + "|".join(others) + ")$"]).returncode
    for name, _, time in sorted(results, key=lambda result: -result[2])[:options.slowest]:
        print(f"{time / 1000:8.1f} s {name}")
    failed = [name for name, outcome, _ in results if outcome == "FAILED"]
    skipped = sum(outcome == "SKIPPED" for _, outcome, _ in results)
    print(f"{len(results) - len(failed)} of {len(results)} tests of GoogleTest passed, {skipped} of them skipped; "
          f"{len(others)} other tests {'failed' if rest else 'passed'}")
    for name in failed:
        print("failed:", name)
    sys.exit(1 if failed or rest else 0)


if __name__ == "__main__":
    main()
