"""Carom: multibody dynamics with frictional contact and impacts (docs/manual/from-python.md).

Names are those of the C++ library and of scene files. Lengths are in m, times in s, masses in kg, angles in rad;
quaternions are w, x, y, z; spatial vectors have their angular part first.
"""

from __future__ import annotations

from typing import Any

from . import _carom
from ._carom import *  # noqa: F401,F403
from ._carom import Scene, __version__
from ._loads import ContactForce, GroundReaction, JointReaction
from ._records import Run, open, run  # noqa: F401
from ._errors import Diagnostic, Error, OutputError, RunFailure, SceneError


def load(path: str, **settings: Any) -> Scene:
    """Reads a scene file, or a model file (URDF, SDFormat, MJCF) that is put on level ground.

    Of any file: stepper, law, dynamics, cone (words), step and duration (s). Of a scene: parameters, a dict of its
    parameters, each a number or a text with a unit ("20 deg"). Of a model file: drop (m above the ground), friction,
    fixed (welds its base), relax_inertia, keyframe, self_collision ("auto", "all", "none"), joints (a dict of where
    they start, rad or m), search_path (folders for package:// and model://).

    Raises SceneError with every fault of a scene, and Error.
    """
    return _carom.load(str(path), **settings)
