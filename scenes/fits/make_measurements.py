#!/usr/bin/env python3
"""Writes the measurements that the fits in this folder are made to: make_measurements.py FOLDER

They are made up: throws of a solid ball by closed form (parabolas between instants of impact, Newton's restitution,
Coulomb's friction, which stops the slip or does not), as a phone at 60 frames a second would see them, with errors of 3 mm
drawn from a seed, and some frames in which the ball was not found. No line of Carom takes part.
"""
import math
import pathlib
import random
import sys

GRAVITY, RADIUS = 9.81, 0.03
RESTITUTION, FRICTION = 0.72, 0.35  # the truth that a fit is to find
RATE, NOISE = 60, 0.003


def throw(height, speed, rise, spin, times):
    """Places x, z (m) at the times (s). spin: about y, rad/s; a positive one rolls towards x."""
    x, z, t = 0.0, height, 0.0
    places = []
    for time in times:
        while True:
            flight = (rise + math.sqrt(rise * rise + 2 * GRAVITY * (z - RADIUS))) / GRAVITY
            if t + flight > time:
                break
            x, z, t = x + speed * flight, RADIUS, t + flight
            fall = GRAVITY * flight - rise
            slip = speed - spin * RADIUS
            # A solid sphere: an impulse p per mass takes 7/2 p from the slip.
            stops = abs(slip) * 2 / 7
            p = math.copysign(min(stops, FRICTION * (1 + RESTITUTION) * fall), slip)
            speed, spin, rise = speed - p, spin + 2.5 * p / RADIUS, RESTITUTION * fall
        since = time - t
        places.append((x + speed * since, z + rise * since - 0.5 * GRAVITY * since * since))
    return places


def rows(chance, duration, *start):
    """Lines time,x,z of one throw; where the ball was not found, cells are empty."""
    times = [i / RATE for i in range(int(duration * RATE))]
    for time, (x, z) in zip(times, throw(*start, times)):
        seen = chance.random() > 0.05
        x, z = x + chance.gauss(0, NOISE), z + chance.gauss(0, NOISE)
        yield f"{time:.5f},{x:.4f},{z:.4f}" if seen else f"{time:.5f},,"


def main(folder):
    chance = random.Random(7)
    one = ["# A ball filmed at 60 frames a second; made up by make_measurements.py", "time,x,z"]
    one += rows(chance, 1.2, 0.93, 1.6, 0.2, 0.0)
    (folder / "bouncing_ball.csv").write_text("\n".join(one) + "\n")
    several = ["# Throws with backspin, filmed at 60 frames a second; made up by make_measurements.py",
               "time,experiment,x,z"]
    for number, (height, speed, spin) in enumerate([(0.35, 2.1, -170.0), (0.42, 1.8, -190.0), (0.3, 2.4, -160.0),
                                                    (0.5, 1.5, -220.0), (0.38, 2.0, -180.0), (0.45, 2.2, -200.0)], 1):
        for row in rows(chance, 0.8, height, speed, 0.0, spin):
            time, rest = row.split(",", 1)
            several.append(f"{time},{number},{rest}")
    (folder / "spun_ball.csv").write_text("\n".join(several) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent))
