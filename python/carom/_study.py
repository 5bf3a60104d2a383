"""Pieces that results of studies share."""

from __future__ import annotations

import csv
import os
import pathlib
from typing import Iterable, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._carom import Scene
from ._errors import Error

Array = NDArray[np.float64]
Path = Union[str, "os.PathLike[str]"]
Source = Union[Scene, Path]
Names = Union[None, str, Sequence[str]]


def source_of(scene: Source) -> Union[Scene, str]:
    return scene if isinstance(scene, Scene) else os.fspath(scene)


def listed(names: Names) -> list[str]:
    """Names as a list; none for None and "all"."""
    if names is None or names == "all":
        return []
    found = [names] if isinstance(names, str) else list(names)
    if not found:
        raise Error("the list of names is empty; name one or more, or leave it out")
    return found


def positive(name: str, value: float) -> float:
    if not 0 < value < float("inf"):
        raise Error(f"{name}: it must be above 0 and finite, and is {value}")
    return float(value)


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with pathlib.Path(path).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(header)
        table.writerows(rows)
