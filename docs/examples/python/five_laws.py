"""One throw under five impact laws: how far apart do the cubes come to rest?"""
import carom
import numpy as np

laws = ["newton", "poisson", "plus", "stronge", "plastic"]
paths = [carom.run("scenes/cube_toss.yaml", f"{law}.h5", stepper="semi-explicit", law=law).vector("cube.position") for law in laws]
apart = np.linalg.norm([[a[-1] - b[-1] for b in paths] for a in paths], axis=2)
print(np.round(1000 * apart, 1), "mm")
