"""Live columns of a simulation, and what may be asked of it between steps."""

import carom
import numpy as np
import pytest
from conftest import box_on_ground, pendulum, steps

METHOD = carom.Method(step=1e-3, cone="exact")


def test_live_columns_are_those_of_a_record(scenes, tmp_path):
    scene = carom.load(scenes / "cube_toss.yaml", duration=0.4)
    run = carom.run(scene, tmp_path / "toss.h5")
    simulation = scene.simulation()
    columns = simulation.columns
    assert list(columns) == run.columns
    heights, forces = [columns["cube.position.z"]], [columns["cube/box.force"]]
    for _ in range(scene.steps):
        simulation.step()
        heights.append(columns["cube.position.z"])
        forces.append(columns["cube/box.force"])
    assert np.array_equal(heights, run["cube.position.z"])
    assert np.array_equal(forces, run.vector("cube/box.force"), equal_nan=True)
    assert "cube/box.force.x" in columns and "cube/box.forze.x" not in columns and len(columns) == len(columns.keys())
    for ask in (columns.__getitem__, columns.number, columns.numbers):
        with pytest.raises(KeyError, match="near it are cube/box.force") as caught:
            ask("cube/box.forze.x")
        assert isinstance(caught.value, carom.UnknownName)


def test_columns_outlive_what_made_them():
    model, state = box_on_ground()
    simulation = carom.Simulation(model, METHOD, state)
    columns = simulation.columns
    simulation.step()
    del simulation
    assert columns["box.force"] == pytest.approx([0, 0, 2 * 9.81], rel=1e-9, abs=1e-9)


def test_formulas_are_watched():
    model = pendulum(length=0.7)
    simulation = carom.Simulation(model, METHOD, carom.State([0.3], [0.0]))
    simulation.watch({"fastest": "max(abs(hinge.rate))", "twice": "2 * hinge"})
    fastest = 0
    for _ in range(50):
        simulation.step()
        fastest = max(fastest, abs(simulation.v[0]))
    assert simulation.columns["fastest"] == fastest > 0
    assert simulation.columns["twice"] == 2 * simulation.q[0]
    with pytest.raises(carom.Error, match="hinge.rat"):
        simulation.watch({"wrong": "hinge.rat"})
    simulation.watch({"half": "hinge / 2"})
    simulation.step()
    assert simulation.columns["half"] == simulation.q[0] / 2
    assert simulation.columns["twice"] == 2 * simulation.q[0], "those watched before stay"


def test_between_steps_a_simulation_may_be_looked_at():
    model = pendulum()
    simulation = carom.Simulation(model, METHOD, carom.State([0.3], [0.0]))
    seen = []

    def look(report):
        seen.append((simulation.time, simulation.q[0], simulation.report.step, simulation.potential_energy,
                     simulation.columns["hinge"]))
        with pytest.raises(carom.Error, match="may look at the simulation, but not advance it"):
            simulation.step()
        if report.step == 5:
            simulation.push_joint("hinge", [0.2], 1e-3)

    assert simulation.run_until(0.01, look) == 10
    assert [each[2] for each in seen] == list(range(1, 11)) and seen[-1][0] == pytest.approx(0.01)
    for _, q, _, energy, column in seen:
        assert energy == pytest.approx(-1.3 * 9.81 * 0.7 * np.cos(q)) and column == q
    calm = carom.Simulation(model, METHOD, carom.State([0.3], [0.0]))
    calm.run_until(0.01)
    assert calm.v[0] != simulation.v[0]


def test_a_fault_between_steps_is_raised_and_the_run_goes_on():
    simulation = carom.Simulation(pendulum(), METHOD, carom.State([0.3], [0.0]))

    def fails(report):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        simulation.run_until(0.01, fails)
    assert simulation.time == pytest.approx(1e-3)
    steps(simulation, 2)
    assert simulation.time == pytest.approx(3e-3)


def test_forces_that_are_no_numbers_are_named():
    model, state = box_on_ground()
    simulation = carom.Simulation(model, METHOD, state)
    simulation.tau[4] = np.nan
    with pytest.raises(carom.Error, match=rf"^tau\[4\], of {model.velocity_names[4]}, is -?nan"):
        simulation.step()
    simulation.tau[4] = 0
    simulation.set_controller(lambda model, state, force: [0, 0, np.inf, 0, 0, 0])
    with pytest.raises(carom.Error, match=r"^the controller's force\[2\], of .* is inf"):
        simulation.step()
    simulation.set_controller(lambda model, state, force: "much")
    with pytest.raises(TypeError, match="what the controller returns: right is an array of forces, or None, and it is 'much'"):
        simulation.step()
    simulation.set_controller(None)
    simulation.step()


def test_arguments_of_another_type_are_type_errors(scenes):
    model, state = box_on_ground()
    for call, sentence in (
            (lambda: carom.load(scenes / "sliding_box.yaml", step="long"), "step: right is a number, and it is 'long'"),
            (lambda: carom.load(scenes / "sliding_box.yaml", parameters=[1]), "parameters: right is a dict"),
            (lambda: carom.rollout(model, METHOD, [state, 3], steps=1), r"states\[1\]: right is a State, and it is 3"),
            (lambda: carom.rollout("box", METHOD, state, steps=1), r"model\[0\]: right is a Model|model: right is a Model"),
            (lambda: carom.Method(step="short"), "Method: step can't be 'short'"),
            (lambda: model.joints(3), "a pattern of names"),
            (lambda: carom.State(["a"], [0]), "incompatible")):
        with pytest.raises(TypeError, match=sentence):
            call()
