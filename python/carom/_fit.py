"""Numbers of a scene fitted to measured motions."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._errors import Error, UnknownName
from ._page import inline
from ._progress import Progress, told
from ._study import Array, Names, Path, listed, write_csv

Data = Union[None, Path, Mapping[str, ArrayLike]]
Study = Union[Path, Mapping[str, Any]]


@dataclass(frozen=True)
class FittedNumber:
    """One number that was fitted, in the scene's unit."""

    name: str
    experiment: str  #: that it belongs to; empty: to all
    path: str  #: in the scene
    value: float
    interval: tuple[float, float]  #: of 95 %; NaN: not asked for
    open_low: bool  #: values down to the lower bound fit as well
    open_high: bool  #: likewise up to the upper one
    source: str  #: of the interval: "profile", "curvature" or "none"
    deviation: float  #: by the curvature; NaN: not determined
    bootstrap: tuple[float, float]  #: interval of 95 %; NaN: no bootstrap
    bounds: tuple[float, float]
    profile_values: Array  #: (points,)
    profile_rises: Array  #: (points,) of the least misfit when the number is held there

    @property
    def determined(self) -> bool:
        """Both ends of the interval were found within the bounds; False without an interval."""
        return self.source != "none" and not (self.open_low or self.open_high)


@dataclass(frozen=True)
class FittedColumn:
    """A column of the data as the fit has it."""

    name: str
    formula: str
    noise: float  #: standard deviation, in the column's unit
    estimated: bool  #: the noise is, from the residuals
    count: int  #: measurements
    misfit: float  #: root of the mean square of the residuals, in the column's unit


@dataclass(frozen=True)
class FittedMotion:
    """One experiment, measured and fitted. Arrays are (instants,); NaN where nothing was measured."""

    name: str  #: empty where the data number none
    time: Array  #: s since the scene's start
    measured: dict[str, Array]  #: by column
    fitted: dict[str, Array]
    first_impact: float  #: of the simulation, s; inf: none

    @property
    def residuals(self) -> dict[str, Array]:
        """Measured less fitted, by column."""
        return {name: values - self.fitted[name] for name, values in self.measured.items()}


@dataclass(frozen=True)
class FitBias:
    """Mean of a column's residuals over one phase of all experiments."""

    column: str
    phase: str
    count: int
    mean: float  #: measured less fitted, in the column's unit
    error: float  #: standard error of the mean
    significant: bool


@dataclass(frozen=True)
class RankedMethod:
    """A method beside others. Misfits are in units of the noise; 1 is a perfect model."""

    method: str
    misfit: float  #: NaN: left out
    held_out: float  #: of experiments that no fit had seen; NaN without folds
    difference: tuple[float, float]  #: of mean squares to the first method, 95 %; NaN without folds
    left_out: str  #: why it could not be fitted; empty: it was


@dataclass(frozen=True)
class Fit:
    """Numbers of a scene fitted to measured motions, and how well the measurements determine them. fit["friction"] is a
    FittedNumber."""

    scene: str
    data: str
    method: str  #: that the numbers are of, the first of the ranking
    names: list[str]  #: of the numbers, with the experiment where they belong to one
    numbers: list[FittedNumber]
    columns: list[FittedColumn]
    motions: list[FittedMotion]  #: by experiment
    correlations: Array  #: (numbers, numbers); NaN where one is not determined; (0, 0) without intervals
    directions: list[dict[str, float]]  #: that nothing tells: changes of the numbers along them, parts of their ranges
    biases: list[FitBias]
    ranking: list[RankedMethod]  #: best first
    smooth: bool  #: the motion depends on the numbers smoothly
    way: str  #: in which the least misfit was found, and why so
    starts: int
    agreeing: int  #: starts that ended at the same misfit
    cut: bool  #: whether the search ended with its budget of runs
    measurements: int
    misfit: float  #: root of the mean square of residuals over their noise
    rise_at_95: float  #: of the misfit, that ends an interval
    serial_correlation: float  #: of neighbouring residuals
    runs: int  #: simulations of one experiment
    sentences: list[str]  #: faults of the fit: what is not determined, what the residuals show
    words: str  #: the sentences, or that there is nothing to find fault with
    scene_text: str = field(repr=False)  #: of the scene with the numbers, those of the first experiment
    text: str = field(repr=False)
    html: str = field(repr=False)  #: the page of `carom fit`; empty where the player was not built

    @property
    def values(self) -> Array:
        """(numbers,)"""
        return np.array([number.value for number in self.numbers])

    @property
    def intervals(self) -> Array:
        """(numbers, 2) ends of the intervals of 95 %."""
        return np.array([number.interval for number in self.numbers])

    @property
    def determined(self) -> NDArray[np.bool_]:
        """(numbers,) both ends of the interval were found within the bounds."""
        return np.array([number.determined for number in self.numbers])

    @property
    def residuals(self) -> dict[str, Array]:
        """Measured less fitted by column, (instants of all experiments,); NaN where nothing was measured."""
        return {column.name: np.concatenate([motion.residuals[column.name] for motion in self.motions])
                for column in self.columns}

    def __getitem__(self, name: str) -> FittedNumber:
        if name in self.names:
            return self.numbers[self.names.index(name)]
        raise UnknownName("number", name, self.names)

    def table(self) -> str:
        """The tables and sentences that the command prints."""
        return self.text

    def to_csv(self, path: Path) -> None:
        """A line for each number: name, experiment, value, interval, open ends, deviation, bounds."""
        rows = [[each.name, each.experiment, each.value, *each.interval, int(each.open_low), int(each.open_high),
                 each.deviation, *each.bounds] for each in self.numbers]
        write_csv(path, ["name", "experiment", "value", "low", "high", "open_low", "open_high", "deviation",
                         "lower_bound", "upper_bound"], rows)

    def motions_to_csv(self, path: Path) -> None:
        """A line for each instant: experiment, time, and each column measured and fitted (NAME.fitted)."""
        names = [column.name for column in self.columns]
        rows = [[motion.name, time, *values] for motion in self.motions for time, *values in
                np.column_stack([motion.time, *(part[name] for name in names for part in (motion.measured, motion.fitted))]).tolist()]
        write_csv(path, ["experiment", "time", *(head for name in names for head in (name, name + ".fitted"))], rows)

    def write(self, path: Path) -> None:
        """Writes the fitted scene, YAML, with its comments and layout, in a folder that is there. Raises Error where
        something else would be lost, or the scene does not load from there."""
        _carom._write_scene(self.scene_text, os.fspath(path), self.scene)

    def _repr_html_(self) -> Optional[str]:
        return inline(self.html) if self.html else None


def fit(study: Study, data: Data = None, *, columns: Optional[Mapping[str, Any]] = None,
        unknowns: Optional[Mapping[str, Any]] = None, experiments: Optional[Mapping[str, Mapping[str, float]]] = None,
        methods: Names = None, loss: str = "squares", folds: int = 0, starts: int = 4, bootstrap: int = 0,
        resample: str = "residuals", seed: int = 0, runs: int = 0, smooth: Optional[bool] = None,
        intervals: str = "profile", threads: int = 0, progress: Progress = None) -> Fit:
    """Fits numbers of a scene to measured motions, as `carom fit` does (docs/manual/fit.md).

    The study is the path of a study; then only `data` may be given beside it, in place of its own. Or it is a dict of
    what such a file says, paths from the current folder. Or it is the path of a scene, with `columns` and `unknowns`.
    The data are the path of a CSV or HDF5 file, or a dict of arrays (instants,). They have "time" (s since the scene's
    start), columns, NaN where nothing was measured, and "experiment" where there are several. An array "head" of shape
    (instants, m) is m columns "head/0", "head/1", …. Each of columns is a formula, or
    a dict of formula and noise. Each of unknowns is (least, greatest), or a dict of bounds, at (a path in the scene),
    scale ("log"), per ("experiment"). Known values of single experiments are a dict of {path: number} by name. Methods
    to be ranked are "STEPPER/LAW" each. The loss is "squares", "soft_l1" or "huber". Each of the folds, parts of the
    experiments, is predicted by a fit to the others. The bootstrap draws so many resamples of "residuals" or
    "experiments"; 0: none. Each search ends after so many runs, simulations of one experiment; 0: without a bound.
    Whether the motion is smooth by the unknowns is tested if None. Intervals are by a "profile" of each number, many
    simulations, by the "curvature", or "none". With 0 threads all cores work; the numbers are the same on any number.

    progress: True for a bar, or a function of (share, what). Releases the GIL; Ctrl-C stops it. Raises SceneError and
    Error if study, scene and data do not fit each other.
    """
    asked: dict[str, Any] = {
        "columns": dict(columns or {}), "unknowns": {name: _unknown(each) for name, each in (unknowns or {}).items()},
        "experiments": {str(name): {path: float(x) for path, x in known.items()} for name, known in (experiments or {}).items()},
        "methods": listed(methods), "loss": loss, "folds": folds, "starts": starts, "bootstrap": bootstrap,
        "resample": resample, "seed": seed, "runs": runs, "intervals": intervals,
        "smooth": "" if smooth is None else smooth if isinstance(smooth, str) else "yes" if smooth else "no"}
    asked = {key: value for key, value in asked.items() if value not in ({}, [], _USUAL.get(key))}
    if isinstance(study, Mapping):
        if asked:
            raise TypeError(f"{', '.join(asked)}: the study says this itself")
        asked, path = dict(study), "study"
        own = asked.pop("data", None)
        data = own if data is None else data
        if data is None:
            raise TypeError("data: name a CSV or HDF5 file, or give a dict of arrays")
    else:
        path = os.fspath(study)
        if asked:
            asked["scene"] = os.path.basename(path)
            missing = [name for name in ("unknowns", "columns") if name not in asked]
            if missing or data is None:
                raise TypeError(f"a scene needs {', '.join(missing) or 'data'} to be fitted; a study says all of it itself")
    arrays, experiment = ([], []) if data is None or not isinstance(data, Mapping) else _arrays(data)
    if asked:
        asked["data"] = "data"
    with tempfile.TemporaryDirectory() as folder, told(progress) as report:
        page = pathlib.Path(folder, "fit.html")
        found = _carom._fit(path, json.dumps(asked, default=_plain) if asked else "", _name_of(data), arrays, experiment, threads,
                            str(page), report)
        html = page.read_text(encoding="utf-8") if page.exists() else ""
    for name, kind in (("numbers", FittedNumber), ("columns", FittedColumn), ("motions", FittedMotion), ("biases", FitBias),
                       ("ranking", RankedMethod)):
        found[name] = [kind(**each) for each in found[name]]
    return Fit(html=html, **found)


_USUAL = {"loss": "squares", "folds": 0, "starts": 4, "bootstrap": 0, "resample": "residuals", "seed": 0, "runs": 0,
          "smooth": "", "intervals": "profile"}


def _name_of(data: Data) -> str:
    """Name by which faults call the data; "" if they are the study's own."""
    if data is None:
        return ""
    return "the data" if isinstance(data, Mapping) else os.fspath(data)


def _unknown(bounds: Union[Mapping[str, Any], Sequence[Any]]) -> dict[str, Any]:
    if isinstance(bounds, Mapping):
        return dict(bounds)
    return {"bounds": [float(each) for each in bounds]}


def _plain(value: Any) -> Any:
    """NumPy's numbers and arrays as JSON has them."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{value!r} is nothing that a study could say")


def _arrays(data: Mapping[str, ArrayLike]) -> tuple[list[tuple[str, list[float]]], list[str]]:
    """The columns, time first, and the experiment of each entry; none where all are one. Single values are notes."""
    columns: dict[str, list[float]] = {}
    for name, values in data.items():
        if name == "experiment":
            continue
        try:
            array = np.asarray(values)
        except ValueError:
            raise Error(f"the data: {name} holds lists of unequal lengths") from None
        if array.ndim == 0:
            continue
        if array.dtype.kind not in "biufO":
            raise Error(f"the data: {name} holds {'texts' if array.dtype.kind in 'US' else array.dtype}; right are numbers")
        if array.ndim > (1 if name == "time" else 2):
            raise Error(f"the data: {name} has shape {array.shape}; right is (instants,)" +
                        (" or (instants, columns)" if name != "time" else ""))
        if array.ndim == 1 or array.shape[1] == 1:
            own = {name: array.reshape(-1)}
        else:
            own = {f"{name}/{c}": column for c, column in enumerate(array.T)}
        for column, each in own.items():
            if column in columns:
                raise Error(f"the data: there are two columns '{column}'")
            try:
                columns[column] = each.astype(float).tolist()
            except (TypeError, ValueError):
                raise Error(f"the data: {name} holds {array.dtype}; right are numbers") from None
    if "time" not in columns:
        raise Error("the data: there is no 'time', s; there are " + (", ".join(map(str, data)) or "none"))
    experiment = np.asarray(data["experiment"]) if "experiment" in data else np.array([])
    return [("time", columns.pop("time")), *columns.items()], [str(each) for each in experiment.tolist()]
