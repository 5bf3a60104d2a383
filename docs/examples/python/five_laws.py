"""One throw under five impact laws: how far apart are the motions?"""
import carom
import numpy as np

laws = ["newton", "poisson", "plus", "stronge", "plastic"]
comparison = carom.compare("scenes/cube_toss.yaml", [f"semi-explicit/{law}" for law in laws], budget=2)
print(np.round(1000 * comparison.largest_distance, 1), "mm")
