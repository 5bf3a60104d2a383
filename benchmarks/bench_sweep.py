#!/usr/bin/env python3
"""The cost of many runs: `carom sweep` as a user starts it, beside its simulations alone, and throws in MuJoCo's C library.

    bench_sweep.py PATH_OF_carom PATH_OF_bench_sweep_loops [--tosses 1000 100000] [--threads 2] [--repeats 3]

A table has a line for 400 runs of a crank and for each number of tosses of a cube. The sweep has all that it does: it
reads study and scenes, keeps its journal, and writes its tables. Times are processor times of all threads, which other
programs disturb least. Above 1000 tosses the simulations alone are those of the first 1000, taken as often. Both take
turns; the line has medians, but a sweep of more than 10000 tosses runs once.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

from loops import Loops

SCENES = pathlib.Path(__file__).resolve().parents[1] / "scenes"
CRANK = """
scene: {scenes}/mechanisms/driven_crank.yaml
vary:
  friction: {{at: joints/bore/friction, from: 1, to: 8, count: 20}}
  stiffness: {{at: joints/bore/spring/stiffness, from: 100, to: 400, count: 20}}
outputs:
  torque: max(abs(shaft.torque))
"""
TOSS = """
scene: {scenes}/cube_toss.yaml
runs: {runs}
seed: 1
vary:
  speed: {{at: bodies/cube/velocity/0, normal: [0.9, 0.1]}}
  roll: {{at: bodies/cube/orientation/roll_pitch_yaw/0, uniform: [0 deg, 360 deg]}}
  pitch: {{at: bodies/cube/orientation/roll_pitch_yaw/1, uniform: [0 deg, 360 deg]}}
outputs:
  place: cube.position
"""
OWN = 1000  # cases whose simulations are run alone


def swept(program, study, threads):
    """Wall and processor time of the command, s."""
    with tempfile.TemporaryDirectory() as folder:
        before, start = os.times(), time.perf_counter()
        subprocess.run([program, "sweep", study, "--threads", str(threads), "--no-page", "--out", f"{folder}/table.csv"],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall, after = time.perf_counter() - start, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def line_of(name, study, cases, asked, loops):
    alone = min(cases, OWN)
    rows = []
    for _ in range(1 if cases > 10 * OWN else asked.repeats):
        own = loops.take("own", study, alone, asked.threads)
        wall, processor = swept(asked.carom, study, asked.threads)
        own = (own + loops.take("own", study, alone, asked.threads)) / 2  # before and after
        mujoco = loops.take("mujoco", study, alone, asked.threads) if name == "tosses" else float("nan")
        rows.append((wall, processor, own * cases / alone, mujoco * cases / alone))
    wall, processor, own, mujoco = (statistics.median(column) for column in zip(*rows))
    print(f"{cases:7d} {name:8}{wall:10.1f}{processor:14.1f}{own:14.1f}{processor / own:10.2f}{mujoco:12.1f}{own / mujoco:10.1f}",
          flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("carom")
    words.add_argument("loops")
    words.add_argument("--tosses", type=int, nargs="*", default=[1000, 100000])
    words.add_argument("--threads", type=int, default=2)
    words.add_argument("--repeats", type=int, default=3)
    asked = words.parse_args()
    loops = Loops(asked.loops)
    print(f"{'':16}{'wall, s':>10}{'processor, s':>14}{'its own, s':>14}{'ratio':>10}{'MuJoCo, s':>12}{'of it':>10}")
    with tempfile.TemporaryDirectory() as folder:
        study = pathlib.Path(folder) / "study.yaml"
        study.write_text(CRANK.format(scenes=SCENES))
        line_of("cranks", study, 400, asked, loops)
        for tosses in asked.tosses:
            study.write_text(TOSS.format(scenes=SCENES, runs=tosses))
            line_of("tosses", study, tosses, asked, loops)


if __name__ == "__main__":
    main()
