"""One scene at smaller and smaller steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Sequence

import numpy as np

from . import _carom
from ._errors import UnknownName
from ._progress import Progress, told
from ._study import Array, Names, Path, Source, listed, positive, source_of, write_csv


@dataclass(frozen=True)
class MethodConvergence:
    """A method's runs, from the largest step. Arrays have an entry for each run; NaN where there is no number."""

    method: str
    words: str  #: what the figures say, a sentence or two
    order: float  #: of all changes; NaN where none is seen
    estimate: float  #: Richardson's, of the last run's error, m; NaN where there is none
    reference: str  #: method with error control that it is held against; empty for none
    note: str  #: why runs or the reference are missing; empty for none
    step: Array  #: (runs,) s
    steps: Array  #: (runs,)
    seconds: Array  #: (runs,) of computing
    change: Array  #: (runs,) largest distance from the run with the next step, m
    change_order: Array
    error: Array  #: (runs,) largest distance from the reference, m
    error_order: Array
    end_error: Array  #: (runs,) distance from the reference at the end, m
    own_error: Array  #: (runs,) distance from the last run, of that its estimate, m
    trials: Array  #: (runs,) steps
    unsolved_steps: Array
    accuracy: Array  #: (chosen,) of runs that chose their steps by an accuracy
    accuracy_trials: Array  #: (chosen,) parts of steps that were tried
    accuracy_seconds: Array  #: (chosen,) of computing
    accuracy_own_error: Array  #: (chosen,) distance from the last run with fixed steps, m
    accuracy_error: Array  #: (chosen,) distance from the reference, m


@dataclass(frozen=True)
class Convergence:
    """One scene by some methods with smaller and smaller steps."""

    scene: str
    duration: float  #: s
    methods: list[MethodConvergence]
    text: str = field(repr=False)

    @property
    def words(self) -> str:
        """The figures in words, a paragraph for each method."""
        return "\n\n".join(method.words for method in self.methods)

    def __getitem__(self, method: str) -> MethodConvergence:
        for each in self.methods:
            if each.method == method:
                return each
        raise UnknownName("method", method, [each.method for each in self.methods])

    def table(self) -> str:
        """The words and tables that the command prints."""
        return self.text

    def to_csv(self, path: Path) -> None:
        """A line for each run, with the names of MethodConvergence."""
        names = ["step", "steps", "seconds", "change", "change_order", "error", "error_order", "end_error",
                 "own_error", "trials", "unsolved_steps"]
        rows = []
        for each in self.methods:
            columns = np.column_stack([getattr(each, name) for name in names])
            rows += [[each.method, *row] for row in columns.tolist()]
        write_csv(path, ["method", *names], rows)


def converge(scene: Source, methods: Names = None, *, steps: Sequence[float] = (),
             accuracies: Sequence[float] = (1e-2, 1e-3, 1e-4), budget: float = 10, progress: Progress = None, **settings: Any) -> Convergence:
    """Runs a scene at smaller and smaller steps, as `carom converge` does.

    The scene is a Scene, a path with settings as for load, or a record. Each of methods is "STEPPER/LAW"; the scene's
    own if left out. The steps are in s; if left out, the scene's is halved six times. Further runs choose their steps
    by accuracies, 1e-8 to 0.1. The budget is s of computing for each method, beyond which no further run begins. Set
    progress to True for a bar, or to a function of (share, what). Releases the GIL; Ctrl-C stops it. Raises as load
    does, and Error for steps that share too few instants, or a method whose motion does not depend on the step.
    """
    with told(progress) as report:
        found = _carom._converge(source_of(scene), settings, listed(methods),
                                 [positive("steps", float(step)) for step in steps],
                                 [float(accuracy) for accuracy in accuracies], positive("budget", budget), report)
    return Convergence(methods=[MethodConvergence(**method) for method in found.pop("methods")], **found)
