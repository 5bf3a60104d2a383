"""Forces of a record, against weight, free-body cuts and filters in closed form."""

import csv

import carom
import numpy as np
import pytest
from conftest import box_on_ground, pendulum, relative

GRAVITY = 9.81


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """A box at rest on the ground, pushed aside by 4 N at its top for the second half of 0.4 s: model and run."""
    model, state = box_on_ground(mass=2.0, friction=0.5)
    scene = carom.built_scene("box", model, carom.Method(step=1e-3, cone="exact"), state, 0.4)
    simulation = scene.simulation()
    path = tmp_path_factory.mktemp("pushed") / "box.h5"
    with carom.Recording(str(path), scene) as recording:
        for step in range(scene.steps):
            if step == 200:
                simulation.push("box", force=(4, 0, 0), point=(0, 0, 0.05), seconds=0.2)
            simulation.step()
            recording.append(simulation)
    return model, carom.open(path)


def test_a_force_plate_under_a_pushed_box(pushed):
    _, run = pushed
    reaction = run.ground_reaction("box")
    weight = 2.0 * GRAVITY
    quiet, later = slice(1, 200), slice(202, 401)
    assert relative(reaction.force[quiet], np.tile([0, 0, weight], (199, 1))) < 1e-9
    assert np.max(np.abs(reaction.centre_of_pressure[quiet])) < 1e-9
    assert relative(reaction.force[later], np.tile([-4, 0, weight], (199, 1))) < 1e-6
    # Moments about the box's centre: the push acts 0.05 m above it, friction as far below.
    lever = 4 * 0.1 / weight
    assert reaction.centre_of_pressure[later] == pytest.approx(np.tile([lever, 0, 0], (199, 1)), abs=1e-6)
    assert np.max(np.abs(reaction.free_moment[later])) < 1e-6
    assert np.allclose(reaction.normal[1:], weight)
    for each in (reaction.force, reaction.normal, reaction.centre_of_pressure, reaction.free_moment):
        assert np.isnan(each[0]).all(), "nothing was before the first frame"
    same = run.ground_reaction("ground")
    assert np.allclose(same.force, -reaction.force, equal_nan=True)


def test_a_twisted_box_has_a_free_moment(tmp_path):
    model, state = box_on_ground(mass=2.0, friction=0.5)
    scene = carom.built_scene("box", model, carom.Method(step=1e-3, cone="exact"), state, 0.1)
    simulation = scene.simulation()
    with carom.Recording(str(tmp_path / "twist.h5"), scene) as recording:
        for _ in range(scene.steps):
            simulation.push("box", torque=(0, 0, 0.5))
            simulation.step()
            recording.append(simulation)
    reaction = carom.open(tmp_path / "twist.h5").ground_reaction("box")
    assert reaction.free_moment[5:] == pytest.approx(np.tile([0, 0, -0.5], (96, 1)), abs=1e-6)


def test_a_pair_of_bodies_and_the_plate_agree(pushed):
    _, run = pushed
    pair, plate = run.contact_force("box"), run.ground_reaction("box")
    assert np.allclose(pair.force[1:], plate.force[1:], atol=1e-9)
    assert np.allclose(pair.normal, plate.normal, equal_nan=True)
    assert np.allclose(pair.friction + pair.normal[:, None] * [0, 0, 1], pair.force, equal_nan=True)
    assert np.allclose(pair.point[1:], plate.centre_of_pressure[1:], atol=1e-9)
    other = run.contact_force("world", "box")
    assert np.allclose(other.force, -pair.force, equal_nan=True)


def test_a_filter_keeps_impulse_and_halves_its_frequency(tmp_path):
    """A box whose load swings about its weight: of that frequency one half is left, of the mean all."""
    model, state = box_on_ground(mass=2.0)
    scene = carom.built_scene("box", model, carom.Method(step=1e-3, cone="exact"), state, 1.0)
    simulation = scene.simulation()
    with carom.Recording(str(tmp_path / "swing.h5"), scene) as recording:
        for step in range(scene.steps):
            simulation.push("box", force=(0, 0, 5 * np.sin(2 * np.pi * 50 * (step + 0.5) * 1e-3)))
            simulation.step()
            recording.append(simulation)
    run = carom.open(tmp_path / "swing.h5")
    raw, filtered = run.ground_reaction("box"), run.ground_reaction("box", filter_hz=50)
    middle = slice(200, 800)  # 30 periods
    swing = lambda each: np.sqrt(2) * np.std(each.force[middle, 2])
    assert swing(raw) == pytest.approx(5, rel=0.01)
    assert swing(filtered) == pytest.approx(2.5, rel=0.01)
    assert np.mean(filtered.force[middle, 2]) == pytest.approx(2 * GRAVITY, rel=1e-3)
    assert np.max(np.abs(filtered.centre_of_pressure[middle])) < 1e-9
    for hz in (0, -1, 500, 1e6):
        with pytest.raises(carom.Error, match="half the rate"):
            run.ground_reaction("box", filter_hz=hz)


def test_a_flight_has_no_centre_of_pressure(scenes, tmp_path):
    run = carom.run(scenes / "bouncing_ball.yaml", tmp_path / "ball.h5", duration=1.0)
    for filter_hz in (None, 60):
        reaction = run.ground_reaction("ball", filter_hz=filter_hz)
        high = run["ball.position.z"] > 0.15
        high[0] = False
        assert np.isnan(reaction.centre_of_pressure[high]).all() and not reaction.free_moment[high].any()
        # All impulse from the ground: what weight gave and what the ball's momentum changed by.
        ball = run.model.bodies()[0].inertia.mass
        change = ball * (run["ball.velocity.z"][-1] - run["ball.velocity.z"][0])
        given = np.sum(reaction.force[1:, 2] * np.diff(run.time))
        assert given == pytest.approx(change + ball * GRAVITY * run.time[-1], rel=1e-6 if filter_hz is None else 1e-2)


def test_a_swinging_pendulums_hinge_against_a_free_body_cut(tmp_path):
    length, mass = 0.7, 1.3
    model = pendulum(length, mass)
    scene = carom.built_scene("pendulum", model, carom.Method(stepper="event-driven", law="plus", step=1e-3),
                              carom.State([0.9], [0.4]), 0.5)
    run = carom.run(scene, tmp_path / "pendulum.h5")
    reaction = run.joint_reaction("hinge", axes="bob")
    angle = (run["hinge"][1:] + run["hinge"][:-1]) / 2
    rate = (run["hinge.rate"][1:] + run["hinge.rate"][:-1]) / 2
    along, across = mass * (GRAVITY * np.cos(angle) + length * rate**2), 0.0
    size = np.linalg.norm(reaction.force[1:], axis=1)
    assert np.max(np.abs(size - np.hypot(along, across))) < 1e-4 * np.max(along)
    assert reaction.force[1:, 2] == pytest.approx(along, rel=1e-4)  # the rod lies along the bob's z
    assert np.max(np.abs(reaction.force[1:, :2])) < 1e-4 * np.max(along)
    assert np.isnan(reaction.force[0]).all()
    on_world = run.joint_reaction("hinge", on="world")
    own = run.joint_reaction("hinge", on="bob")
    assert np.array_equal(on_world.force[1:], -own.force[1:])
    assert np.allclose(np.linalg.norm(own.force[1:], axis=1), size)
    with pytest.raises(carom.Error, match="passes nothing on"):
        run.joint_reaction("hinge", on="moon")
    with pytest.raises(carom.Error, match="'knee'"):
        run.joint_reaction("knee")


def test_torques_of_a_joint_and_of_its_sources(scenes, tmp_path):
    run = carom.run(scenes / "mechanisms" / "servo_arm.yaml", tmp_path / "arm.h5", duration=0.2)
    joint = next(name.removesuffix(".torque.servo") for name in run.columns if name.endswith(".torque.servo"))
    parts = [name for name in run.columns if name.startswith(f"{joint}.torque.")]
    assert np.allclose(run.torque(joint)[1:], sum(run[name] for name in parts)[1:])
    assert np.array_equal(run.torque(joint, "servo")[1:], run[f"{joint}.torque.servo"][1:])
    with pytest.raises(carom.Error, match=f"there are .*{joint}.torque"):
        run.torque(joint, "wish")
    with pytest.raises(carom.Error, match="no joint"):
        run.torque("nothing")


def test_the_centre_of_mass_of_two_falling_balls(tmp_path):
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -GRAVITY])
    masses, heights = (1.0, 3.0), (1.0, 2.0)
    for mass in masses:
        builder.add_body(f"ball{mass:g}", carom.SpatialInertia(mass, [0, 0, 0], 0.01 * np.eye(3)))
    model = builder.build()
    state = carom.state_at_rest(model)
    for mass, height in zip(masses, heights):
        state.set_pose(model, f"ball{mass:g}", carom.Transform(p=[mass, 0, height]))
    scene = carom.built_scene("balls", model, carom.Method(stepper="event-driven", law="plus", step=1e-2), state, 0.3)
    run = carom.run(scene, tmp_path / "balls.h5")
    expected = np.column_stack([np.full_like(run.time, 2.5), 0 * run.time, 1.75 - GRAVITY * run.time**2 / 2])
    assert np.max(np.abs(run.com - expected)) < 1e-9


def test_tables_of_loads(pushed, tmp_path):
    _, run = pushed
    reaction = run.ground_reaction("box")
    run.to_csv(tmp_path / "grf.csv", reaction)
    with open(tmp_path / "grf.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    column = rows[0].index("box.ground_force_vz")
    assert rows[1][column] == "", "the first frame has no force"
    assert [float(row[column]) for row in rows[2:]] == list(reaction.force[1:, 2])
    run.to_sto(tmp_path / "grf.mot", reaction)
    header, body = (tmp_path / "grf.mot").read_text().split("endheader\n")
    assert f"nRows={len(run.time)}" in header and "box.ground_torque_z" in body.splitlines()[0]
    run.to_csv(tmp_path / "pair.csv", run.contact_force("box"))
    assert "box.world.normal" in (tmp_path / "pair.csv").read_text().splitlines()[0]


def test_parts_that_there_are_not_are_told(pushed):
    _, run = pushed
    with pytest.raises(carom.Error, match="'foot'"):
        run.ground_reaction("foot")
    with pytest.raises(carom.Error, match="'foot'"):
        run.contact_force("foot")
    with pytest.raises(carom.Error, match="no reaction"):
        run.joint_reaction("box")


# A block whose feet are links that are welded to it: one has a heel and a toe, the other a ball in its middle.
WELDED = """<robot name="block">
<link name="block"><inertial><mass value="3"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="left"><collision name="heel"><origin xyz="-0.1 0 0"/><geometry><sphere radius="0.05"/></geometry></collision>
<collision><origin xyz="0.1 0 0"/><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="a" type="fixed"><parent link="block"/><child link="left"/><origin xyz="0 0.1 -0.3"/></joint>
<link name="right"><collision><geometry><sphere radius="0.05"/></geometry></collision></link>
<joint name="b" type="fixed"><parent link="block"/><child link="right"/><origin xyz="0 -0.1 -0.3"/></joint>
</robot>"""


def test_links_that_are_welded_to_another_bear_their_share(tmp_path):
    (tmp_path / "block.urdf").write_text(WELDED)
    run = carom.run(carom.load(tmp_path / "block.urdf", drop=0.0, duration=0.2, step=1e-3, cone="exact"), tmp_path / "block.h5")
    shapes = [each.name for each in run.model.colliders() if each.body == 0]
    feet = [name for name in shapes if name != "block/right"]
    assert len(feet) == 2 and "block/heel" in feet
    left, right = run.ground_reaction(feet), run.ground_reaction("right")
    # Both feet stand as far from the middle: each side bears one half, and heel and toe one quarter.
    assert left.normal[-1] == pytest.approx(3 * GRAVITY / 2, rel=1e-6) and right.normal[-1] == pytest.approx(3 * GRAVITY / 2, rel=1e-6)
    assert run.ground_reaction("heel").normal[-1] == pytest.approx(3 * GRAVITY / 4, rel=1e-6)
    assert left.part == " + ".join(feet) and left.centre_of_pressure[-1, 0] == pytest.approx(right.centre_of_pressure[-1, 0], abs=1e-6)
    assert np.allclose(run.ground_reaction(feet + ["heel", "right"]).force, run.ground_reaction("block").force, equal_nan=True)
    with pytest.raises(carom.Error, match="'left' is welded to 'block', whose shapes are .*block/heel"):
        run.ground_reaction("left")
    with pytest.raises(carom.Error, match="nobody"):
        run.ground_reaction("nobody")
