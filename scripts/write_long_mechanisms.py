#!/usr/bin/env python3
"""Writes the gallery's scenes of long mechanisms, whose bodies are too many to write by hand.

    scripts/write_long_mechanisms.py [FOLDER] [--cells N] [--links N] [--side N]

FOLDER (scenes/gallery if left out) gets rope_ladder.yaml, falling_net.yaml and poured_chain.yaml. The numbers change
the cells of the ladder, the links of the chain and those of the net along either side. The scenes in the repository are
what it writes without arguments. To write others, copy one of the functions.
"""

import argparse
from pathlib import Path

HEAD = """{comment}
# Written by scripts/write_long_mechanisms.py.
carom: 1
name: {name}
gravity: [0, 0, -9.81]

materials:
  - {{name: all, friction: {friction}}}

world:
  shapes:
    - {{type: half-space, name: {surface}{normal}}}

"""


def rod(mass, length, radius, axis):
    """Inertia of a solid cylinder from the frame's origin along an axis, as far as `length` (which may be negative)."""
    across, along = mass * (3 * radius**2 + length**2) / 12, mass * radius**2 / 2
    moments = [along if k == axis else across for k in range(3)]
    center = [length / 2 if k == axis else 0 for k in range(3)]
    return f"mass: {mass:g}, center: {center}, moments: [{', '.join(f'{m:.6g}' for m in moments)}]"


def rope_ladder(cells):
    spacing, width, foot = 0.1, 0.3, 0.04
    text = HEAD.format(name="rope ladder", friction=0.4, surface="hull", normal=", normal: [1, 0, 0], point: [0, 0, 0]",
                       comment=f"""\
# A rope ladder of {cells} rungs hangs from a beam and swings against a hull, which the feet alone can touch: {cells} loops,
# two contacts. Each right-hand piece of rope hangs on the rung above it and is tied to the one below, so that
# every loop is closed within a few bodies.""")
    text += "bodies:\n  - {name: beam}\n"
    ropes = {"left": "", "right": ""}
    for i in range(1, cells + 1):
        feet = ", shapes: [{type: sphere, name: foot, radius: %g, position: [0, 0, %g]}]" % (foot, -spacing)
        feet = feet if i == cells else ""
        inertia = "&rope {%s}" % rod(0.05, -spacing, 0.01, 2) if i == 1 else "*rope"
        rung = "&rung {%s}" % rod(0.2, width, 0.012, 1) if i == 1 else "*rung"
        text += f"  - {{name: left{i}, inertia: {inertia}{feet}}}\n"
        text += f"  - {{name: rung{i}, inertia: {rung}}}\n  - {{name: right{i}, inertia: *rope{feet}}}\n"
    text += "\njoints:\n  - {name: bolts, type: fixed, parent: world, child: beam, on_parent: {position: [0.5, 0, %g]}}\n" % (
        cells * spacing + 1)
    for i in range(1, cells + 1):
        tilt = ", position: {axis: [0, 1, 0], angle: -6 deg}" if i == 1 else ""
        parent = f"left{i - 1}" if i > 1 else "beam"
        end = "&end {position: [0, 0, %g]}" % -spacing if i == 2 else "*end" if i > 1 else "{position: [0, 0, 0]}"
        text += (f"  - {{name: left{i}, type: spherical, parent: {parent}, child: left{i}, on_parent: {end}, damping: 1e-4{tilt}}}\n"
                 f"  - {{name: knot{i}, type: spherical, parent: left{i}, child: rung{i}, on_parent: {{position: [0, 0, {-spacing:g}]}}, damping: 1e-4}}\n"
                 f"  - {{name: right{i}, type: spherical, parent: {f'rung{i - 1}' if i > 1 else 'beam'}, child: right{i}, on_parent: {{position: [0, {width:g}, 0]}}, damping: 1e-4{tilt}}}\n")
    text += "\nconstraints:\n"
    for i in range(1, cells + 1):
        text += f"  - {{name: tie{i}, type: ball, a: right{i}, b: rung{i}, on_a: {{position: [0, 0, {-spacing:g}]}}, on_b: {{position: [0, {width:g}, 0]}}}}\n"
    return text + "\nmethod: {stepper: hybrid-dca, dynamics: divide-and-conquer, cone: exact, step: 0.002}\nduration: 3\nrecord: {every: 10}\n"


def falling_net(side):
    spacing, radius = 0.1, 0.01
    text = HEAD.format(name="falling net", friction=0.5, surface="floor", normal="",
                       comment=f"""\
# A net of {side} x {side} links falls on a floor. One link after the other makes the border, on which {side} ropes hang;
# what lies between neighbours is tied by rods without mass: {(side - 1) * side} loops. Every second knot
# has a bead, which touches the floor and no other bead.""")
    text = text.replace("name: floor", "name: floor, groups: [floor]")
    link = "&link {%s}" % rod(0.02, spacing, 0.006, 0)
    knot = "&knot {type: sphere, name: knot, radius: %g, position: [%g, 0, 0], groups: [net], collides_with: [floor]}" % (radius, spacing)
    text += "bodies:\n"
    for j in range(1, side):
        inertia = "&border {%s}" % rod(0.02, spacing, 0.006, 1) if j == 1 else "*border"
        start = ", position: [0, 0, 0.15], orientation: {axis: [1, -1, 0], angle: 4 deg}" if j == 1 else ""
        text += f"  - {{name: border{j}, inertia: {inertia}{start}}}\n"
    for j in range(side):
        for i in range(side):
            shapes = "" if (i + j) % 2 else f", shapes: [{'*knot' if i or j else knot}]"
            text += f"  - {{name: l{j}_{i}, inertia: {'*link' if i or j else link}{shapes}}}\n"
    text += "\njoints:\n"
    for j in range(side):
        if j > 1:
            text += f"  - {{name: border{j}, type: spherical, parent: border{j - 1}, child: border{j}, on_parent: {{position: [0, {spacing:g}, 0]}}, damping: 1e-4}}\n"
        on = f"parent: border{max(j, 1)}, child: l{j}_0, on_parent: {{position: [0, {spacing if j else 0:g}, 0]}}"
        text += f"  - {{name: l{j}_0, type: spherical, {on}, damping: 1e-4}}\n"
        for i in range(1, side):
            text += f"  - {{name: l{j}_{i}, type: spherical, parent: l{j}_{i - 1}, child: l{j}_{i}, on_parent: {{position: [{spacing:g}, 0, 0]}}, damping: 1e-4}}\n"
    text += "\nconstraints:\n"
    for j in range(1, side):
        for i in range(side):
            text += f"  - {{name: t{j}_{i}, type: rod, a: l{j - 1}_{i}, b: l{j}_{i}, on_a: {{position: [{spacing:g}, 0, 0]}}, on_b: {{position: [{spacing:g}, 0, 0]}}, length: {spacing:g}}}\n"
    return (text + "\ncollisions: {groups: [floor, net]}\n"
            "\nmethod: {stepper: hybrid-dca, dynamics: divide-and-conquer, cone: exact, step: 0.001}\nduration: 0.25\nrecord: {every: 5}\n")


def poured_chain(links):
    length, radius, speed = 0.02, 0.008, 2
    text = HEAD.format(name="poured chain", friction=0.3, surface="table", normal="",
                       comment=f"""\
# A chain of {links} links is let down on a table at {speed} m/s by a hand that holds its upper end, and piles up there.""")
    text += "bodies:\n  - {name: hand, mass: 1, shapes: [{type: sphere, radius: 0.02, collides_with: []}]}\n"
    for i in range(links):
        inertia, shapes = "*link", "*bead"
        if i == 0:
            inertia = "&link {%s}" % rod(0.02, -length, 0.004, 2)
            shapes = "&bead {type: sphere, name: bead, radius: %g, position: [0, 0, %g]}" % (radius, -length / 2)
        text += f"  - {{name: l{i}, inertia: {inertia}, shapes: [{shapes}]}}\n"
    height = links * length + 0.002
    text += f"\njoints:\n  - {{name: arm, type: prismatic, parent: world, child: hand, axis: [0, 0, 1], on_parent: {{position: [0, 0, {height:g}]}}, velocity: {-speed}}}\n"
    for i in range(links):
        parent = f"l{i - 1}" if i else "hand"
        end = "{position: [0, 0, 0]}" if i == 0 else "&end {position: [0, 0, %g]}" % -length if i == 1 else "*end"
        # The last links are bent aside, or nothing would make the chain buckle.
        bend = ", position: {axis: [1, 0.4, 0], angle: 8 deg}" if i >= links - 10 else ""
        text += f"  - {{name: j{i}, type: spherical, parent: {parent}, child: l{i}, on_parent: {end}, damping: 1e-4{bend}}}\n"
    return (text + f"\ndrives:\n  - {{name: lowering, type: motion, joint: arm, target: {{polynomial: [0, {-speed}]}}}}\n"
            # The weight of the chain makes its links stiff sideways, which asks for short steps.
            "\nmethod: {stepper: stewart-trinkle, dynamics: divide-and-conquer, cone: exact, step: 0.00025}\nduration: 0.6\nrecord: {every: 40}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent / "scenes" / "gallery")
    parser.add_argument("--cells", type=int, default=200)
    parser.add_argument("--links", type=int, default=1000)
    parser.add_argument("--side", type=int, default=20)
    options = parser.parse_args()
    for name, text in (("rope_ladder", rope_ladder(options.cells)), ("falling_net", falling_net(options.side)),
                       ("poured_chain", poured_chain(options.links))):
        (options.folder / f"{name}.yaml").write_text(text)


if __name__ == "__main__":
    main()
