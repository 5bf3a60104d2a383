"""A sweep on a Dask cluster: cases are dealt out to its workers, and this process alone writes the journal."""

from __future__ import annotations

import functools
import importlib
import os
import socket
from typing import Any, Optional

from . import _carom
from ._errors import Error
from ._progress import Report

MOST_AT_A_TIME = 64  # cases of a task, so that Ctrl-C and a lost worker cost little


def run_on(client: Any, study: str, text: str, journal: str, records: str, report: Optional[Report]) -> dict[str, Any]:
    """Does the cases that the journal lacks on the workers of a client of Dask, and returns what _carom._sweep does.

    A worker that dies takes nothing with it but its current task, which Dask gives to another. If several workers died
    under a task, its cases are run alone at the end. A case that goes on killing workers has the status crashed.
    """
    distributed: Any = importlib.import_module("distributed")  # whose own types are none of mypy's business
    killed: Any = importlib.import_module("distributed.scheduler").KilledWorker
    if getattr(client, "asynchronous", False) or not hasattr(client, "submit"):
        raise TypeError("client: right is a dask.distributed.Client that is not asynchronous")
    work = _carom._SweepWork(study, text, records)
    keys = work.keys(list(range(work.count)))
    file = _carom._SweepJournal(journal)
    wanted = [number for number, key in enumerate(keys) if not file.has(key)]
    threads = max(1, sum(client.nthreads().values()))
    size = min(MOST_AT_A_TIME, max(1, len(wanted) // (8 * threads)))
    there = (os.path.abspath(study), text, os.path.abspath(records), os.path.dirname(study))
    what, done = os.path.splitext(os.path.basename(study))[0], 0

    under_way: dict[Any, list[int]] = {}
    suspects: list[int] = []

    def submit(cases: list[int]) -> Any:
        future = client.submit(lines, *there, cases, [keys[case] for case in cases], pure=False)
        under_way[future] = cases
        return future

    def keep(found: list[str], count: int) -> int:
        for line in found:
            file.add_line(line)
        if report is not None:
            report((done + count) / len(wanted), what)
        return done + count

    try:
        for future in distributed.as_completed([submit(wanted[i:i + size]) for i in range(0, len(wanted), size)]):
            cases = under_way.pop(future)
            try:
                done = keep(future.result(), len(cases))
            except killed:
                suspects += cases
        # Dask suspects all that a worker was at. One at a time, the case that kills is known.
        for case in suspects:
            future = submit([case])
            try:
                done = keep(future.result(), 1)
            except killed:
                file.add_crashed(keys[case])
                done = keep([], 1)
            under_way.pop(future)
    finally:
        client.cancel(list(under_way))
    found_all: dict[str, Any] = work.gathered(file, len(keys) - len(wanted))
    return found_all


def lines(study: str, text: str, records: str, folder: str, cases: list[int], keys: list[str]) -> list[str]:
    """The journal's lines of some cases, made in a worker. folder: as the caller has that of the study."""
    work = _work(study, text, records)
    if work.keys(cases) != keys:
        _work.cache_clear()  # files may have changed since the worker read them
        work = _work(study, text, records)
    if work.keys(cases) != keys:
        raise Error(f"{socket.gethostname()} has another {study}, scene, model or Carom than this machine; workers need the same files")
    # Reasons name files as the caller does, so that the table has the same bytes wherever a case was done.
    away, here = os.path.join(os.path.dirname(study), ""), os.path.join(folder, "")
    return [line.replace(away, here) if away != here else line for line in work.lines(cases)]


@functools.lru_cache(maxsize=4)
def _work(study: str, text: str, records: str) -> Any:
    return _carom._SweepWork(study, text, records)
