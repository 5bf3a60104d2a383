"""The examples of the manual run, and come to what they say."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_example(name, folder):
    (folder / "scenes").symlink_to(ROOT / "scenes")
    done = subprocess.run([sys.executable, "-B", str(ROOT / "docs" / "examples" / "python" / name)], cwd=folder, env=os.environ,
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", done.stdout)]


def test_the_ground_bears_the_robot(tmp_path):
    weight, borne = run_example("pushed_quadruped.py", tmp_path)
    assert abs(weight - borne) < 1e-3 * weight


def test_laws_part_by_millimetres_and_no_law_from_itself(tmp_path):
    apart = run_example("five_laws.py", tmp_path)
    assert len(apart) == 25 and [apart[6 * i] for i in range(5)] == [0] * 5
    assert all(apart[5 * i + j] == apart[5 * j + i] for i in range(5) for j in range(5))
    assert max(apart) > 1


@pytest.mark.skipif("CAROM_LONG" not in os.environ, reason="CAROM_LONG is not set")
def test_tosses_end_about_where_they_began(tmp_path):
    x, y, spread_x, spread_y, unsolved = run_example("many_tosses.py", tmp_path)
    assert unsolved == 0 and 0.05 < spread_x < 1 and 0.05 < spread_y < 1 and abs(x) < 1 and abs(y) < 1
