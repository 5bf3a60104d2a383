"""A robot on its feet, held by servos of our own, is pushed aside: what does the ground bear?"""
import carom

pose = {f"{leg}_{joint}": angle for leg in ("FL", "FR", "HL", "HR") for joint, angle in (("swing", 0.8), ("knee", -1.6))}
scene = carom.load("scenes/robots/quadruped.urdf", drop=0.01, friction=0.6, joints=pose, step=1e-3, cone="exact", duration=2)
sim = scene.simulation()
legs = sim.model.joints("*_abduction", "*_swing", "*_knee")
start = sim.q[legs.q]
with carom.Recording("push.h5", scene) as recording:
    for step in range(scene.steps):
        sim.tau[legs.v] = 100 * (start - sim.q[legs.q]) - 5 * sim.v[legs.v]
        if step == 1500:
            sim.push("trunk", force=(0, 30, 0), seconds=0.1)
        sim.step()
        recording.append(sim)
run = carom.open("push.h5")
weight = sum(body.inertia.mass for body in sim.model.bodies()) * 9.81
print(f"weight {weight:.2f} N, ground bears {-run['world/ground.force.z'][1400:1500].mean():.2f} N before the push")
