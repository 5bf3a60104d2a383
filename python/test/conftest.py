"""Scenes and small models that tests share."""

import pathlib

import carom
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes():
    return ROOT / "scenes"


def box_on_ground(friction=0.5, gravity=9.81, mass=2.0):
    """A box of 0.4 × 0.3 × 0.1 m on a half-space, built in code: model and state at rest on the ground."""
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -gravity])
    wood = builder.add_material(carom.Material("wood", friction=friction))
    shape = carom.Box([0.2, 0.15, 0.05])
    inertia = carom.shape_inertia(shape, mass / (0.4 * 0.3 * 0.1))
    box = builder.add_body("box", inertia)
    builder.add_collider(carom.Collider("box", box, shape, material=wood))
    builder.add_collider(carom.Collider("ground", -1, carom.HalfSpace(), material=wood))
    model = builder.build()
    state = carom.state_at_rest(model)
    state.set_pose(model, "box", carom.Transform(p=[0, 0, 0.05]))
    return model, state


def pendulum(length=0.7, mass=1.3):
    """A point mass on a massless rod that turns about y through the origin, hanging at q = 0."""
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -9.81])
    bob = builder.add_body("bob", carom.SpatialInertia(mass, [0, 0, -length]))
    turned = carom.Transform(R=[[1, 0, 0], [0, 0, 1], [0, -1, 0]])  # z of the joint along the world's y
    builder.add_joint(bob, carom.Joint("hinge", "revolute", -1, turned, turned))
    return builder.build()


def steps(simulation, count):
    for _ in range(count):
        simulation.step()


def relative(a, b):
    return np.max(np.abs(np.asarray(a) - b)) / max(np.max(np.abs(b)), 1e-300)
