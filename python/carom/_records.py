"""Records of runs: opened by name, read column by column."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from typing import Any, Iterable, Iterator, Optional, Union

import numpy as np

from . import _carom
from ._errors import UnknownName
from ._loads import ContactForce, GroundReaction, JointReaction, Loads
from ._page import inline
from ._progress import Progress, told
from ._study import Array, Path

Table = Union[list[str], GroundReaction, JointReaction, ContactForce]


class Run(Loads):
    """A record of a run. Its columns are those that `carom export --list` names; each is read when it is asked for.

    run["hip.torque"] is an array (frames,), run.vector("box.position") one of (frames, 3), and run.unit(name) says in
    what. `time` is in s. A name that there is not raises UnknownName, a KeyError, with those near it. While h5py has the
    file open in the same process, it can't be read here.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self._names = {name: (unit, meaning) for name, unit, meaning in _carom._column_names(self.path)}
        self._summary: dict[str, Any] | None = None

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._names)

    def unit(self, name: str) -> str:
        """Unit of a column; raises UnknownName, a KeyError, if there is none of that name."""
        return str(self._named(name)[0])

    def meaning(self, name: str) -> str:
        """A few words on a column; raises UnknownName, a KeyError, if there is none of that name."""
        return str(self._named(name)[1])

    def _named(self, name: str) -> tuple[str, str]:
        if name in self._names:
            return self._names[name]
        is_vector = all(f"{name}.{axis}" in self._names for axis in "xyz")
        hint = f": it is a vector, which run.vector('{name}') gives, (frames, 3)" if is_vector else ""
        raise UnknownName("column", name, self._names, hint)

    def __getitem__(self, name: str) -> Array:
        return self.values([name])[name]

    def values(self, names: Iterable[str]) -> dict[str, Array]:
        """Columns by name, each (frames,), read together; raises UnknownName as unit does."""
        names = list(names)
        for name in names:
            self._named(name)
        exact = [re.sub(r"([*?\[\\])", r"\\\1", name) for name in names]  # names, not patterns
        return {found: np.asarray(values) for found, _, _, values in _carom._columns(self.path, exact)}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    @property
    def time(self) -> Array:
        """(frames,) s"""
        return self["time"]

    def vector(self, name: str) -> Array:
        """(frames, 3): the columns NAME.x, NAME.y and NAME.z."""
        return self._vectors([name])[0]

    @property
    def summary(self) -> dict[str, Any]:
        """The object that `carom run --json` prints of it: state, bodies, outputs, events, certificate."""
        if self._summary is None:
            self._summary = json.loads(_carom._run_json(self.path))
        return self._summary

    @property
    def certificate(self) -> dict[str, Any]:
        """The certificate's numbers by name; None where one does not apply."""
        return dict(self.summary["certificate"])

    def to_csv(self, path: Path, columns: Table | None = None) -> None:
        """Writes a table. columns: names, in which * and ? stand for anything; or what ground_reaction, joint_reaction or
        contact_force gave; all columns if left out."""
        if columns is None or isinstance(columns, list):
            text = _carom._csv(self.path, columns or [])
        else:
            text = _carom._csv_of([(name, values.tolist()) for name, values in columns.table().items()])
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def to_sto(self, path: Path, columns: Table | None = None) -> None:
        """The same in OpenSim's storage format, which its .mot files have, too; axes stay the scene's."""
        name = pathlib.Path(path).stem
        if columns is None or isinstance(columns, list):
            text = _carom._sto(self.path, columns or [], name)
        else:
            text = _carom._sto_of([(name, values.tolist()) for name, values in columns.table().items()], name)
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def page(self, path: Path) -> None:
        """Writes the page with the player, which needs no server."""
        _carom._write_page(self.path, str(path))

    def __repr__(self) -> str:
        return f"Run('{self.path}', {len(self.time)} frames, {len(self._names)} columns)"

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "run.html"
            self.page(page)
            text = page.read_text(encoding="utf-8")
        return inline(text)


def open(path: Path) -> Run:
    """A record that is there. Raises Error if the file is none."""
    return Run(path)


def run(scene: Any, out: Path, *, progress: Progress = None, **settings: Any) -> Run:
    """Simulates a scene to its end and records it at `out`, which must end in .h5. The scene is a Scene, or a path as
    for load, with its settings. Set progress to True for a bar, or to a function of (share, what). Ctrl-C leaves a
    record of the steps taken, which resume goes on with. Raises as load does."""
    if not isinstance(scene, _carom.Scene):
        scene = _carom._load(os.fspath(scene), settings)
    elif settings:
        raise TypeError("settings are for a path; a Scene has its own already")
    with told(progress) as report:
        _carom._run_scene(scene, os.fspath(out), report)
    return Run(out)


def resume(path: Path, duration: Optional[float] = None, *, progress: Progress = None) -> Run:
    """Goes on with the record of a run that was stopped, or with another duration, s: bit for bit as if it had not been.
    Raises Error if it is at its end, or a controller of a program acted in it."""
    with told(progress) as report:
        _carom._resume(os.fspath(path), duration, report)
    return Run(path)
