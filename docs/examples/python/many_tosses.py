"""A thousand throws, turned at random, on all cores: where do they end?"""
import carom
import numpy as np

vary = {"speed": {"at": "bodies/cube/velocity/0", "normal": [0.9, 0.1]}, "step": {"at": "method/step", "values": [0.005]}}
for i, angle in enumerate(("roll", "pitch", "yaw")):
    vary[angle] = {"at": f"bodies/cube/orientation/roll_pitch_yaw/{i}", "uniform": [0, 6.283]}
tosses = carom.sweep("scenes/cube_toss.yaml", vary, outputs={"end": "cube.position"}, runs=1000, seed=1)
quantiles = np.quantile(tosses["end"][:, :2], [0.05, 0.5, 0.95], axis=0)
print("5 %, 50 %, 95 % of x and y:", np.round(quantiles, 3), "m;", int(tosses["unsolved_steps"].sum()), "unsolved steps")
