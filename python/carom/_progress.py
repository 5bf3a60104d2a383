"""A bar for long calls, in a terminal and in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Callable, Optional, Union

Report = Callable[[float, str], None]
"""Progress of long work: the share that is done, 0 to 1, and what is being done."""

Progress = Union[None, bool, Report]
"""None or False: nothing is told; True: a bar; a function: it is told."""


class Bar:
    """One line that is written over: on standard error where that is a terminal, below the cell in a notebook, and nowhere
    else. At most ten times a second."""

    width = 40

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._last = 0.0
        self._shown = False
        self._handle = _notebook_line()

    def __call__(self, share: float, what: str) -> None:
        now = time.monotonic()
        if now - self._last < 0.1 and share < 1:
            return
        self._last = now
        self._write(self.line(share, what, now - self._start))

    def line(self, share: float, what: str, spent: float) -> str:
        """The bar as text. spent: s since the beginning."""
        full = int(self.width * min(max(share, 0.0), 1.0))
        left = f" {_clock(spent / share - spent)} left" if 0.01 < share < 1 else ""
        return f"{what} [{'=' * full}{' ' * (self.width - full)}] {100 * share:3.0f} %{left}".lstrip()

    def close(self) -> None:
        """Wipes the line."""
        if self._shown:
            self._write("")

    def _write(self, text: str) -> None:
        if self._handle is not None:
            self._handle(text)
        elif sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K" + text)
            sys.stderr.flush()
        else:
            return
        self._shown = True


class told:
    """The function that a call is given for `progress`; a bar is wiped at the end of the with statement."""

    def __init__(self, progress: Progress) -> None:
        self._bar = Bar() if progress is True else None
        self._report: Optional[Report] = self._bar if progress is True else (progress or None)
        if self._report is not None and not callable(self._report):
            raise TypeError("progress: right is True, or a function of (share, what)")

    def __enter__(self) -> Optional[Report]:
        return self._report

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _clock(seconds: float) -> str:
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{whole // 60}:{whole % 60:02}"


def _notebook_line() -> Optional[Callable[[str], None]]:
    """The function that writes into one line of a notebook's cell; None elsewhere."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from IPython.display import display  # type: ignore[import]

    handle = display({"text/plain": ""}, raw=True, display_id=True)

    def update(text: str) -> None:
        handle.update({"text/plain": text}, raw=True)

    return update
