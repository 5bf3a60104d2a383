"""One scene under several methods."""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from . import _carom
from ._carom import Certificate
from ._errors import UnknownName
from ._page import inline
from ._progress import Progress, told
from ._study import Array, Names, Path, Source, listed, positive, source_of, write_csv


@dataclass(frozen=True)
class ComparedRun:
    """The run of one method, with its step halved until the motion changed by less than the tolerance."""

    method: str
    step: float  #: s, of the last trial
    steps: int
    settled: bool  #: the last halving changed the motion by less than the tolerance
    error: Array  #: (samples,) estimate of its error until then, m; empty where it ran once only
    trouble: str  #: why it ended before its time, a sentence; empty if it did not
    warnings: list[str]
    times: Array  #: (samples,) s
    position: Array  #: (samples, bodies, 3) of the bodies' frames, world axes, m
    energy: Array  #: (samples,) kinetic and potential, J
    certificate: Certificate
    record: str  #: path; empty where none was asked for


@dataclass(frozen=True)
class Parting:
    """Two runs that part beyond their errors and the tolerance."""

    first: str  #: method
    second: str
    time: float  #: of the first sample at which they have parted, s
    largest: float  #: distance over the whole run, m
    cause: str  #: the pair of bodies, or the joint, whose contact did it; empty where none did


@dataclass(frozen=True)
class Comparison:
    """One scene under several methods: what agrees, what parts, where, and by how much.

    The distance of two motions is the root mean square distance of the places of a body's points of mass. It is that of
    the body for which it is largest.
    """

    scene: str
    duration: float  #: s
    tolerance: float  #: m
    extent: float  #: of the motion: largest distance of a body from its start, m
    reference: str  #: the method that others are drawn against
    verdict: str  #: a sentence on the law and one on the step: do they decide the result?
    words: str  #: what agrees and what parts, in plain words
    runs: list[ComparedRun]
    distance: Array  #: (runs, runs, samples) of every two motions, m; NaN where one of them has ended
    groups: list[list[str]]  #: methods that agree to the end
    partings: list[Parting]
    left_out: dict[str, str]  #: methods that can't run the scene, with the reason
    text: str = field(repr=False)
    html: str = field(repr=False)  #: the page of `carom compare`; empty where the player was not built

    @property
    def methods(self) -> list[str]:
        return [run.method for run in self.runs]

    @property
    def times(self) -> Array:
        """(samples,) s, of the longest run: those that all share."""
        return max((run.times for run in self.runs), key=len)

    @property
    def largest_distance(self) -> Array:
        """(runs, runs) over the whole motion, m."""
        return np.asarray(np.nanmax(self.distance, axis=2))

    def __getitem__(self, method: str) -> ComparedRun:
        for run in self.runs:
            if run.method == method:
                return run
        raise UnknownName("method", method, self.methods)

    def table(self) -> str:
        """The words and tables that the command prints."""
        return self.text

    def to_csv(self, path: Path) -> None:
        """A line for each sample: time, s, and the distance of each method from the reference, m."""
        from_reference = self.distance[self.methods.index(self.reference)]
        write_csv(path, ["time", *self.methods], np.column_stack([self.times, from_reference.T]).tolist())

    def _repr_html_(self) -> Optional[str]:
        return inline(self.html) if self.html else None


def compare(scene: Source, methods: Names = None, *, cone: str = "exact", tolerance: Optional[float] = None,
            budget: float = 10, records: Optional[Path] = None, progress: Progress = None, **settings: Any) -> Comparison:
    """Runs a scene by several methods and sets the motions side by side, as `carom compare` does.

    The scene is a Scene, a path with settings as for load, or a record. Each of methods is "STEPPER/LAW"; all that make
    sense if left out. The tolerance is in m, by default a two hundredth of the extent of the motion. The budget is s of
    computing for each method. A record of each run goes to the folder records, which is made where there is none. Set
    progress to True for a bar, or to a function of (share, what). Releases the GIL; Ctrl-C stops it. Raises as load
    does, and Error if no method is left.
    """
    settings["cone"] = cone
    with tempfile.TemporaryDirectory() as folder, told(progress) as report:
        page = pathlib.Path(folder, "comparison.html")
        kept = pathlib.Path(records or folder)
        kept.mkdir(parents=True, exist_ok=True)
        found = _carom._compare(source_of(scene), settings, listed(methods),
                                0.0 if tolerance is None else positive("tolerance", tolerance),
                                positive("budget", budget), str(kept), str(page), report)
        html = page.read_text(encoding="utf-8") if page.exists() else ""
    runs = [ComparedRun(**{**run, "record": run["record"] if records else ""}) for run in found.pop("runs")]
    partings = [Parting(**parting) for parting in found.pop("partings")]
    return Comparison(runs=runs, partings=partings, html=html, **found)
