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


def rows(states):
    return np.array([np.concatenate([each.q, each.v]) for each in states])


def test_states_may_be_an_array_with_or_without_the_time():
    model, state = box_on_ground()
    states = tossed(model, state, 3)
    listed = carom.rollout(model, METHOD, states, steps=40)
    given = carom.rollout(model, METHOD, rows(states), steps=40)
    assert given.shape == (3,) and np.array_equal(given.states, listed.states)
    later = carom.rollout(model, METHOD, np.hstack([np.full((3, 1), 2.0), rows(states)]), steps=40)
    assert np.array_equal(later.states, listed.states) and later.time[:, 0] == pytest.approx(2.0 + METHOD.step)
    one = carom.rollout(model, METHOD, rows(states)[1], steps=40)
    assert one.shape == (1,) and np.array_equal(one.q[0], listed.q[1])


def test_controls_of_fewer_axes_are_for_all_runs():
    model, state = box_on_ground()
    states = tossed(model, state, 3)
    of_step = np.random.default_rng(1).normal(size=(8, 6))
    whole = carom.rollout(model, METHOD, states, np.tile(of_step, (3, 1, 1)))
    for same in (of_step, of_step[np.newaxis]):
        assert np.array_equal(carom.rollout(model, METHOD, states, same).states, whole.states)
    held = carom.rollout(model, METHOD, states, np.tile(of_step[0], (3, 8, 1)))
    for same in (of_step[0], of_step[:1], np.tile(of_step[0], (3, 1, 1))):
        assert np.array_equal(carom.rollout(model, METHOD, states, same, steps=8).states, held.states)


def test_laws_parameters_and_starts_are_axes_that_broadcast(scenes):
    """A sliding box comes to rest after v²/(2 μ g), whatever the axis that its friction and speed vary along."""
    scene = carom.load(scenes / "sliding_box.yaml", duration=1.6)
    methods = [carom.Method(step=0.005, stepper=name, cone="exact") for name in ("stewart-trinkle", "anitescu-potra")]
    friction, speed = np.array([0.2, 0.3, 0.5]), np.array([1.0, 2.0, 2.5, 3.0])
    starts = np.tile(rows([scene.initial]), (4, 1))
    x, vx = scene.model.position_names.index("box.x"), scene.model.velocity_names.index("box.vx")
    starts[:, scene.model.position_count + vx] = speed
    batch = carom.rollout(scene, [[[method]] for method in methods], starts,
                          parameters={f"materials/{name}/friction": friction[:, np.newaxis] for name in ("wood", "ground")})
    assert batch.shape == (2, 3, 4) and batch.q.shape == (2, 3, 4, scene.steps, 7) and batch.certificates.ok.all()
    way = batch.q[..., -1, x] - scene.initial.q[x]
    # A step moves it by its new speed, so that the way is short by at most half of the first step's.
    assert way == pytest.approx(np.broadcast_to(speed**2 / (2 * friction[:, np.newaxis] * 9.81), way.shape), abs=0.005 * 3.0)
    # The bits are those of the scene by itself.
    for law, mu, start in ((0, 0, 3), (1, 2, 1)):
        alone = carom.load(scenes / "sliding_box.yaml", parameters={f"materials/{name}/friction": friction[mu]
                                                                    for name in ("wood", "ground")})
        state = carom.State(starts[start, :7], starts[start, 7:])
        simulation = carom.Simulation(alone.model, methods[law], state)
        simulation.run_until(1.6)
        assert np.array_equal(simulation.q, batch.q[law, mu, start, -1])


def test_parameters_move_the_start_of_a_scene(scenes):
    scene = carom.load(scenes / "cube_toss.yaml", step=5e-3)
    heights = np.array([0.2, 0.3])
    batch = carom.rollout(scene, parameters={"bodies/cube/position/2": heights}, steps=1)
    z = scene.model.position_names.index("cube.z")
    assert np.ptp(batch.q[:, 0, z] - heights) < 1e-12 and batch.time[0, 0] == pytest.approx(5e-3)


def test_certificates_are_an_array_of_those_of_single_runs():
    model, state = box_on_ground()
    states = tossed(model, state, 4)
    batch = carom.rollout(model, METHOD, states, steps=200)
    assert batch.certificates.shape == (4,) and batch.certificates.dtype["ok"] == np.bool_
    for i, each in enumerate(states):
        simulation = carom.Simulation(model, METHOD, each)
        for _ in range(200):
            simulation.step()
        alone = simulation.certificate
        assert batch.certificates[i].ok == alone.ok
        for name in batch.certificates.dtype.names:
            assert batch.certificates[i][name] == getattr(alone, name), name
        assert set(alone.numbers) <= set(batch.certificates.dtype.names)


def test_a_batch_goes_on_bit_for_bit_from_its_ends():
    model, state = box_on_ground()
    states = tossed(model, state, 3)
    whole = carom.rollout(model, METHOD, states, steps=240)
    first = carom.rollout(model, METHOD, states, steps=140)
    then = carom.rollout(model, METHOD, first.ends, steps=100)
    assert first.ends.shape == (3,) and np.array_equal(then.states, whole.states[:, 140:])
    assert np.array_equal(then.time, whole.time[:, 140:])


def test_feedback_of_a_scene_acts_in_a_batch():
    scene = carom.parse_scene("""carom: 1
name: pendulum
gravity: [0, 0, -9.81]
bodies:
  - {name: bob, inertia: {mass: 1, moments: [0.02, 0.02, 0.02]}}
joints:
  - {name: hip, type: revolute, parent: world, child: bob, axis: [0, 1, 0], position: 0.3}
drives:
  - {name: hold, type: feedback, joint: hip, force: "=-5*hip - 0.5*hip.rate"}
method: {stepper: stewart-trinkle, step: 0.01}
duration: 0.2
""")
    simulation = scene.simulation()
    simulation.run_until(scene.duration)
    for batch in (carom.rollout(scene), carom.rollout(scene, controls=np.zeros(scene.model.velocity_count))):
        assert np.array_equal(batch.q[0, -1], simulation.q)
    without = carom.rollout(scene.model, scene.method, scene.initial, steps=scene.steps)
    assert not np.array_equal(without.q[0, -1], simulation.q)


def test_a_run_that_can_not_go_on_takes_no_other_with_it():
    model, state = box_on_ground()
    force = np.zeros((3, 5, 6))
    force[1, 2, 5] = 1e308  # its speed is no longer a finite number then
    batch = carom.rollout(model, carom.Method(step=100.0), [state] * 3, force)
    assert list(batch.failures) == [(1,)] and "step 3" in batch.failures[1,]
    assert batch.certificates.ok[1] == False and np.isnan(batch.q[1, 2:]).all() and np.isfinite(batch.q[1, :2]).all()  # noqa: E712
    assert np.isfinite(batch.states[[0, 2]]).all() and np.array_equal(batch.states[0], batch.states[2])


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
    with pytest.raises(carom.Error, match=r"states \(3,\), controls \(2,\)"):
        carom.rollout(model, METHOD, [state] * 3, controls=np.zeros((2, 5, 6)))
    with pytest.raises(carom.Error, match=r"controls: entry \[0, 4, 1\] is nan"):
        carom.rollout(model, METHOD, state, controls=np.where(np.arange(30) == 25, np.nan, 0.0).reshape(1, 5, 6))
    with pytest.raises(carom.Error, match=r"right are 13 \(q, v\) or 14 \(time, q, v\)"):
        carom.rollout(model, METHOD, np.zeros((2, 12)), steps=1)
    with pytest.raises(carom.Error, match="differ in length"):
        carom.rollout(model, [[METHOD, METHOD], [METHOD]], state, steps=1)
    with pytest.raises(TypeError, match="needs a method"):
        carom.rollout(model, states=state, steps=1)
    with pytest.raises(carom.Error, match="controls have 5 steps, not one or 4"):
        carom.rollout(model, METHOD, state, np.zeros((5, 6)), 4)


def test_wrong_parameters_are_told(scenes):
    model, state = box_on_ground()
    scene = carom.load(scenes / "cube_toss.yaml")
    for parameters, fault in (({"materials/plastic/friction": [0.1, -1.0]}, r"friction=-1.*friction"),
                              ({"materials/rubber/friction": 0.1}, "rubber"), ({"method/step": [1e-3]}, "list of methods"),
                              ({"duration": [1.0]}, "give steps"), ({"materials/plastic/friction": []}, "is empty"),
                              ({"materials/plastic/friction": np.nan}, "must be finite")):
        with pytest.raises(carom.Error, match=fault):
            carom.rollout(scene, parameters=parameters)
    with pytest.raises(TypeError, match="a number or an array"):
        carom.rollout(scene, parameters={"materials/plastic/friction": "much"})
    with pytest.raises(TypeError, match="parameters are those of one Scene"):
        carom.rollout(model, METHOD, state, parameters={"friction": 0.3}, steps=1)
    with pytest.raises(carom.Error, match="built in code"):
        carom.rollout(carom.built_scene("box", model, METHOD, state, 1), parameters={"friction": 0.3})
    with pytest.raises(carom.Error, match="empty"):
        carom.rollout(model, METHOD, [], steps=2)
