"""Plots: what they draw is what the record holds, in the colours and strokes of the pages."""

import re

import carom
import matplotlib
import numpy as np
import pytest
from conftest import ROOT, pendulum

matplotlib.use("Agg")
from carom import plots  # noqa: E402
from matplotlib import colors  # noqa: E402


@pytest.fixture(autouse=True)
def closed():
    yield
    plots.plt.close("all")


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    return carom.run(ROOT / "scenes" / "bouncing_ball.yaml", tmp_path_factory.mktemp("ball") / "ball.h5", duration=0.7)


def line(axes, label):
    lines = [each for each in axes.get_lines() if each.get_label() == label]
    assert len(lines) == 1, (label, [each.get_label() for each in axes.get_lines()])
    return lines[0]


def test_colours_and_strokes_are_those_of_the_pages():
    css = (ROOT / "player" / "src" / "report.css").read_text()
    light = css[:css.index("prefers-color-scheme: dark")]
    found = dict(re.findall(r"--c(\d+): (#[0-9a-f]{6});", light))
    assert plots.COLORS == tuple(found[str(i)] for i in range(len(found)))
    patterns = re.findall(r"pattern: \[([\d, ]*)\]", (ROOT / "player" / "src" / "dashes.js").read_text())
    assert plots.DASHES == tuple(tuple(int(each) for each in re.findall(r"\d+", text)) for text in patterns)
    looks = [(plots.style(i)["color"], str(plots.style(i)["linestyle"])) for i in range(24)]
    assert len(set(looks)) == 24 and plots.style(24) == plots.style(0)


def test_a_phase_portrait_of_a_pendulum(tmp_path):
    model = pendulum()
    scene = carom.built_scene("pendulum", model, carom.Method(stepper="event-driven", law="plus", step=1e-2),
                              carom.State([0.3], [0.0]), 1)
    run = carom.run(scene, tmp_path / "pendulum.h5")
    axes = plots.phase_portrait(run, "hinge")
    x, y = line(axes, "hinge").get_data()
    assert np.array_equal(x, run["hinge"]) and np.array_equal(y, run["hinge.rate"])
    # A pendulum without friction draws a curve of equal energy.
    energy = y**2 / 2 - 9.81 / 0.7 * np.cos(x)
    assert np.ptp(energy) < 1e-6 * np.max(np.abs(energy))
    assert axes.get_xlabel() == "hinge, rad" and axes.get_ylabel() == "hinge.rate, rad/s"
    with pytest.raises(carom.Error, match="rate="):
        plots.phase_portrait(run, "energy.kinetic")


def test_ground_reactions_over_time(ball):
    force, centre = plots.ground_reaction(ball, "ball")
    reaction = ball.ground_reaction("ball")
    for i, axis in enumerate("xyz"):
        time, values = line(force, f"ball {axis}").get_data()
        assert np.array_equal(time, ball.time) and np.array_equal(values, reaction.force[:, i], equal_nan=True)
    assert np.array_equal(line(centre, "ball x").get_ydata(), reaction.centre_of_pressure[:, 0], equal_nan=True)
    assert line(force, "ball z").get_linestyle() == "-" and line(force, "ball x").get_linestyle() == "--"
    assert {each.get_color() for each in force.get_lines()} == {plots.COLORS[0]}
    given = plots.plt.subplots(1, 2)[1]
    assert list(plots.ground_reaction(ball, "ball", axes=given)) == list(given)


def test_energies_of_a_bouncing_ball(ball):
    energies, given = plots.energy_ledger(ball)
    total = line(energies, "total").get_ydata()
    assert np.allclose(line(energies, "kinetic").get_ydata() + line(energies, "potential").get_ydata(), total)
    # The ledger's lines add up to what the total has changed by.
    lines = given.get_lines()
    assert np.allclose(sum(each.get_ydata() for each in lines), total - total[0], atol=1e-9 * np.max(total))
    contacts = line(given, "contacts")
    assert contacts.get_color() == plots.COLORS[1] and contacts.get_ydata()[-1] < 0
    assert not any(each.get_label() == "drives" for each in lines)


def test_legends_lie_beside_the_curves(ball):
    """Within the figure, and right of the axes that hold the curves."""
    for several in (plots.ground_reaction(ball, "ball", "world"), plots.energy_ledger(ball),
                    [plots.phase_portrait(ball, "ball.position.x", "ball.position.z")]):
        figure = several[0].figure
        figure.canvas.draw()
        for axes in several:
            legend, curves = axes.get_legend().get_window_extent(), axes.get_window_extent()
            assert legend.x0 >= curves.x1 and legend.x1 <= figure.bbox.x1 and legend.y0 >= figure.bbox.y0
            assert curves.width > figure.bbox.width / 3


def test_a_list_of_parts_is_one_curve(ball):
    force, _ = plots.ground_reaction(ball, ["ball"])
    assert np.array_equal(line(force, "ball z").get_ydata(), ball.ground_reaction("ball").normal, equal_nan=True)


def test_axes_that_are_given_are_drawn_into(ball):
    axes = plots.plt.subplots()[1]
    assert plots.phase_portrait(ball, "ball.position.z", axes=axes) is axes
    assert np.array_equal(line(axes, "ball.position.z").get_ydata(), ball["ball.velocity.z"])
    assert colors.to_hex(axes.get_lines()[0].get_color()) == plots.COLORS[0]
