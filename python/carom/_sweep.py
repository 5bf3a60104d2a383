"""Many runs of one scene."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _carom
from ._cluster import run_on
from ._errors import UnknownName
from ._page import inline
from ._progress import Progress, told
from ._study import Array, Names, Path, listed


@dataclass(frozen=True)
class Sweep:
    """Many runs of one scene, a case each. sweep["peak"] is an array (cases,); of a vector's name, (cases, components)."""

    varied: list[str]  #: names of what differs
    outputs: list[str]  #: names
    columns: list[str]  #: the outputs, then time, steps, …, and the numbers of the certificate
    numbers: Array = field(repr=False)  #: (cases, varied and columns); NaN where there is no number
    case: NDArray[np.int64] = field(repr=False)  #: (cases,) number of each
    ok: NDArray[np.bool_] = field(repr=False)  #: (cases,) done, and every line of the certificate is good
    status: NDArray[np.str_] = field(repr=False)  #: (cases,) done, stopped, failed, refused or crashed
    reason: NDArray[np.str_] = field(repr=False)  #: (cases,) a sentence, or the lines that need a look
    method: NDArray[np.str_] = field(repr=False)  #: (cases,) empty for the scene's own
    earlier: int  #: cases that an earlier call has done, by the journal
    csv: str = field(repr=False)
    text: str = field(repr=False)
    study: tuple[str, str] = field(repr=False)  #: path, and the study's text where no file has it

    def __len__(self) -> int:
        return len(self.case)

    def __iter__(self) -> Iterator[str]:
        return iter(self.varied + self.columns)

    def __getitem__(self, name: str) -> Array:
        names = self.varied + self.columns
        if name in names:
            return self.numbers[:, names.index(name)]
        parts = [i for i, each in enumerate(names) if each.startswith(name + ".")]
        if not parts:
            raise UnknownName("column", name, names)
        return self.numbers[:, parts]

    def grid(self, rows: str, columns: str, output: str) -> tuple[Array, Array, Array]:
        """A map over two of what is varied. Returns the values of `rows` (m,) and `columns` (n,), ascending, and the
        mean of `output` (m, n) over the cases there. The mean is NaN where there are none."""
        y, i = np.unique(self[rows], return_inverse=True)
        x, j = np.unique(self[columns], return_inverse=True)
        values = self[output]
        there = ~np.isnan(values)
        total, count = np.zeros((len(y), len(x))), np.zeros((len(y), len(x)))
        np.add.at(total, (i[there], j[there]), values[there])
        np.add.at(count, (i[there], j[there]), 1)
        return y, x, np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)

    @property
    def words(self) -> str:
        """Counts of all cases, and of those that need a look."""
        whole = int(np.sum(self.ok))
        return f"{len(self)} cases, {whole} of them without anything to look at"

    def table(self) -> str:
        """The tables that the command prints: distributions of the outputs, and cases that need a look."""
        return self.text

    def to_csv(self, path: Path) -> None:
        """The table that the command writes, a line for each case."""
        pathlib.Path(path).write_text(self.csv, encoding="utf-8")

    def to_hdf5(self, path: Path) -> None:
        """The same as HDF5, as the command writes it (docs/manual/sweep.md)."""
        _carom._write_sweep_hdf5(self._told(), os.fspath(path))

    def page(self, path: Path) -> None:
        """Writes the command's page: distributions, maps of each output over two of what is varied, and runs to be
        played. Those are simulated anew: the runs that need a look, or those at the extremes of the first output."""
        _carom._write_sweep_page(*self.study, self._told(), os.fspath(path))

    def _repr_html_(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "sweep.html"
            self.page(page)
            return inline(page.read_text(encoding="utf-8"))

    def _told(self) -> dict[str, Any]:
        """The data from which the compiled part makes its table."""
        told: dict[str, Any] = {name: getattr(self, name).tolist() for name in ("case", "ok", "status", "reason", "method")}
        return {**told, "varied": self.varied, "outputs": self.outputs, "columns": self.columns, "numbers": self.numbers}


def sweep(scene: Path, vary: Optional[Mapping[str, Any]] = None, *, outputs: Optional[Mapping[str, str]] = None,
          methods: Names = None, runs: int = 1, seed: int = 0, sampling: str = "random", keep: str = "none",
          iterations: Optional[int] = None, records: Optional[Path] = None, journal: Optional[Path] = None,
          threads: int = 0, client: Any = None, progress: Progress = None) -> Sweep:
    """Runs a scene many times, as `carom sweep` does (docs/manual/sweep.md).

    The scene is the path of a study, and then nothing else says what is run. Or it is that of a scene, with `vary`: all
    that differs. Each is a list or an array of values of a parameter, or a dict as in a study file. Such a dict has
    `at`, a path in the scene ({"at": "bodies/cube/orientation", "rotation": "uniform"}). Cases are all combinations.
    The outputs are formulas over the columns of a record. Each of methods is "STEPPER/LAW". Random values are drawn in
    so many runs, from seed by sampling ("random", "latin", "sobol"). With keep, records are kept in the folder
    `records`: "none", "not_ok" or "all". After so many iterations of its solvers a case is stopped.

    The journal is a file in which a line stands for each case that is done. A call with the same journal does the
    others only, whatever ended the one before. With 0 threads all cores work; the numbers are the same on any number.
    With the client of a Dask cluster (dask.distributed.Client) its workers do the cases. They have Carom, and the files
    under the same paths. Set progress to True for a bar, or to a function of (share, what). Releases the GIL; Ctrl-C
    stops it. Raises SceneError and Error.
    """
    path = os.fspath(scene)
    asked = _asked(path, vary, outputs, methods, runs, seed, sampling, keep, iterations)
    if keep != "none" and records is None:
        raise TypeError("records: name a folder for the records that are kept")
    if client is not None and threads != 0:
        raise TypeError("threads are those of this machine; a cluster has its own")
    with tempfile.TemporaryDirectory() as folder, told(progress) as report:
        text = "" if asked is None else json.dumps(asked)
        places = (os.fspath(journal) if journal is not None else os.path.join(folder, "journal"),
                  os.fspath(records) if records is not None else os.path.join(folder, "records"))
        if client is None:
            found = _carom._sweep(path, text, threads, *places, report)
        else:
            found = run_on(client, path, text, *places, report)
    for name, kind in (("case", np.int64), ("ok", np.bool_), ("status", np.str_), ("reason", np.str_), ("method", np.str_)):
        found[name] = np.asarray(found[name], dtype=kind)
    return Sweep(study=(path, text), **found)


def _asked(path: str, vary: Optional[Mapping[str, Any]], outputs: Optional[Mapping[str, str]], methods: Names, runs: int,
           seed: int, sampling: str, keep: str, iterations: Optional[int]) -> Optional[dict[str, Any]]:
    """The study as its file would say it; None where a file does."""
    asked: dict[str, Any] = {"vary": {name: _values(values) for name, values in (vary or {}).items()},
                             "outputs": dict(outputs or {}), "methods": listed(methods), "iterations": iterations}
    asked = {key: value for key, value in asked.items() if value not in ({}, [], None)}
    usual = {"runs": (runs, 1), "seed": (seed, 0), "sampling": (sampling, "random"), "keep": (keep, "none")}
    asked.update({key: value for key, (value, default) in usual.items() if value != default})
    if not asked:
        return None
    return {"scene": os.path.basename(path), **asked}


def _values(values: Union[Mapping[str, Any], Sequence[float], Array]) -> Any:
    if isinstance(values, Mapping):
        return {key: _values(value) if isinstance(value, (Mapping, np.ndarray)) else value for key, value in values.items()}
    return [value if isinstance(value, str) else float(value) for value in values]
