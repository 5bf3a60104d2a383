"""Mass properties and first impact of a cube from measured tosses, without any simulator.

    impacts.py TOSSES.h5

Flights: p(t) + R(t) c is a parabola where c is the mass centre. So c and gravity follow from the airborne frames by
linear least squares. First impacts on one corner: flights fitted before and after give the changes of velocity and
spin, and m dv is the impulse. The equation I dw = (r - c) x m dv relates the two. For a mass centre and a radius of the
corners, it gives the inertia and the unexplained rest. Needs numpy and h5py; takes a minute. Distinct tosses are not
sorted out: copies count twice.
"""
import sys

import h5py
import numpy as np

RATE, GRAVITY, STATED_HALF, HALF = 148.0, 9.613, 0.0524, 0.05127
SIGNS = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)


def rotation(q):
    w, x, y, z = np.moveaxis(q, -1, 0)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def vector(R):
    """Rotation vector of rotations by less than half a turn."""
    axis = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1) / 2
    sine = np.linalg.norm(axis, axis=-1, keepdims=True)
    angle = np.arctan2(sine, ((np.trace(R, axis1=-2, axis2=-1) - 1) / 2)[..., None])
    return axis * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 1)


def turned(w):
    """Rotation by the vector w."""
    angle = np.linalg.norm(w)
    K = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]) / max(angle, 1e-300)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def line(t, y):
    return np.linalg.lstsq(np.stack([np.ones_like(t), t], 1), y, rcond=None)[0]


def fit_flight(p, R, t):
    """State at t = 0 of a flight: position, velocity, orientation, spin in the board's frame."""
    p0, v = line(t, p + 0.5 * GRAVITY * np.outer(t * t, [0, 0, 1]))
    w, R0 = vector(R[-1] @ R[-2].T) * RATE, R[0] @ turned(vector(R[-1] @ R[-2].T) * RATE * -t[0])
    for _ in range(8):
        d, dw = line(t, np.array([vector(Rk @ (turned(w * tk) @ R0).T) for Rk, tk in zip(R, t)]))
        R0, w = turned(d) @ R0, w + dw
    return p0, v, R0, w


def airborne(p, R):
    low = p[:, 2] - STATED_HALF * np.abs(R[:, 2, :]).sum(-1) <= 0
    return int(np.argmax(low)) if low.any() else len(p)


def flights(tosses):
    A, b = [], []
    for p, R in tosses:
        n = airborne(p, R) - 1
        if n < 12:
            continue
        t = np.arange(n) / RATE
        lines = np.stack([np.ones(n), t], 1)
        Q = np.eye(n) - lines @ np.linalg.pinv(lines)
        for axis in range(3):
            M = np.column_stack([-0.5 * t * t * (axis == 2), -R[:n, axis, :]])
            A.append(Q @ M)
            b.append(Q @ p[:n, axis])
    A, b = np.concatenate(A), np.concatenate(b)
    x = np.linalg.lstsq(A, b, rcond=None)[0]
    r = b - A @ x
    error = np.sqrt(np.diag(np.linalg.inv(A.T @ A)) * (r @ r) / len(r))
    print(f"flights: gravity {x[0]:.3f} +- {error[0]:.3f} m/s^2, mass centre "
          + ", ".join(f"{1e3 * v:.1f} +- {1e3 * e:.1f}" for v, e in zip(x[1:], error[1:])) + " mm")


def first_impact(p, R, radius, centre):
    """Change of the mass centre's velocity and of spin, arm and contact velocities; None unless one corner alone struck."""
    n = airborne(p, R)
    if n < 5:
        return None
    heights = p[:, 2, None] + (HALF - radius) * R[:, 2, :] @ SIGNS.T - radius
    p0, v, R0, w = fit_flight(p[:n] + R[:n] @ centre, R[:n], np.arange(n) / RATE)
    times = np.arange(0, (n + 4) / RATE, 5e-5)
    bottoms = []
    for t in times:
        Rt = turned(w * t) @ R0
        z = (p0 + v * t)[2] - 0.5 * GRAVITY * t * t - (Rt @ centre)[2]
        bottoms.append(z + (HALF - radius) * Rt[2] @ SIGNS.T - radius)
    touch = np.argmax(np.min(bottoms, axis=1) <= 0)
    if touch == 0:
        return None
    corner, time = int(np.argmin(bottoms[touch])), times[touch]
    first = int(np.ceil(time * RATE + 0.3))
    last = first
    while (last < len(p) and last < first + 10 and np.delete(heights[last], corner).min() > 0.004
           and (last - first < 3 or heights[last, corner] > 0)):
        last += 1
    if last - first < 6:
        return None
    span = slice(first, last)
    _, v1, _, w1 = fit_flight(p[span] + R[span] @ centre, R[span], np.arange(first, last) / RATE - time)
    Rt = turned(w * time) @ R0
    arm = Rt @ ((HALF - radius) * SIGNS[corner] - centre) - np.array([0, 0, radius])
    v0 = v - np.array([0, 0, GRAVITY * time])
    return v1 - v0, w1 - w, arm, v0 + np.cross(w, arm), v1 + np.cross(w1, arm)


def impacts(tosses, radius, offset):
    found = [b for b in (first_impact(p, R, radius, np.array([0, 0, offset])) for p, R in tosses) if b]
    dv, dw, arm, before, after = (np.array(x) for x in zip(*found))
    torque = np.cross(arm, dv)
    inverse = (torque * dw).sum() / (torque * torque).sum()
    missed = np.sqrt(((dw - inverse * torque) ** 2).sum(-1).mean())
    e = -after[:, 2] / before[:, 2]
    mu = np.hypot(dv[:, 0], dv[:, 1]) / dv[:, 2]
    tell = lambda x: "{1:.3f} ({0:.3f} to {2:.3f})".format(*np.percentile(x, [5, 50, 95]))
    print(f"{len(found)} first impacts, corner radius {1e3 * radius:.1f} mm, mass centre {1e3 * offset:.1f} mm: inertia "
          f"{1 / inverse / HALF**2:.3f} m h^2, spin changes by {np.sqrt((dw**2).sum(-1).mean()):.2f} and is missed by "
          f"{missed:.2f} rad/s rms; restitution {tell(e)}, impulse ratio {tell(mu)}")


if __name__ == "__main__":
    with h5py.File(sys.argv[1], "r") as file:
        at, state = file["offsets"][:], file["state"][:]
    measured = [(state[a:b, :3], rotation(state[a:b, 3:7])) for a, b in zip(at[:-1], at[1:])]
    flights(measured)
    for radius in (0.0001, 0.003, 0.005):
        for offset in (0.0, 0.0052):
            impacts(measured, radius, offset)
