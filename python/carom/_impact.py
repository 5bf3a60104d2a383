"""One impact under every law."""

from __future__ import annotations

import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _carom
from ._errors import UnknownName
from ._page import inline
from ._progress import Progress, told
from ._study import Array, Names, Path, Source, listed, positive, source_of, write_csv


@dataclass(frozen=True)
class LawLanding:
    """The end to which a law takes the impact. Rows of contacts are in the order of ImpactStudy.contacts."""

    law: str
    refusal: str  #: why it can't say, a sentence; empty if it can. If not, numbers are NaN
    v: Array  #: (velocity_count,) after
    impulse: Array  #: (contacts, 3) on body A, contact frame (x, y, normal), N s; NaN without a part in it
    before: Array  #: (contacts, 3) velocity of A relative to B, contact frame, m/s
    after: Array  #: (contacts, 3) likewise
    energy_ratio: float  #: kinetic energy after over that before
    momentum_residual: float  #: relative
    nearest_outcome: int  #: row of ImpactStudy.outcomes; −1 for none
    outcome_distance: float  #: from it, kinetic metric, over √(2 E)
    hull_distance: float  #: from the convex hull of all outcomes, likewise


@dataclass(frozen=True)
class ImpactStudy:
    """The impact at hand under every law, among all outcomes of its frictionless picture."""

    scene: str
    time: float  #: s
    at_start: bool
    earlier: int  #: impacts that the motion met on the way
    words: str  #: what it comes to, in plain words
    q: Array  #: (position_count,)
    v: Array  #: (velocity_count,) before
    contacts: list[str]  #: names
    strikes: NDArray[np.bool_]  #: (contacts,) it approaches
    points: Array  #: (contacts, 3) on the surface of A, world, m
    normals: Array  #: (contacts, 3) from B towards A, world
    laws: list[LawLanding]
    outcomes: Array  #: (outcomes, velocity_count) that impacts at one contact after another can lead to
    plastic: Array  #: (k, velocity_count) on the span of the contacts, and on the feasible cone
    no_outcomes: str  #: why there are none, a sentence
    text: str = field(repr=False)
    html: str = field(repr=False)  #: the page of `carom impact`

    def __getitem__(self, law: str) -> LawLanding:
        for landing in self.laws:
            if landing.law == law:
                return landing
        raise UnknownName("law", law, [landing.law for landing in self.laws])

    def table(self) -> str:
        """The words and tables that the command prints."""
        return self.text

    def to_csv(self, path: Path) -> None:
        """A line for each law and contact: impulse, N s, and velocity after, m/s, along x, y, normal."""
        rows = [[landing.law, name, *impulse, *after] for landing in self.laws for name, impulse, after in
                zip(self.contacts, landing.impulse.tolist(), landing.after.tolist())]
        axes = ("x", "y", "normal")
        write_csv(path, ["law", "contact", *(f"impulse.{a}" for a in axes), *(f"after.{a}" for a in axes)], rows)

    def _repr_html_(self) -> str:
        return inline(self.html)


def impact(scene: Source, at: Union[str, float] = "first", laws: Names = None, *, blend: Optional[float] = None,
           budget: int = 20000, patience: float = 30, progress: Progress = None, **settings: Any) -> ImpactStudy:
    """Poses one impact of a scene under every law, as `carom impact` does.

    The scene is a Scene, a path with settings as for load, or a record. The impact is at "first" (of the motion),
    "start", or a time, s, after which it is the first. Names in laws choose the laws; all if left out. The blends have
    the restitution `blend`. Each enumeration has a budget of momenta. The patience is s of computing for the search.
    Set progress to True for a bar, or to a function of (share, what). Releases the GIL; Ctrl-C stops the search. Raises
    as load does, and Error if there is no impact.
    """
    with tempfile.TemporaryDirectory() as folder, told(progress) as report:
        page = pathlib.Path(folder, "impact.html")
        found = _carom._impact(source_of(scene), settings, at if isinstance(at, str) else repr(float(at)), listed(laws),
                               blend, budget, positive("patience", patience), str(page), report)
        html = page.read_text(encoding="utf-8")
    return ImpactStudy(laws=[LawLanding(**law) for law in found.pop("laws")], html=html, **found)
