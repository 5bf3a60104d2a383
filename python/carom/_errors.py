"""Exceptions that say what went wrong, and where."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Iterable, Optional, Sequence, Tuple


@dataclass(frozen=True)
class Diagnostic:
    """One thing wrong with an input file."""

    file: str
    line: int  #: from 1; 0 if it concerns the whole file
    column: int  #: from 1, in characters
    message: str  #: what is wrong, and what would be right
    key: Optional[str] = None  #: the key that stands there, if one does


class Error(Exception):
    """A wrong request, as a sentence: what, where, and what would be right."""

    file: Optional[str] = None
    line: int = 0
    column: int = 0
    key: Optional[str] = None
    diagnostics: Tuple[Diagnostic, ...] = ()

    @property
    def sentence(self) -> str:
        return str(self)


class SceneError(Error):
    """Everything wrong with a scene file at once; file, line, column and key are those of the first fault."""

    def __init__(self, text: str, faults: Sequence[Tuple[str, int, int, str]] = ()) -> None:
        super().__init__(text, faults)
        self.text = text
        self.diagnostics = tuple(Diagnostic(*fault, key=_key_at(*fault[:3])) for fault in faults)
        if self.diagnostics:
            first = self.diagnostics[0]
            self.file, self.line, self.column, self.key = first.file, first.line, first.column, first.key

    def __str__(self) -> str:
        return self.text

    @property
    def sentence(self) -> str:
        """That of the first fault, without its place."""
        return self.diagnostics[0].message if self.diagnostics else self.text


class UnknownName(Error, KeyError):
    """A name that a result does not have. A KeyError whose text is a sentence."""

    def __init__(self, what: str, name: str, names: Iterable[str] = (), hint: str = "") -> None:
        self._told = (what, name, tuple(names), hint)
        super().__init__(f"there is no {what} '{name}'{hint or _there_are(name, self._told[2])}")

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Tuple[type, Tuple[str, str, Tuple[str, ...], str]]:
        return type(self), self._told


class OutputError(Error):
    """A file that could not be written though nothing was asked for wrongly: a full disk, a limit of the system."""


class RunFailure(Error):
    """Why a run that has begun cannot go on: a force that is no number."""


def _there_are(name: str, names: Sequence[str]) -> str:
    """All names where they are few, else the nearest ones."""
    if not names:
        return "; there are none"
    if len(names) <= 12:
        return f"; there are {', '.join(names)}"
    near = difflib.get_close_matches(name, names, n=3) or [each for each in names if name in each][:3]
    return f"; near it are {', '.join(near)}, of {len(names)}" if near else f", nor one near it among the {len(names)} there are"


def _key_at(file: str, line: int, column: int) -> Optional[str]:
    """The last key of the file's line that begins at or before the column."""
    try:
        with open(file, encoding="utf-8") as lines:
            text = next((each for number, each in enumerate(lines, 1) if number == line), "")
    except (OSError, UnicodeDecodeError):
        return None
    keys = [m.group(1) for m in re.finditer(r"([A-Za-z_][\w -]*?)\s*:(?:\s|$)", text) if m.start() < max(column, 1)]
    return keys[-1] if keys else None
