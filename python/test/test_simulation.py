"""Scenes, models, states and simulations from Python: physics, and what the binding promises."""

import copy
import pickle
import signal
import threading
import time

import carom
import numpy as np
import pytest
from conftest import box_on_ground, pendulum, steps

EXACT = carom.Method(step=1e-3, cone="exact")


def test_a_sliding_box_stops_where_coulomb_says(scenes):
    scene = carom.load(scenes / "sliding_box.yaml", cone="exact", step=1e-3)
    simulation = scene.simulation()
    assert simulation.run_until(1.0) == 1000
    assert simulation.pose("box").p[0] == pytest.approx(2.0**2 / (2 * 0.3 * 9.81), abs=2e-3)
    assert simulation.certificate.ok, simulation.certificate


def test_the_cone_is_exact_unless_a_method_asks_for_a_polygon():
    assert carom.Method().cone == "exact"
    assert carom.Method(directions=16).cone == "polyhedral"
    assert carom.Method(form="mixed", dynamics="dense").cone == "polyhedral"
    assert carom.Method(directions=16, cone="exact").cone == "exact"


def test_ground_bears_the_weight_and_friction_the_push():
    model, state = box_on_ground()
    simulation = carom.Simulation(model, EXACT, state)
    steps(simulation, 20)
    force = simulation.contact_impulse("box") / EXACT.step
    assert force == pytest.approx([0, 0, 2 * 9.81], rel=1e-9, abs=1e-9)
    simulation.push("box", force=(5, 0, 0), seconds=0.1)
    steps(simulation, 50)
    force = simulation.contact_impulse("box", "world") / EXACT.step
    assert force == pytest.approx([-5, 0, 2 * 9.81], rel=1e-6, abs=1e-6)
    contacts = simulation.contacts("box", "world")
    assert len(contacts) == 4 and {c.mode for c in contacts} == {"rolling"}
    assert sum(c.impulse for c in contacts) == pytest.approx(simulation.contact_impulse("box"))
    assert all(c.normal == pytest.approx([0, 0, 1]) and c.slip == pytest.approx([0, 0, 0], abs=1e-9) for c in contacts)
    assert len(simulation.contacts()) == 4
    assert simulation.whole().linear_momentum == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_pendulum_has_its_period_and_energy():
    length = 0.7
    model = pendulum(length)
    assert model.velocity_names == ["hinge.rate"] or model.velocity_count == 1
    state = carom.State([1e-3], [0.0])
    simulation = carom.Simulation(model, carom.Method(stepper="event-driven", law="plus", step=1e-3), state)
    energy = simulation.kinetic_energy + simulation.potential_energy
    simulation.run_until(2 * np.pi * np.sqrt(length / 9.81))
    assert simulation.q[0] == pytest.approx(1e-3, rel=1e-5)
    assert simulation.kinetic_energy + simulation.potential_energy == pytest.approx(energy, abs=1e-9)


def test_a_band_bears_a_weight_and_pushes_nothing():
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -9.81])
    body = builder.add_body("bob", carom.SpatialInertia(2.0, [0, 0, 0], 0.01 * np.eye(3)))
    builder.add_constraint(carom.Constraint("band", "spring", body, length=0.5, stiffness=400, side="pull"))
    model = builder.build()
    assert model.constraints("band")[0].side == "pull"
    at = carom.Simulation(model, EXACT, carom.State([1, 0, 0, 0, 0, 0, -0.5 - 2 * 9.81 / 400], np.zeros(6)))
    steps(at, 50)
    assert at.pose("bob").p[2] == pytest.approx(-0.5 - 2 * 9.81 / 400, abs=1e-9)
    slack = carom.Simulation(model, EXACT, carom.State([1, 0, 0, 0, 0, 0, -0.2], np.zeros(6)))
    steps(slack, 100)
    assert slack.v[5] == pytest.approx(-9.81 * 0.1, rel=1e-9)


def test_controllers_and_tau_act_alike():
    model = pendulum()
    runs = []
    for how in ("tau", "written", "returned"):
        simulation = carom.Simulation(model, EXACT, carom.state_at_rest(model))
        if how == "tau":
            simulation.tau[:] = 0.3
        elif how == "written":
            def controller(model, state, force):
                force[:] = 0.3
            simulation.set_controller(controller)
        else:
            simulation.set_controller(lambda model, state, force: np.array([0.3]))
        steps(simulation, 100)
        runs.append(simulation.state)
    assert runs[0] == runs[1] == runs[2]
    assert runs[0].q[0] != 0


def test_a_fault_of_a_controller_is_raised_and_the_run_goes_on():
    model = pendulum()
    simulation = carom.Simulation(model, EXACT, carom.state_at_rest(model))

    def fails(model, state, force):
        raise ZeroDivisionError("mine")

    simulation.set_controller(fails)
    before = simulation.state
    with pytest.raises(ZeroDivisionError, match="mine"):
        simulation.step()
    assert simulation.state == before
    simulation.set_controller(lambda model, state, force: np.zeros(2))
    with pytest.raises(carom.Error, match="2 forces"):
        simulation.step()
    simulation.set_controller(lambda model, state, force: simulation.q)
    with pytest.raises(carom.Error, match="within a step"):
        simulation.step()
    simulation.set_controller(None)
    simulation.step()


def test_states_are_views_values_and_pickles():
    model, state = box_on_ground()
    state.v[3] = 1.5  # a view: the state has it
    q = state.q
    assert state.v[3] == 1.5
    simulation = carom.Simulation(model, EXACT, state)
    steps(simulation, 30)
    now = simulation.state
    assert now.contact_count > 0
    for other in (copy.copy(now), copy.deepcopy(now), now.copy(), pickle.loads(pickle.dumps(now))):
        assert other == now and other is not now
    other.q[0] = np.nextafter(other.q[0], 2)
    assert other != now
    del state
    assert q[6] == pytest.approx(0.05)  # the array keeps its state alive
    with pytest.raises(carom.Error, match="entries"):
        now.q = np.zeros(3)


def test_a_branch_repeats_the_run_bit_for_bit(scenes):
    scene = carom.load(scenes / "tumbling_brick.yaml")
    simulation = scene.simulation()
    steps(simulation, 40)
    snapshot = simulation.snapshot()
    branch = simulation.branch()
    steps(simulation, 60)
    steps(branch, 60)
    later = carom.Simulation(scene.model, scene.method, pickle.loads(pickle.dumps(snapshot)))
    steps(later, 60)
    assert simulation.state == branch.state == later.state


def test_what_a_simulation_gives_outlives_it(scenes):
    simulation = carom.load(scenes / "sliding_box.yaml").simulation()
    simulation.step()
    model, tau, report, contacts = simulation.model, simulation.tau, simulation.report, simulation.contacts()
    del simulation
    assert model.bodies()[0].name == "box" and tau.shape == (model.velocity_count,)
    assert report.step == 1 and contacts[0].name


def test_steps_run_beside_other_threads(scenes):
    """A thread counts while the main one is in a single call: it could not if that kept the GIL."""
    simulation = carom.load(scenes / "ball_pile.yaml").simulation()
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before, began = counted[0], time.perf_counter()
        simulation.run_until(20 * simulation.method.step)
        during, took = counted[0] - before, time.perf_counter() - began
    finally:
        done.set()
        thread.join()
    assert took < 0.02 or during >= 3


def test_ctrl_c_stops_a_run_that_goes_on(scenes):
    simulation = carom.load(scenes / "ball_pile.yaml").simulation()
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.run_until(1e6)
    timer.join()
    stopped = simulation.state
    again = carom.Simulation(simulation.model, simulation.method, stopped)
    steps(simulation, 3)
    steps(again, 3)
    assert simulation.state == again.state


def test_errors_say_where_and_what(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("carom: 1\nname: x\ngravity: [0, 0]\nbodies:\n  - name: a\n    masss: 2\nmethod: {stepper: stewart-trinkle, step: 0.01}\nduration: 1\n")
    with pytest.raises(carom.SceneError) as caught:
        carom.load(file)
    error = caught.value
    assert error.file == str(file) and error.line == 3 and error.key == "gravity"
    assert len(error.diagnostics) >= 2 and any(d.key == "masss" and d.line == 6 for d in error.diagnostics)
    assert error.sentence == error.diagnostics[0].message
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics
    with pytest.raises(carom.Error, match="did you mean"):
        carom.Method(cone="exakt")
    with pytest.raises(TypeError, match="no setting"):
        carom.Method(stepp=1)
    with pytest.raises(TypeError, match="no setting"):
        carom.load(file, stepp=1)
    with pytest.raises(carom.Error):
        carom.load(tmp_path / "none.yaml")


def test_models_tell_their_parts(scenes):
    model = carom.load(scenes / "double_pendulum_wall.yaml").model
    everything = model.joints()
    assert len(everything) == model.body_count
    assert sorted(everything.v) == list(range(model.velocity_count))
    name = everything.names[0]
    assert model.joints(name[:-1] + "*").numbers[0] == model.joint_number(name)
    with pytest.raises(carom.Error, match="no joint is called"):
        model.joints("nothing*")
    with pytest.raises(carom.Error, match="'nothing'"):
        model.body_number("nothing")
    assert model.body_number("world") == -1


def test_a_builder_tells_every_fault():
    builder = carom.ModelBuilder()
    builder.add_body("a", carom.SpatialInertia(-1))
    builder.add_body("b", carom.SpatialInertia(-2))
    with pytest.raises(carom.Error) as caught:
        builder.build()
    assert len(str(caught.value).splitlines()) >= 2


def test_model_files_and_parameters(scenes, tmp_path):
    urdf = tmp_path / "ball.urdf"
    urdf.write_text(
        '<robot name="ball"><link name="ball"><inertial><mass value="1"/>'
        '<inertia ixx="0.004" iyy="0.004" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>'
        '<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>')
    scene = carom.load(urdf, drop=0.2, friction=0.5, step=1e-3, duration=1)
    simulation = scene.simulation()
    assert simulation.pose("ball").p[2] == pytest.approx(0.3)
    simulation.run_until(0.15)
    assert simulation.pose("ball").p[2] == pytest.approx(0.3 - 9.81 * 0.15**2 / 2, abs=2e-3)
    with pytest.raises(carom.Error, match="model files"):
        carom.load(scenes / "sliding_box.yaml", drop=0.1)


def test_a_branch_keeps_the_feedback_of_its_scene(tmp_path):
    (tmp_path / "held.yaml").write_text("""carom: 1
gravity: [0, 0, -9.81]
bodies: [{name: bob, inertia: {mass: 1, center: [0, 0, 0], moments: [1, 1, 1]}}]
joints: [{name: rail, type: prismatic, axis: [0, 0, 1], parent: world, child: bob}]
drives: [{name: hold, joint: rail, type: feedback, force: "=9.81 - 4*joint - 4*joint.rate"}]
method: {stepper: semi-explicit, law: plastic, step: 0.01}
duration: 1
""")
    simulation = carom.load(tmp_path / "held.yaml").simulation()
    branch = simulation.branch()
    branch.run_until(1.0)
    assert branch.q[0] == pytest.approx(0, abs=1e-9)  # it would have fallen 4.9 m
    later = branch.branch(method=carom.Method(stepper="event-driven", law="plastic", step=0.01))
    later.run_until(2.0)
    assert later.q[0] == pytest.approx(0, abs=1e-9)


def test_contacts_of_a_body_with_itself_are_refused():
    model, state = box_on_ground()
    simulation = carom.Simulation(model, carom.Method(step=1e-3), state)
    simulation.step()
    for ask in (simulation.contacts, simulation.contact_impulse):
        with pytest.raises(carom.Error, match="both of these are 'box'; name another"):
            ask("box", "box")
    assert simulation.contact_impulse("box", "world")[2] > 0
