"""A robot on a slope of 10°, on its feet by servos of our own, is pushed aside: what does the ground bear?"""
import carom
import numpy as np

pose = {f"{leg}_{joint}": angle for leg in ("FL", "FR", "HL", "HR") for joint, angle in (("swing", 0.8), ("knee", -1.6))}
down = 9.81 * np.array([np.sin(np.radians(10)), 0, -np.cos(np.radians(10))])  # z is the slope's normal
scene = carom.load("scenes/robots/quadruped.urdf", gravity=down, drop=0.01, friction=0.6, joints=pose, step=1e-3, cone="exact", duration=2)
sim, forces = scene.simulation(), []
legs = sim.model.joints("*_abduction", "*_swing", "*_knee")
start = sim.q[legs.q]
for step in range(scene.steps):
    sim.tau[legs.v] = 100 * (start - sim.q[legs.q]) - 5 * sim.v[legs.v]
    if step == 1500:
        sim.push("trunk", force=(0, 30, 0), seconds=0.1)
    sim.step()
    forces.append(sim.contact_impulse("world") / sim.method.step)
print("weight", sim.whole().mass * down, "N, on the ground before the push", np.mean(forces[1400:1500], axis=0), "N")
