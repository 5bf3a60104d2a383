"""Scenes, models and methods are copied, and sent to other processes."""

import copy
import multiprocessing
import pickle

import carom
import numpy as np
import pytest
from conftest import box_on_ground

STEPS = 20


def end_of(scene):
    """The state after some steps: what another process is asked for."""
    simulation = scene.simulation()
    for _ in range(STEPS):
        simulation.step()
    return simulation.state.copy()


@pytest.mark.parametrize("file", ["ball_row.yaml", "mechanisms/driven_crank.yaml", "robots/humanoid_fall.yaml"])
def test_scenes_come_back_from_bytes_and_move_bit_for_bit(scenes, file):
    scene = carom.load(scenes / file)
    by_protocol = [pickle.loads(pickle.dumps(scene, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (*by_protocol, copy.copy(scene), copy.deepcopy(scene)):
        assert (again.name, again.file, again.text, again.duration) == (scene.name, scene.file, scene.text, scene.duration)
        assert again.initial == scene.initial and again.warnings == scene.warnings and end_of(again) == end_of(scene)


def test_models_and_methods_of_a_program_come_back():
    model, state = box_on_ground()
    method = carom.Method(stepper="stewart-trinkle", law="newton", step=0.002)
    again, other = pickle.loads(pickle.dumps((model, method)))
    assert copy.deepcopy(model) is model and copy.copy(model) is model  # nothing in it changes
    assert (other.stepper, other.law, other.step) == ("stewart-trinkle", "newton", 0.002)
    state.v[3] = 1.0
    first, second = carom.Simulation(model, method, state), carom.Simulation(again, other, state)
    for _ in range(STEPS):
        first.step(), second.step()
    assert first.state == second.state and np.any(first.state.q != state.q)


def test_a_method_that_makes_no_sense_is_refused_where_it_is_sent():
    method = carom.Method()
    method.step = -1
    with pytest.raises(carom.Error, match="the method makes no sense: .*step"):
        pickle.dumps(method)


def test_other_processes_run_what_they_are_sent(scenes):
    scene = carom.load(scenes / "ball_row.yaml")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(end_of, [scene]) == [end_of(scene)]


def test_damaged_bytes_are_refused(scenes):
    model = carom.load(scenes / "ball_row.yaml").model
    make, arguments, state = model.__reduce_ex__(2)[:3]
    for bad in (state[:-1], state + b"x", b"", pickle.dumps(model)):
        with pytest.raises(carom.Error, match="bytes"):
            make(*arguments).__setstate__(bad)
