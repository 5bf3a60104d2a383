#!/usr/bin/env python3
"""The cost of Python: steps and batches beside the same loops in C++, and MuJoCo's C loop.

    bench_python.py PATH_OF_bench_python_loops [--repeats 9] [--states 64] [--steps 1000]

Both languages take turns, and differences and ratios are of pairs. The program prints their median, the quartiles in
brackets, and the target. Times are processor times, which other programs disturb least. Only the gain by two threads is
measured by the wall clock, and needs an otherwise idle machine. Twice the processor time of one thread over that of two
is the gain that an idle machine can have.
"""

import argparse
import pathlib
import time

import carom
import numpy as np
from loops import Loops

SCENES = pathlib.Path(__file__).resolve().parents[1] / "scenes"


def start_of(scene, number):
    """As in bench_python_loops.cpp."""
    state = scene.initial
    state.v[6:] = [0.1 * ((31 * number + 17 * i) % 7) for i in range(6, len(state.v))]
    return state


def resting_box():
    scene = carom.load(SCENES / "sliding_box.yaml")
    simulation = scene.simulation()
    simulation.run_until(scene.duration)

    def take(steps):
        step = simulation.step
        start = time.process_time()
        for _ in range(steps):
            step()
        return time.process_time() - start

    return take


def tell(what, values, unit, wanted):
    low, middle, high = np.percentile(values, [25, 50, 75])
    print(f"{what:62} {middle:8.3f} {unit:5} ({low:.3f} to {high:.3f})   {wanted}", flush=True)


def overhead(loops, repeats):
    take, steps = resting_box(), 2000
    take(steps), loops.take("box", steps)
    pairs = np.array([(take(steps), loops.take("box", steps)) for _ in range(40 * repeats)]) / steps * 1e6
    tell("one step() of a resting box, in C++", pairs[:, 1], "us", "")
    tell("what it costs more from Python", pairs[:, 0] - pairs[:, 1], "us", "at most 1")


def rollouts(loops, repeats, states, steps):
    scene = carom.load(SCENES / "robots" / "humanoid_fall.yaml")
    starts = [start_of(scene, i) for i in range(states)]

    def take(threads):
        wall, processor = time.perf_counter(), time.process_time()
        carom.rollout(scene.model, scene.method, starts, steps=steps, threads=threads)
        return time.perf_counter() - wall, time.process_time() - processor

    rows = np.array([(*take(1), *take(2), loops.take("humanoids", states, steps, 2)) for _ in range(repeats)])
    wall_of_one, one, wall_of_two, two, of_loops = rows.T
    tell("the processor time of 1 thread over half of that of 2", 2 * one / two, "", "at least 1.8")
    one = one / (states * steps) * 1e6
    tell(f"rollout of {states} humanoids, {steps} steps, 2 threads, over C++", two / of_loops, "", "at most 1.03")
    tell("the same on 2 threads, times as fast as on 1", wall_of_one / wall_of_two, "", "at least 1.8")
    tell("a step of a humanoid", one, "us", "")
    mujoco = np.array([loops.take("mujoco", steps) for _ in range(repeats)]) / steps * 1e6
    if np.isnan(mujoco).all():
        print("MuJoCo was not found")
    else:
        tell("a step of MuJoCo's C loop", mujoco, "us", "")
        tell("a step of rollout over one of MuJoCo's", one / mujoco, "", "")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("loops")
    words.add_argument("--repeats", type=int, default=9)
    words.add_argument("--states", type=int, default=64)
    words.add_argument("--steps", type=int, default=1000)
    asked = words.parse_args()
    loops = Loops(asked.loops)
    overhead(loops, asked.repeats)
    rollouts(loops, asked.repeats, asked.states, asked.steps)


if __name__ == "__main__":
    main()
