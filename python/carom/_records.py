"""Records of runs: opened by name, read column by column."""

from __future__ import annotations

import html
import json
import pathlib
import re
import tempfile
from typing import Any, Iterable, Iterator, Union

import numpy as np

from . import _carom
from ._loads import ContactForce, GroundReaction, JointReaction, Loads

Table = Union[list[str], GroundReaction, JointReaction, ContactForce]


class Run(Loads):
    """A record of a run. Its columns are those that `carom export --list` names; each is read when it is asked for.

    run["hip.torque"] is an array (frames,), run.vector("box.position") one of (frames, 3), and run.unit(name) says in
    what. `time` is in s. A name that there is not raises Error with the nearest one. While h5py has the file open in the
    same process, it can't be read here.
    """

    def __init__(self, path: str | pathlib.Path) -> None:
        self.path = str(path)
        self._names = {name: (unit, meaning) for name, unit, meaning in _carom._column_names(self.path)}
        self._summary: dict[str, Any] | None = None

    @property
    def columns(self) -> list[str]:
        """Names of all columns."""
        return list(self._names)

    def unit(self, name: str) -> str:
        """Unit of a column; raises KeyError if there is none of that name."""
        return str(self._names[name][0])

    def meaning(self, name: str) -> str:
        """A few words on a column; raises KeyError if there is none of that name."""
        return str(self._names[name][1])

    def __getitem__(self, name: str) -> np.ndarray:
        return self.values([name])[name]

    def values(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Columns by name, each (frames,), read together."""
        exact = [re.sub(r"([*?\[\\])", r"\\\1", name) for name in names]  # names, not patterns
        return {found: np.asarray(values) for found, _, _, values in _carom._columns(self.path, exact)}

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    @property
    def time(self) -> np.ndarray:
        """(frames,) s"""
        return self["time"]

    def vector(self, name: str) -> np.ndarray:
        """(frames, 3): the columns NAME.x, NAME.y and NAME.z."""
        return self._vectors([name])[0]

    @property
    def summary(self) -> dict[str, Any]:
        """What `carom run --json` prints of it: state, bodies, outputs, events, certificate."""
        if self._summary is None:
            self._summary = json.loads(_carom._run_json(self.path))
        return self._summary

    @property
    def certificate(self) -> dict[str, Any]:
        """The certificate's numbers by name; None where one does not apply."""
        return dict(self.summary["certificate"])

    def to_csv(self, path: str | pathlib.Path, columns: Table | None = None) -> None:
        """Writes a table. columns: names, in which * and ? stand for anything; or what ground_reaction, joint_reaction or
        contact_force gave; all columns if left out."""
        if columns is None or isinstance(columns, list):
            text = _carom._csv(self.path, columns or [])
        else:
            text = _carom._csv_of(list(columns.table().items()))
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def to_sto(self, path: str | pathlib.Path, columns: Table | None = None) -> None:
        """The same in OpenSim's storage format, which its .mot files have, too; axes stay the scene's."""
        name = pathlib.Path(path).stem
        if columns is None or isinstance(columns, list):
            text = _carom._sto(self.path, columns or [], name)
        else:
            text = _carom._sto_of(list(columns.table().items()), name)
        pathlib.Path(path).write_text(text, encoding="utf-8")

    def page(self, path: str | pathlib.Path) -> None:
        """Writes the page with the player, which needs no server."""
        _carom._write_page(self.path, str(path))

    def __repr__(self) -> str:
        return f"Run('{self.path}', {len(self.time)} frames, {len(self._names)} columns)"

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "run.html"
            self.page(page)
            text = page.read_text(encoding="utf-8")
        return f'<iframe style="width: 100%; height: 640px; border: 0" srcdoc="{html.escape(text)}"></iframe>'


def open(path: str | pathlib.Path) -> Run:
    """A record that is there. Raises Error if the file is none."""
    return Run(path)


def run(scene: Any, out: str | pathlib.Path, **settings: Any) -> Run:
    """Simulates a scene to its end and records it at `out`, which must end in .h5. scene: a Scene, or a path as for
    load, with its settings. Ctrl-C leaves a record of the steps taken. Raises as load does."""
    if not isinstance(scene, _carom.Scene):
        scene = _carom.load(str(scene), **settings)
    elif settings:
        raise TypeError("settings are for a path; a Scene has its own already")
    _carom._run_scene(scene, str(out))
    return Run(out)
