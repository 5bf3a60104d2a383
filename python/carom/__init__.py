"""Carom: multibody dynamics with frictional contact and impacts (docs/manual/from-python.md).

Names are those of the C++ library and of scene files. Units are m, s, kg and rad. Quaternions are w, x, y, z. Spatial
vectors have their angular part first.
"""

from __future__ import annotations

import os as _os
from typing import Any as _Any

from . import _carom
from ._carom import *
from ._carom import Scene as Scene, __version__ as __version__
from ._comparison import ComparedRun as ComparedRun, Comparison as Comparison, Parting as Parting, compare as compare
from ._convergence import Convergence as Convergence, MethodConvergence as MethodConvergence, converge as converge
from ._design import (
    Design as Design,
    DesignedCondition as DesignedCondition,
    DesignedImpact as DesignedImpact,
    DesignedUnknown as DesignedUnknown,
    design as design,
)
from ._fit import (
    Fit as Fit,
    FitBias as FitBias,
    FittedColumn as FittedColumn,
    FittedMotion as FittedMotion,
    FittedNumber as FittedNumber,
    RankedMethod as RankedMethod,
    fit as fit,
)
from ._impact import ImpactStudy as ImpactStudy, LawLanding as LawLanding, impact as impact
from ._loads import ContactForce as ContactForce, GroundReaction as GroundReaction, JointReaction as JointReaction
from ._records import Run as Run, open as open, resume as resume, run as run
from ._rollout import Rollout as Rollout, rollout as rollout
from ._solve import (
    LinearSolution as LinearSolution,
    Solution as Solution,
    solve as solve,
    solve_linear as solve_linear,
)
from ._study import Path as _Path
from ._sweep import Sweep as Sweep, sweep as sweep
from ._errors import (
    Diagnostic as Diagnostic,
    Error as Error,
    OutputError as OutputError,
    RunFailure as RunFailure,
    SceneError as SceneError,
    UnknownName as UnknownName,
)


def load(path: _Path, **settings: _Any) -> Scene:
    """Reads a scene file, or a model file (URDF, SDFormat, MJCF) that is put on level ground.

    Settings of any file are stepper, law, dynamics, cone, smooth (words), step and duration (s). A scene also takes parameters,
    a dict of its parameters, each a number or a text with a unit ("20 deg"). A model file also takes drop (m above the
    ground), friction and gravity. Gravity is (3,) m/s², the file's own if left out: a slope is ground under gravity
    that is not along −z. More settings of a model file are fixed (welds its base), relax_inertia, keyframe,
    self_collision ("auto", "all", "none") and meshes ("hulls", or "parts": convex parts in place of colliding meshes
    that are not convex, kept in the user's cache). A dict joints says where they start, rad or m; search_path lists folders for
    package:// and model://.

    Raises SceneError with every fault of a scene, and Error.
    """
    return _carom._load(_os.fspath(path), settings)
