"""The examples of the manual run, are short, and come to what they say."""

import ast
import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples" / "python"


def run_example(name, folder):
    (folder / "scenes").symlink_to(ROOT / "scenes")
    done = subprocess.run([sys.executable, "-B", str(EXAMPLES / name)], cwd=folder, env=os.environ,
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", done.stdout)]


@pytest.mark.parametrize("name", ["pushed_quadruped.py", "five_laws.py", "many_tosses.py"])
def test_a_task_takes_at_most_fifteen_lines(name):
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    docstring = ast.parse(text).body[0]
    lines = [line for line in text.splitlines()[docstring.end_lineno:] if line.strip() and not line.lstrip().startswith("#")]
    assert len(lines) <= 15 and max(map(len, lines)) <= 140


def test_the_slope_bears_the_robot(tmp_path):
    numbers = np.reshape(run_example("pushed_quadruped.py", tmp_path), (2, 3))
    weight, borne = numbers
    assert np.linalg.norm(weight) > 20 and weight[0] / -weight[2] == pytest.approx(np.tan(np.radians(10)))
    assert np.linalg.norm(borne - weight) < 2e-3 * np.linalg.norm(weight)


def test_laws_part_by_millimetres_and_no_law_from_itself(tmp_path):
    apart = run_example("five_laws.py", tmp_path)
    assert len(apart) == 25 and [apart[6 * i] for i in range(5)] == [0] * 5
    assert all(apart[5 * i + j] == apart[5 * j + i] for i in range(5) for j in range(5))
    assert max(apart) > 1


def test_a_batch_has_an_axis_for_laws_frictions_and_throws(tmp_path):
    numbers = run_example("batches.py", tmp_path)
    assert numbers[:8] == [3, 2, 6, 3, 2, 6, 300, 7] and numbers[14] == 0  # unsolved steps
    # The throw goes along x. What rubs less slides farther, whatever the law.
    far, near = np.reshape(numbers[8:14], (3, 2)).T
    assert np.all(far > near) and np.all(near > 0.1)


@pytest.mark.parametrize("page, count", [("from-python.md", 2), ("fit.md", 1), ("sweep.md", 2)])
def test_code_of_the_manual_runs(page, count, tmp_path):
    (tmp_path / "scenes").symlink_to(ROOT / "scenes")
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "manual" / page).read_text(encoding="utf-8"), re.M | re.S)
    assert len(blocks) >= count
    for block in blocks:
        if "distributed" in block and importlib.util.find_spec("distributed") is None:
            warnings.warn("python3-distributed is not installed: its lines of the manual were not run", stacklevel=1)
            continue
        (tmp_path / "lines.py").write_text(block, encoding="utf-8")  # processes of a cluster read the script again
        done = subprocess.run([sys.executable, "-B", "lines.py"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, block + done.stderr


def test_tosses_end_where_throws_go(tmp_path):
    numbers = run_example("many_tosses.py", tmp_path)
    low, middle, high = np.reshape(numbers[3:9], (3, 2))
    assert numbers[9] == 0  # unsolved steps
    assert np.all(low < middle) and np.all(middle < high)
    # The throw goes along (0.9, 0.3), and friction never makes it go back.
    assert 0.1 < middle[0] < 2 and 0.03 < middle[1] < 1
