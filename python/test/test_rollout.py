"""Batches: the bits of single runs, on any number of threads."""

import carom
import numpy as np
import pytest
from conftest import box_on_ground

METHOD = carom.Method(step=2e-3, cone="exact")


def tossed(model, state, count):
    rng = np.random.default_rng(3)
    states = []
    for _ in range(count):
        each = state.copy()
        each.set_pose(model, "box", carom.Transform.of_quaternion(rng.normal(size=4), [0, 0, 0.4]))
        each.set_velocity(model, "box", rng.normal(size=3), rng.normal(size=3))
        states.append(each)
    return states


def test_a_batch_has_the_bits_of_single_runs_on_any_number_of_threads():
    model, state = box_on_ground()
    states = tossed(model, state, 6)
    batches = [carom.rollout(model, METHOD, states, steps=300, threads=threads) for threads in (1, 2, 3)]
    for q, v, time, certificates in batches[1:]:
        assert np.array_equal(q, batches[0][0]) and np.array_equal(v, batches[0][1])
    q, v, time, certificates = batches[0]
    assert q.shape == (6, 300, 7) and v.shape == (6, 300, 6) and time.shape == (6, 300)
    simulation = carom.Simulation(model, METHOD, states[4])
    simulation.run_until(0.6)
    assert np.array_equal(simulation.q, q[4, -1]) and np.array_equal(simulation.v, v[4, -1])
    assert all(c.steps == 300 for c in certificates)


def test_controls_and_methods_are_axes_of_the_batch():
    model, state = box_on_ground(gravity=0.0, mass=2.0)
    state.set_pose(model, "box", carom.Transform(p=[0, 0, 5]))
    force = np.zeros((4, 1, 6))
    force[:, 0, 3] = [0, 1, 2, 3]
    _, v, time, _ = carom.rollout(model, METHOD, state, controls=force, steps=50)
    assert v[:, -1, 3] == pytest.approx(force[:, 0, 3] / 2.0 * time[:, -1])
    methods = [carom.Method(step=2e-3, stepper=name) for name in ("stewart-trinkle", "anitescu-potra")]
    q, _, _, _ = carom.rollout(model, methods, state, controls=np.zeros((1, 7, 6)))
    assert q.shape == (2, 7, 7)


def test_arrays_go_to_others_without_copies():
    model, state = box_on_ground()
    for array in carom.rollout(model, METHOD, state, steps=3)[:3]:
        assert np.shares_memory(np.from_dlpack(array), array)


def test_torch_looks_into_the_same_memory():
    torch = pytest.importorskip("torch", reason="torch is not installed (Debian's python3-torch)")
    model, state = box_on_ground()
    q, v, time, _ = carom.rollout(model, METHOD, [state] * 2, steps=3)
    for array in (q, v, time):
        tensor = torch.from_dlpack(array)
        assert tensor.data_ptr() == array.ctypes.data and tensor.shape == array.shape and tensor.dtype == torch.float64
        tensor[-1, -1] = 42.0
        assert np.all(array[-1, -1] == 42.0)
    row = torch.from_dlpack(q[1, :, 2:5])  # a view that leaves out entries
    assert row.stride() == (7, 1) and row.data_ptr() == q[1, 0, 2:].ctypes.data
    del q, v, time, array
    assert torch.isfinite(row).all()  # the tensor keeps the array alive


def test_wrong_shapes_are_told():
    model, state = box_on_ground()
    with pytest.raises(carom.Error, match="steps"):
        carom.rollout(model, METHOD, state)
    with pytest.raises(carom.Error, match="controls must be"):
        carom.rollout(model, METHOD, state, controls=np.zeros((1, 2, 3)))
    with pytest.raises(carom.Error, match="runs"):
        carom.rollout(model, METHOD, [state] * 3, controls=np.zeros((2, 5, 6)))
    with pytest.raises(carom.Error, match="empty"):
        carom.rollout(model, METHOD, [], steps=2)
