"""A quadruped on its servos, pushed from the side: ground reaction forces as arrays."""

import pathlib

import carom
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]

scene = carom.load(ROOT / "scenes/robots/quadruped_drop.yaml", cone="exact", step=1e-3)
simulation = scene.simulation()
forces, times = [], []
while simulation.time < 0.6:
    if 0.4 <= simulation.time < 0.45:
        simulation.push("trunk", force=(0, 80, 0))
    simulation.step()
    forces.append(sum((c.impulse for c in simulation.contacts("world")), np.zeros(3)) / -scene.method.step)
    times.append(simulation.time)
grf = np.array(forces)  # (steps, 3), N
