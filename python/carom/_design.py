"""A mechanism changed as little as possible so that its contacts are where they should be."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from . import _carom
from ._progress import Progress, told
from ._study import Array, Path


@dataclass(frozen=True)
class DesignedUnknown:
    """A number of the scene that the design may change."""

    name: str
    path: str  #: in the scene
    before: float
    after: float
    lower: float
    upper: float
    at_bound: int  #: after: −1 at the lower bound, 1 at the upper one, 0 between
    share: float  #: of the squared change of all


@dataclass(frozen=True)
class DesignedCondition:
    """A quantity that is to equal a number, or to be at least or at most that."""

    told: str
    target: float
    before: float
    after: float
    miss: float  #: after, by how much it is not met
    met: bool


@dataclass(frozen=True)
class DesignedImpact:
    """The contacts of a study at the scene's start, without friction."""

    gap: Array  #: (contacts,) m
    A: Array  #: (contacts, contacts) 1/kg
    u: Array  #: (contacts,) > 0 opening, m/s
    kinetic_energy: float  #: J
    words: str  #: whether an elastic impact there has one outcome
    outcomes: int
    indeterminacy: float  #: distance of the outcomes farthest apart, over √(2 E)


@dataclass(frozen=True)
class Design:
    """The mechanism that meets the conditions, or the reason why none does."""

    scene: str  #: path that the study begins with
    met: bool  #: all conditions
    why: str  #: sentences, where they are not met
    unknowns: dict[str, DesignedUnknown]
    conditions: list[DesignedCondition]
    before: DesignedImpact
    after: DesignedImpact
    change: float  #: √Σ ((after − before) / scale)²
    stationarity: float  #: how far it is from the least change; −1: not known
    overlaps: list[str]  #: of other shapes, after
    scene_text: str = field(repr=False)  #: of the designed scene
    text: str = field(repr=False)

    @property
    def words(self) -> str:
        """The outcome in a sentence or two."""
        return self.after.words if self.met else self.why

    def table(self) -> str:
        """The tables that the command prints."""
        return self.text

    def write(self, path: Path) -> None:
        """Writes the designed scene, YAML, in a folder that is there. Raises Error where something else would be lost, or
        the scene does not load from there."""
        _carom._write_scene(self.scene_text, os.fspath(path), self.scene)


def design(study: Path, *, progress: Progress = None) -> Design:
    """Does what a study file asks for, as `carom design` does (docs/manual/design.md). Conditions that can't be met are a
    result, with `why`. progress: True for a bar, or a function of (share, what). Releases the GIL; Ctrl-C stops it. Raises
    SceneError and Error if study and scene do not fit each other."""
    with told(progress) as report:
        found = _carom._design(os.fspath(study), report)
    return Design(unknowns={each["name"]: DesignedUnknown(**each) for each in found.pop("unknowns")},
                  conditions=[DesignedCondition(**each) for each in found.pop("conditions")],
                  before=DesignedImpact(**found.pop("before")), after=DesignedImpact(**found.pop("after")), **found)
