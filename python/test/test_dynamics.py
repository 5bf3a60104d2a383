"""Dynamics functions against one another and against closed forms."""

import carom
import numpy as np
import pytest
from conftest import pendulum, relative


@pytest.fixture
def chain():
    """Three links on revolute and prismatic joints, and a state of it."""
    builder = carom.ModelBuilder()
    builder.set_gravity([0, 0, -9.81])
    parent = -1
    for i, kind in enumerate(["revolute", "prismatic", "revolute"]):
        inertia = carom.SpatialInertia(1 + i, [0.1, 0.2 * i, -0.3], np.diag([0.02, 0.03, 0.04]))
        body = builder.add_body(f"link{i}", inertia)
        turn = carom.Transform.of_quaternion([0.9, 0.3 * i, 0.2, 0.1], [0.1, 0, 0.2])
        builder.add_joint(body, carom.Joint(f"joint{i}", kind, parent, turn))
        parent = body
    rng = np.random.default_rng(1)
    return builder.build(), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)


def test_a_pendulum_in_closed_form():
    model = pendulum(length=0.7, mass=1.3)
    assert carom.mass_matrix(model, [0.4]) == pytest.approx(1.3 * 0.7**2)
    assert carom.bias(model, [0.4], [2.0])[0] == pytest.approx(1.3 * 9.81 * 0.7 * np.sin(0.4))


def test_the_algorithms_agree(chain):
    model, q, v, vdot = chain
    M = carom.mass_matrix(model, q)
    tau = carom.inverse_dynamics(model, q, v, vdot)
    assert relative(tau, M @ vdot + carom.bias(model, q, v)) < 1e-13
    assert relative(carom.forward_dynamics(model, q, v, tau), vdot) < 1e-12


def test_derivatives_against_differences(chain):
    model, q, v, vdot = chain
    dq, dv, M = carom.inverse_dynamics_derivatives(model, q, v, vdot)
    h, unit = 1e-6, np.eye(3)
    tau = lambda q, v: carom.inverse_dynamics(model, q, v, vdot)
    by_q = np.stack([(tau(q + h * e, v) - tau(q - h * e, v)) / (2 * h) for e in unit], axis=1)
    by_v = np.stack([(tau(q, v + h * e) - tau(q, v - h * e)) / (2 * h) for e in unit], axis=1)
    assert relative(dq, by_q) < 1e-7 and relative(dv, by_v) < 1e-7
    assert relative(M, carom.mass_matrix(model, q)) < 1e-14
    dq_forward, _, inverse = carom.forward_dynamics_derivatives(model, q, v, tau(q, v))
    assert relative(inverse @ M, np.eye(3)) < 1e-12
    assert relative(dq_forward, -inverse @ dq) < 1e-11


def test_jacobian_and_delassus(chain):
    model, q, v, _ = chain
    point = [0.3, -0.1, 0.2]
    J = carom.jacobian(model, q, "link2", point)
    A = carom.delassus(model, q, [("link2", point), ("link0", [0, 0, 0])])
    both = np.vstack([J[3:], carom.jacobian(model, q, "link0")[3:]])
    assert relative(A, both @ np.linalg.solve(carom.mass_matrix(model, q), both.T)) < 1e-12
    simulation = carom.Simulation(model, carom.Method(), carom.State(q, v))
    assert relative(J[:3] @ v, simulation.velocity("link2").angular) < 1e-13


@pytest.mark.parametrize("bad", [np.zeros(2), np.zeros(4), np.zeros(0)])
def test_sizes_are_checked(chain, bad):
    model, q, v, vdot = chain
    for call in (lambda: carom.mass_matrix(model, bad), lambda: carom.bias(model, q, bad),
                 lambda: carom.inverse_dynamics(model, q, v, bad), lambda: carom.forward_dynamics(model, q, v, bad),
                 lambda: carom.forward_dynamics_derivatives(model, bad, v, vdot)):
        with pytest.raises(carom.Error, match="entries"):
            call()


def test_arrays_of_other_types_and_strides(chain):
    model, q, v, _ = chain
    wide = np.zeros((3, 4))
    wide[:, 1] = q
    assert np.array_equal(carom.mass_matrix(model, wide[:, 1]), carom.mass_matrix(model, q))
    assert np.array_equal(carom.mass_matrix(model, list(q)), carom.mass_matrix(model, q))
    carom.mass_matrix(model, np.zeros(3, dtype=np.int32))
    with pytest.raises(TypeError):
        carom.mass_matrix(model, ["a", "b", "c"])
