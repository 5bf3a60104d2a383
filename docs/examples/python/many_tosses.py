"""A thousand throws with random starts, on all cores: where do they end?"""
import carom
import numpy as np

scene = carom.load("scenes/cube_toss.yaml", step=0.005, duration=1.0)
random = np.random.default_rng(1)
states = [scene.initial for _ in range(1000)]
for state in states:
    turn = carom.Transform.of_quaternion(random.normal(size=4), [0, 0, 0.3])
    state.set_pose(scene.model, "cube", turn)
q, v, time, certificates = carom.rollout(scene.model, scene.method, states, steps=scene.steps)
ends = q[:, -1, 4:6]
print(f"mean {ends.mean(axis=0)}, deviation {ends.std(axis=0)}; unsolved steps: {sum(c.unsolved_steps for c in certificates)}")
