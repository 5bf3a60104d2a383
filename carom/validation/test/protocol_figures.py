"""Figures of the protocol that comes with the measurements, for these and for simulated poses.

    protocol_figures.py DATA_FOLDER SIMULATED.h5 COUNT

SIMULATED.h5 holds /pose (frames, 7) and /offsets of the tosses that Carom chose. Prints one JSON object: the numbers of
the tosses that the protocol chooses and their frames. Each toss has its release (p, q, v, w) and its errors.
"""

import json
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import h5py  # noqa: E402
import protocol  # noqa: E402

poses, numbers = protocol.load(sys.argv[1] + "/tosses_train.h5")
keep = protocol.distinct(poses)
count = int(sys.argv[3])
chosen = [keep[len(keep) * i // count] for i in range(count)]
with h5py.File(sys.argv[2], "r") as file:
    at = file["offsets"][:]
    simulated = [file["pose"][a:b] for a, b in zip(at[:-1], at[1:])]
measured = [poses[k] for k in chosen]
same = [len(a) == len(b) for a, b in zip(simulated, measured)]
print(json.dumps({
    "numbers": [int(numbers[k]) for k in chosen],
    "frames": [len(p) for p in measured],
    "release": [protocol.initial_state(p)[0].tolist() for p in measured],
    "errors": protocol.toss_errors(simulated, measured).tolist() if all(same) else [],
}))
