"""Long calls tell how far they are, and Ctrl-C ends them."""

import io
import signal
import subprocess
import sys
import threading
import time

import carom
import numpy as np
import pytest
from carom._progress import Bar
from conftest import box_on_ground, steps


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_function_is_told(scenes):
    seen = []
    carom.compare(scenes / "sliding_box.yaml", ["stewart-trinkle", "semi-explicit/plus"], duration=0.5, budget=1,
                  progress=lambda share, what: seen.append((share, what)))
    shares = [share for share, _ in seen]
    assert shares == sorted(shares) and all(0 <= share <= 1 for share in shares)
    assert {what for _, what in seen} <= {"stewart-trinkle", "semi-explicit/plus"} and seen


def test_a_bar_is_one_line_that_is_wiped(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    bar = Bar()
    bar(0.5, "half")
    bar(1.0, "whole")
    bar.close()
    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines[-1] == "" and "whole [" + "=" * 40 + "] 100 %" in lines[-2] and "\n" not in terminal.getvalue()
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    Bar()(0.5, "nothing is written where no terminal is")
    assert sys.stderr.getvalue() == ""


def test_time_left_follows_from_the_share():
    assert Bar().line(0.25, "sweep", spent=30) == "sweep [" + "=" * 10 + " " * 30 + "]  25 % 1:30 left"


def test_a_notebook_gets_one_line_that_is_updated():
    # A shell with a kernel, as ipykernel makes one, that keeps what it is to show.
    code = """
import IPython.core.interactiveshell as s, IPython.core.displaypub as p
shell = s.InteractiveShell.instance(); shell.kernel = object()
told = []
shell.display_pub.publish = lambda data, metadata=None, **more: told.append((data["text/plain"], more.get("update", False)))
from carom._progress import Bar
bar = Bar(); bar(0.5, "half"); bar.close()
assert [update for _, update in told] == [False, True, True], told
assert "half [" in told[1][0] and told[2][0] == "", told
"""
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_what_is_no_function_is_refused(scenes):
    with pytest.raises(TypeError, match="progress: right is True"):
        carom.converge(scenes / "sliding_box.yaml", progress=3)


def test_a_fault_of_the_function_is_raised(scenes):
    def fails(share, what):
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        carom.converge(scenes / "ball_pile.yaml", progress=fails)


def interrupted(seconds, call):
    """The time from Ctrl-C to its exception, s."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        signal.raise_signal(signal.SIGINT)

    timer = threading.Timer(seconds, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    timer.join()
    return time.perf_counter() - sent[0]


@pytest.mark.parametrize("study", [
    lambda scene: carom.compare(scene, ["stewart-trinkle", "semi-explicit/plus"], budget=60),
    lambda scene: carom.converge(scene, budget=60),
    lambda scene: carom.impact(scene, at=1.9, patience=60),
    lambda scene: carom.rollout(carom.load(scene), steps=10**6),
    lambda scene: carom.fit({"scene": str(scene.parent / "cube_toss.yaml"), "columns": {"z": "cube.position.z"}, "starts": 200,
                             "unknowns": {"friction": {"at": "materials/plastic/friction", "bounds": [0.05, 0.9]}}},
                            {"time": np.arange(50) / 50, "z": np.full(50, 0.1)}),
])
def test_ctrl_c_ends_a_study(scenes, study):
    assert interrupted(0.4, lambda: study(scenes / "ball_pile.yaml")) < 1


def test_ctrl_c_ends_a_sweep_that_goes_on(scenes, tmp_path):
    vary = {"step": {"at": "method/step", "values": list(np.linspace(0.0001, 0.0002, 60))},
            "until": {"at": "duration", "values": [0.2]}}

    def call(progress=None):
        return carom.sweep(scenes / "cube_toss.yaml", vary, journal=tmp_path / "toss.journal", threads=1, progress=progress)

    def ctrl_c(share, what):
        if share > 0.2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        call(ctrl_c)
    done = len((tmp_path / "toss.journal").read_text().splitlines())
    whole = call()
    assert 0 < done < 60 and whole.earlier == done and len(whole) == 60


def test_ctrl_c_leaves_a_record_that_goes_on(scenes, tmp_path):
    scene = carom.load(scenes / "cube_toss.yaml", step=2e-5)
    assert interrupted(0.3, lambda: carom.run(scene, tmp_path / "toss.h5")) < 1
    stopped = carom.open(tmp_path / "toss.h5")
    assert stopped.summary["end"] == "interrupted" and 2 < len(stopped.time) < scene.steps
    until = round(stopped.time[-1] + 0.01, 4)
    gone_on = carom.resume(tmp_path / "toss.h5", until)
    whole = carom.run(carom.load(scenes / "cube_toss.yaml", step=2e-5, duration=until), tmp_path / "whole.h5")
    assert gone_on.summary["end"] == "done" and np.array_equal(gone_on.time, whole.time)
    assert np.array_equal(gone_on["cube.position.z"], whole["cube.position.z"])
    with pytest.raises(carom.Error, match="reached its end"):
        carom.resume(tmp_path / "whole.h5")


@pytest.mark.parametrize("study", [
    lambda scenes, tmp: carom.compare(scenes / "cube_toss.yaml", ["stewart-trinkle/poisson"], budget=0.3),
    lambda scenes, tmp: carom.sweep(scenes / "cube_toss.yaml", {"h": {"at": "method/step", "values": [0.0002]}}),
    lambda scenes, tmp: carom.run(scenes / "cube_toss.yaml", tmp / "toss.h5", step=0.0002),
])
def test_studies_leave_the_lock_to_other_threads(scenes, tmp_path, study):
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(1e-4)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before, began = counted[0], time.perf_counter()
        study(scenes, tmp_path)
        during, took = counted[0] - before, time.perf_counter() - began
    finally:
        done.set()
        thread.join()
    assert during > 20 * took


def test_a_simulation_is_none_the_worse_for_studies_of_its_scene():
    model, state = box_on_ground()
    scene = carom.built_scene("box", model, carom.Method(step=1e-3), state, 0.02)
    simulation = scene.simulation()
    carom.converge(scene, steps=[0.002, 0.001])
    steps(simulation, 5)
    again = scene.simulation()
    steps(again, 5)
    assert simulation.state == again.state
