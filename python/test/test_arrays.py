"""Arrays of any size, type, stride and order, and views of what is gone: no crash, the right exception, the same values."""

import gc
import warnings

import carom
import numpy as np
import pytest
from conftest import pendulum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

settings.register_profile("carom", max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("carom")

KINDS = [np.float64, np.float32, np.float16, np.int8, np.int32, np.int64, np.uint8, np.bool_, np.dtype(">f8"), np.dtype(">i4")]
NUMBERS = st.floats(-100, 100, width=16)


def chain(links):
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -9.81])
    parent = -1
    for i in range(links):
        body = builder.add_body(f"link{i}", carom.SpatialInertia(1 + i, [0.1, 0, -0.3], np.diag([0.02, 0.03, 0.04])))
        builder.add_joint(body, carom.Joint(f"joint{i}", "revolute", parent, carom.Transform(p=[0.1, 0, 0.2])))
        parent = body
    return builder.build()


CHAINS = {n: chain(n) for n in range(1, 6)}


def laid(values, kind, layout):
    """The same values in an array of another type and layout, and as contiguous float64."""
    values = np.asarray(values).astype(kind)
    plain = np.ascontiguousarray(values, dtype=np.float64)
    if layout == "strided":
        wide = np.zeros((*values.shape[:-1], 3 * values.shape[-1]), dtype=values.dtype)
        wide[..., ::3] = values
        values = wide[..., ::3]
    elif layout == "reversed":
        values = values[..., ::-1].copy()[..., ::-1]
    elif layout == "fortran":
        values = np.asfortranarray(values)
    elif layout == "read-only":
        values = values.copy()
        values.flags.writeable = False
    elif layout == "unaligned":
        raw = np.zeros(values.nbytes + 1, dtype=np.uint8)
        shifted = raw[1:].view(values.dtype).reshape(values.shape)
        shifted[...] = values
        values = shifted
    return values, plain


LAYOUTS = st.sampled_from(["plain", "strided", "reversed", "fortran", "read-only", "unaligned"])


@given(st.data())
def test_vectors_of_any_kind_are_the_contiguous_ones(data):
    n = data.draw(st.integers(1, 5))
    model = CHAINS[n]
    given_ones, plain_ones = zip(*(laid(data.draw(arrays.arrays(np.float64, n, elements=NUMBERS)), data.draw(st.sampled_from(KINDS)),
                                        data.draw(LAYOUTS)) for _ in range(3)))
    for function, count in ((carom.mass_matrix, 1), (carom.bias, 2), (carom.inverse_dynamics, 3), (carom.forward_dynamics, 3)):
        assert np.array_equal(function(model, *given_ones[:count]), function(model, *plain_ones[:count]))
    q, v, tau = given_ones
    state = carom.State(q, v)
    assert np.array_equal(state.q, plain_ones[0]) and np.array_equal(state.v, plain_ones[1])
    simulation = carom.Simulation(model, carom.Method(), carom.State(np.zeros(n), np.zeros(n)))
    simulation.tau = tau
    assert np.array_equal(simulation.tau, plain_ones[2])
    simulation.tau[::-1] = q
    assert np.array_equal(simulation.tau[::-1], plain_ones[0])


@given(st.integers(1, 5), arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=6), st.sampled_from(KINDS), LAYOUTS)
def test_other_sizes_are_refused(n, shape, kind, layout):
    values = np.zeros(shape, dtype=kind)
    if values.ndim:
        values, _ = laid(values, kind, layout if values.size else "plain")
    if values.size == n and max(values.shape, default=0) == n:
        return
    for call in (lambda: carom.mass_matrix(CHAINS[n], values), lambda: carom.bias(CHAINS[n], np.zeros(n), values),
                 lambda: carom.Simulation(CHAINS[n], carom.Method(), carom.State(values, np.zeros(n)))):
        with pytest.raises((carom.Error, TypeError)):
            call()


@settings(max_examples=40)
@given(st.data())
def test_batches_broadcast_as_numpy_does(data):
    """Every run of a batch of any axes, types and layouts is the run of its own values."""
    n = data.draw(st.integers(1, 3))
    model, methods = CHAINS[n], [carom.Method(step=step) for step in (1e-3, 2e-3)]
    state_axes, force_axes, method_axes = data.draw(arrays.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=2)).input_shapes
    count = data.draw(st.sampled_from([1, 2]))
    elements = st.floats(-4, 4, width=16)
    states, q_and_v = laid(data.draw(arrays.arrays(np.float64, (*state_axes, 2 * n), elements=elements)),
                           data.draw(st.sampled_from(KINDS)), data.draw(LAYOUTS))
    controls, forces = laid(data.draw(arrays.arrays(np.float64, (*force_axes, count, n), elements=elements)),
                            data.draw(st.sampled_from(KINDS)), data.draw(LAYOUTS))
    which = np.array(data.draw(arrays.arrays(np.int64, method_axes, elements=st.integers(0, 1))))
    batch = carom.rollout(model, np.array(methods, dtype=object)[which] if method_axes else methods[int(which)], states, controls, 2,
                          threads=data.draw(st.integers(0, 3)))
    shape = np.broadcast_shapes(state_axes, force_axes, method_axes, (1,))
    assert batch.shape == shape and batch.q.shape == (*shape, 2, n) and batch.ends.shape == shape and not batch.failures
    place = tuple(data.draw(st.integers(0, side - 1)) for side in shape)
    start = np.broadcast_to(q_and_v, (*shape, 2 * n))[place]
    simulation = carom.Simulation(model, methods[np.broadcast_to(which, shape)[place]], carom.State(start[:n], start[n:]))
    for k in range(2):
        simulation.tau = np.broadcast_to(forces, (*shape, count, n))[place][k % count]
        simulation.step()
        assert np.array_equal(simulation.q, batch.q[place][k]) and np.array_equal(simulation.v, batch.v[place][k])


@given(arrays.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4), arrays.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=4))
def test_batches_of_other_shapes_are_refused(states, controls):
    fits = states[-1] in (4, 5) and controls[-1] == 2 and (len(controls) < 2 or controls[-2] in (1, 3))
    try:
        shape = np.broadcast_shapes(states[:-1], controls[:-2], (1,))
    except ValueError:
        fits = False
    call = lambda: carom.rollout(CHAINS[2], carom.Method(), np.zeros(states), np.zeros(controls), steps=3)
    if fits:
        assert call().shape == shape
    else:
        with pytest.raises(carom.Error):
            call()


@given(st.sampled_from([None, "a", b"ab", object(), {}, {"a": 1}, [[1], [2, 3]], np.array(["a"]), np.array([{}]), np.ma]))
def test_what_is_no_array_is_a_type_error(value):
    for call in (lambda: carom.mass_matrix(CHAINS[1], value), lambda: carom.State(value, [0.0]),
                 lambda: carom.Transform(p=value), lambda: carom.SpatialInertia(1, value)):
        with warnings.catch_warnings(), pytest.raises((TypeError, carom.Error)):
            warnings.simplefilter("ignore")  # NumPy warns of ragged lists
            call()


@given(st.data())
def test_controls_and_matrices_of_any_layout(data):
    n = data.draw(st.integers(1, 3))
    model, state = CHAINS[n], carom.State(np.zeros(n), np.zeros(n))
    shape = (data.draw(st.sampled_from([1, 2])), data.draw(st.sampled_from([1, 3])), n)
    values = data.draw(arrays.arrays(np.float64, shape, elements=st.floats(-4, 4, width=16)))
    controls, plain = laid(values, data.draw(st.sampled_from(KINDS)), data.draw(LAYOUTS))
    one = carom.rollout(model, carom.Method(), [state] * shape[0], controls=controls, steps=3)
    other = carom.rollout(model, carom.Method(), [state] * shape[0], controls=plain, steps=3)
    assert np.array_equal(one[0], other[0]) and np.array_equal(one[1], other[1])
    A, plain = laid(np.diag(np.arange(1.0, 4)), data.draw(st.sampled_from(KINDS)), data.draw(LAYOUTS))
    u, plain_u = laid([1, 0, -1], data.draw(st.sampled_from([np.float32, np.int8, np.int64])), data.draw(LAYOUTS))
    assert np.array_equal(carom.solve(A.T, u, 0.5).impulse, carom.solve(plain.T, plain_u, 0.5).impulse)
    R, plain = laid(np.eye(3)[[1, 2, 0]], data.draw(st.sampled_from(KINDS)), data.draw(LAYOUTS))
    assert np.array_equal((carom.Transform(R) * [1.0, 2, 3]), plain @ [1, 2, 3])


@settings(max_examples=12)
@given(st.data())
def test_views_outlive_what_they_look_into(data):
    """Arrays into states and simulations that nobody else holds, read and written after garbage was collected."""
    n = data.draw(st.integers(1, 5))
    model = chain(n)
    state = carom.State(np.arange(n), np.arange(n) + 0.5)
    simulation = carom.Simulation(model, carom.Method(), carom.State(np.zeros(n), np.zeros(n)))
    q, v, tau, columns = state.q[::-1], state.v, simulation.tau[:], simulation.columns
    parts = [model.bodies(), simulation.state, simulation.certificate, simulation.method, state.copy()]
    order = data.draw(st.permutations(["state", "simulation", "model"]))
    held = {"state": state, "simulation": simulation, "model": model}
    del state, simulation, model
    for name in order:
        del held[name]
        gc.collect()
    noise = [np.full(n, np.nan) for _ in range(50)]
    assert np.array_equal(q, np.arange(n)[::-1]) and np.array_equal(v, np.arange(n) + 0.5) and not tau.any()
    q[0], v[0], tau[0] = 7, 8, 9
    assert q[0] == 7 and v[0] == 8 and tau[0] == 9 and len(noise) == 50
    assert len(columns) > 0 and len(parts[0]) == n and np.array_equal(parts[-1].q, np.arange(n))


def test_states_assigned_to_themselves_stay():
    state = carom.State([1.0, 2.0], [3.0, 4.0])
    q = state.q
    state.q = state.q[::-1]
    assert np.array_equal(q, [2, 1]) and q.base is not None
    state.v = state.q
    assert np.array_equal(state.v, [2, 1])


def test_what_a_simulation_shows_refuses_to_be_written():
    simulation = carom.Simulation(pendulum(), carom.Method(), carom.State([0.3], [0.0]))
    for shown in (simulation.q, simulation.v, simulation.poses, simulation.velocities):
        with pytest.raises(ValueError, match="read-only"):
            shown[...] = 99
        shown.copy()[...] = 99
    kept = simulation.q
    simulation.step()
    assert kept[0] == 0.3 != simulation.q[0]


def test_a_state_is_set_by_a_branch():
    simulation = carom.Simulation(pendulum(), carom.Method(), carom.State([0.3], [0.0]))
    state = simulation.snapshot()
    state.q[0], state.v[0] = 0.7, -1.0
    moved = simulation.branch(state)
    assert (moved.q[0], moved.v[0], simulation.q[0], simulation.v[0]) == (0.7, -1.0, 0.3, 0.0)
