"""Sweeps on a Dask cluster: the table of one machine, also where workers die."""

import os
import signal
import subprocess
import sys

import carom
import numpy as np
import pytest

distributed = pytest.importorskip("distributed", reason="python3-distributed is not installed (scripts/install.sh python)")
dask = pytest.importorskip("dask")
VARY = {"friction": {"at": "materials/plastic/friction", "values": [0.1, 0.2, 0.3, -1.0]},  # the last one makes no sense
        "speed": {"at": "bodies/cube/velocity/0", "normal": [0.9, 0.1]}, "until": {"at": "duration", "values": [0.1]}}
HOW = {"outputs": {"end": "cube.position"}, "runs": 10, "seed": 2}


@pytest.fixture(scope="module")
def client():
    # A task is given up after the first worker that dies of it, so that tests are short.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster) as client:
                yield client


@pytest.fixture(scope="module")
def here():
    from conftest import ROOT

    return carom.sweep(ROOT / "scenes" / "cube_toss.yaml", VARY, **HOW)


def keys(journal):
    return [line.split('"key":"')[1][:16] for line in journal.read_text().splitlines()]


def test_a_cluster_gives_the_bytes_of_one_machine(client, here, scenes, tmp_path, monkeypatch):
    monkeypatch.chdir(scenes.parent)  # a path that workers, which are elsewhere, can't use as it is
    shares = []
    there = carom.sweep("scenes/cube_toss.yaml", VARY, **HOW, client=client, journal=tmp_path / "there.journal",
                        progress=lambda share, what: shares.append(share))
    alone = carom.sweep("scenes/cube_toss.yaml", VARY, **HOW, journal=tmp_path / "alone.journal")
    assert there.csv == alone.csv and set(there.status) == {"done", "refused"} and len(there) == 40
    assert sorted((tmp_path / "there.journal").read_text().splitlines()) == sorted((tmp_path / "alone.journal").read_text().splitlines())
    for each, name in ((there, "there.h5"), (alone, "alone.h5")):
        each.to_hdf5(tmp_path / name)
    assert (tmp_path / "there.h5").read_bytes() == (tmp_path / "alone.h5").read_bytes()
    assert shares == sorted(shares) and shares[-1] == 1 and np.array_equal(there["end"], here["end"], equal_nan=True)
    again = carom.sweep("scenes/cube_toss.yaml", VARY, **HOW, client=client, journal=tmp_path / "there.journal")
    assert again.earlier == 40 and again.csv == there.csv


def test_a_worker_that_is_killed_loses_and_repeats_no_case(client, here, scenes, tmp_path):
    killed = []

    def kill(share, what):
        if not killed:
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[0], signal.SIGKILL)

    there = carom.sweep(scenes / "cube_toss.yaml", VARY, **HOW, client=client, journal=tmp_path / "there.journal", progress=kill)
    assert killed and there.csv == here.csv
    found = keys(tmp_path / "there.journal")
    assert len(found) == len(set(found)) == len(here)


def test_a_case_that_kills_its_workers_is_one_row(client, here, scenes, tmp_path):
    class Deadly:
        """A client whose workers die of the ninth case."""

        def __getattr__(self, name):
            return getattr(client, name)

        def submit(self, function, *arguments, **more):
            return client.submit(os._exit, 1, **more) if 9 in arguments[4] else client.submit(function, *arguments, **more)

    there = carom.sweep(scenes / "cube_toss.yaml", VARY, **HOW, client=Deadly(), journal=tmp_path / "there.journal")
    assert there.status[9] == "crashed" and "died" in there.reason[9] and np.isnan(there["end"][9]).all()
    others = np.arange(40) != 9
    assert np.array_equal(there.numbers[others], here.numbers[others], equal_nan=True)


# Ctrl-C in a terminal reaches every process of the group, the workers among them.
SCRIPT = """
import sys
import carom
from distributed import Client, LocalCluster

if __name__ == "__main__":
    vary = {"friction": {"at": "materials/plastic/friction", "values": [0.001 * i for i in range(200)]},
            "step": {"at": "method/step", "values": [1e-4]}, "until": {"at": "duration", "values": [0.1]}}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        tell = lambda share, what: print("share", share, flush=True)
        carom.sweep(sys.argv[1], vary, client=client, journal="toss.journal", progress=tell)
"""


def test_ctrl_c_ends_a_sweep_on_a_cluster_that_goes_on(scenes, tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    process = subprocess.Popen([sys.executable, "-B", "script.py", scenes / "cube_toss.yaml"], cwd=tmp_path, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("share")  # some cases are done, and others under way
        os.killpg(process.pid, signal.SIGINT)
        out, told = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode not in (0, -signal.SIGKILL) and "KeyboardInterrupt" in told, told[-2000:]
    found = keys(tmp_path / "toss.journal")
    assert 0 < len(found) < 200 and len(set(found)) == len(found)
    vary = {"friction": {"at": "materials/plastic/friction", "values": [0.001 * i for i in range(200)]},
            "step": {"at": "method/step", "values": [1e-4]}, "until": {"at": "duration", "values": [0.1]}}
    rest = carom.sweep(scenes / "cube_toss.yaml", vary, journal=tmp_path / "toss.journal")
    assert rest.earlier == len(found) and set(rest.status) == {"done"}
    assert rest.csv == carom.sweep(scenes / "cube_toss.yaml", vary).csv


def test_what_is_no_client_is_refused(scenes):
    with pytest.raises(TypeError, match="client: right is"):
        carom.sweep(scenes / "cube_toss.yaml", VARY, **HOW, client="tcp://localhost")
    with pytest.raises(TypeError, match="threads are those of this machine"):
        carom.sweep(scenes / "cube_toss.yaml", VARY, **HOW, client=object(), threads=2)
