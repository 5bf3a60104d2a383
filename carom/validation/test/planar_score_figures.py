"""Figures of the scorer that comes with the planar impacts, for predictions.

    planar_score_figures.py DATA_FOLDER MEASURED.h5 PREDICTED.h5

Prints one JSON object. For each body it has the numbers of the scored impacts, their folds and the errors (columns
kinetic, plain, energy_grown). It also has the means and medians with intervals.
"""

import json
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import h5py  # noqa: E402
import numpy as np  # noqa: E402
import protocol  # noqa: E402

figures = {}
for body in ("ellipse", "square"):
    impacts = protocol.Impacts(sys.argv[2], body)
    with h5py.File(sys.argv[3], "r") as file:
        errors = protocol.errors(file[body]["v_post"][:], impacts)
    figures[body] = {
        "numbers": impacts.id.tolist(),
        "folds": protocol.folds(impacts).tolist(),
        "errors": errors.tolist(),
        "mean": protocol.interval(errors[:, 0]),
        "median": protocol.interval(errors[:, 0], np.median),
        "plain_median": protocol.interval(errors[:, 1], np.median),
    }
print(json.dumps(figures))
