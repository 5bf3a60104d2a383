"""Three laws, two frictions and six throws: the axes of one batch, and how far its cubes slide."""
import carom
import numpy as np

scene = carom.load("scenes/cube_toss.yaml", step=5e-3, duration=1.5)
start = np.concatenate([scene.initial.q, scene.initial.v])
starts = start + np.random.default_rng(1).normal(scale=0.05, size=(6, len(start)))
laws = [carom.Method(stepper="semi-explicit", law=law, step=5e-3) for law in ("newton", "poisson", "plus")]
batch = carom.rollout(scene, [[[law]] for law in laws], starts,
                      parameters={"materials/plastic/friction": np.array([[0.1], [0.5]])})
print(batch.shape, batch.q.shape)  # laws, frictions, throws; then steps and coordinates
x = scene.model.position_names.index("cube.x")
print("by law and friction, m:", np.median(batch.q[..., -1, x], axis=-1).round(3).tolist())
print("unsolved steps:", int(batch.certificates["unsolved_steps"].sum()))
later = carom.rollout(scene, [[[law]] for law in laws], batch.ends, steps=20)  # goes on from the ends
