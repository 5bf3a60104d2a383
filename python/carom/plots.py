"""Plots of records by Matplotlib, in the colours and strokes of the pages: phase portraits, ground reactions, energies.

Each function draws into the axes that it is given, or new ones, and returns them. Matplotlib is loaded with this module.
"""

from __future__ import annotations

import re
from typing import Any, Sequence

import matplotlib.pyplot as plt  # type: ignore[import]
import numpy as np
from matplotlib.axes import Axes  # type: ignore[import]

from ._errors import Error
from ._records import Run

# Those of the pages on light paper (player/src/report.css, player/src/dashes.js), which a test compares.
COLORS = ("#2f6db3", "#c8702a", "#2f8f6b", "#a3456f", "#7a6bb8", "#8b7a1e", "#3a8fa6", "#6b6f76", "#8a5a2b", "#1f7a6d",
          "#6b6b1f")
DASHES = ((), (8, 4), (2, 3))
_CURVE_COLORS = 8
_MUTED, _GRID = "#676d75", "#ecedeb"
_WIDTH = 1.5

#: Lines of the energy ledger: column, name, colour, and the sign with which it adds to the energy, as pages have them.
_LEDGER = (("contact_work", "contacts", 1, 1), ("constraint_work", "constraints", 8, 1),
           ("opposed_work", "held against contacts", 6, 1), ("drive_work", "drives", 9, 1),
           ("joint_friction", "dry friction in joints", 10, 1), ("damping", "dampers", 3, -1),
           ("push_out", "pushing overlap out", 4, 1), ("projection", "projection", 5, 1),
           ("free_motion_error", "error of free motion", 7, 1))
_NEGLIGIBLE = 1e-9  # of the largest energy


def style(number: int, dash: int | None = None) -> dict[str, Any]:
    """Keywords of a line for the curve of this number: eight colours, then the same dashed, then dotted. With dash, 0
    to 2, the stroke is another than the number's."""
    stroke = number // _CURVE_COLORS if dash is None else dash
    pattern = DASHES[stroke % len(DASHES)]
    return {"color": COLORS[number % _CURVE_COLORS], "linewidth": _WIDTH,
            "linestyle": (0, tuple(length / _WIDTH for length in pattern)) if pattern else "solid"}


def phase_portrait(run: Run, *coordinates: str, rate: str | None = None, axes: Axes | None = None) -> Axes:
    """Rates over coordinates, a curve for each, with a dot where it starts. Coordinates are columns as `hip` or
    `ball.position.x`. The rate is the column over the only coordinate, if it is not its own rate. Raises Error for a
    column without one."""
    drawn, beside = (_figure(1)[0], True) if axes is None else (axes, False)
    axes = _prepared(drawn)
    for number, name in enumerate(coordinates):
        of = rate if rate is not None and len(coordinates) == 1 else _rate_of(run, name)
        values = run.values([name, of])
        axes.plot(values[name], values[of], label=name, **style(number))
        axes.plot(values[name][:1], values[of][:1], "o", color=COLORS[number % _CURVE_COLORS], markersize=4)
        axes.set_xlabel(_with_unit(run, name if len(coordinates) == 1 else "coordinate", name))
        axes.set_ylabel(_with_unit(run, of if len(coordinates) == 1 else "rate", of))
    if len(coordinates) > 1:
        _legend(axes, beside)
    return axes


def ground_reaction(run: Run, *parts: str | Sequence[str], filter_hz: float | None = None,
                    axes: Sequence[Axes] | None = None) -> tuple[Axes, Axes]:
    """Ground reaction force, and below it the centre of pressure, over time. Each body or collider has a colour, and so
    has a list of them, which is taken as one; z (up) is solid, x dashed, y dotted. For filter_hz see
    Run.ground_reaction. Raises Error as that does."""
    force, centre = (_prepared(each) for each in (_figure(2) if axes is None else axes))
    for number, given in enumerate(parts):
        reaction = run.ground_reaction(given, filter_hz=filter_hz)
        part = reaction.part
        for dash, axis in enumerate("zxy"):
            force.plot(reaction.time, reaction.force[:, "xyz".index(axis)], label=f"{part} {axis}", **style(number, dash))
        for dash, axis in enumerate("xy", start=1):
            centre.plot(reaction.time, reaction.centre_of_pressure[:, "xyz".index(axis)], label=f"{part} {axis}",
                        **style(number, dash))
    force.set_ylabel("force, N")
    centre.set_ylabel("centre of pressure, m")
    centre.set_xlabel("time, s")
    _legend(force, axes is None)
    _legend(centre, axes is None)
    return force, centre


def energy_ledger(run: Run, axes: Sequence[Axes] | None = None) -> tuple[Axes, Axes]:
    """Kinetic, potential and total energy over time, and below them what each line of the ledger has given to the total
    since the start, J. A line that is zero throughout is not drawn."""
    energies, given = (_prepared(each) for each in (_figure(2) if axes is None else axes))
    names = ["kinetic", "potential", *(name for name, _, _, _ in _LEDGER)]
    columns = run.values(["time", *(f"energy.{name}" for name in names)])
    time = columns["time"]
    values = {name: columns[f"energy.{name}"] for name in names}
    values["total"] = values["kinetic"] + values["potential"]
    for name, color in (("kinetic", 0), ("potential", 2), ("total", 7)):
        energies.plot(time, values[name], label=name, color=COLORS[color], linewidth=_WIDTH)
    least = _NEGLIGIBLE * max(float(np.max(np.abs(each), initial=0.0)) for each in values.values())
    for name, label, color, sign in _LEDGER:
        if np.max(np.abs(values[name]), initial=0.0) > least:
            given.plot(time, sign * values[name], label=label, color=COLORS[color], linewidth=_WIDTH)
    energies.set_ylabel("energy, J")
    given.set_ylabel("given since the start, J")
    given.set_xlabel("time, s")
    _legend(energies, axes is None)
    _legend(given, axes is None)
    return energies, given


def _figure(rows: int) -> Sequence[Axes]:
    """Axes above one another, in a figure that makes room for legends beside them."""
    made: Sequence[Axes] = plt.subplots(rows, 1, sharex=True, squeeze=False, layout="constrained")[1][:, 0]
    return made


def _prepared(axes: Axes) -> Axes:
    """Axes with the pages' grid and frame."""
    axes.grid(True, color=_GRID, linewidth=1)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=_MUTED)
    for side in axes.spines.values():
        side.set_visible(False)
    return axes


def _legend(axes: Axes, beside: bool) -> None:
    """A legend beside the curves. Within axes that were given, whose surroundings are unknown, it is where it covers least."""
    if axes.get_legend_handles_labels()[0]:
        place = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)} if beside else {"loc": "best"}
        axes.legend(frameon=False, fontsize="small", **place)


def _with_unit(run: Run, text: str, column: str) -> str:
    return f"{text}, {run.unit(column)}"


def _rate_of(run: Run, name: str) -> str:
    """Column of a coordinate's rate. For a free body, `ball.position.x` has one; `ball.x` has none, since velocities of
    free joints are told in the body's axes."""
    guesses = [f"{name}.rate", f"{name}.speed"]
    for coordinate, rate in ((r"\.angle(_[xy])?$", r".rate\1"), (r"\.displacement$", ".speed"), (r"\.position\.(.)$", r".velocity.\1")):
        if re.search(coordinate, name):
            guesses.append(re.sub(coordinate, rate, name))
    for guess in guesses:
        if guess in run:
            return guess
    raise Error(f"{run.path}: '{name}' has no rate of its own; say which by rate=…")
