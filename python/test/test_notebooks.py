"""The notebooks of the manual run from top to bottom by nbconvert, and are kept without what they gave."""

import os
import subprocess
import sys

import nbformat
import pytest
from conftest import ROOT

FOLDER = ROOT / "docs" / "examples" / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def test_they_are_kept_without_outputs_and_are_in_the_manual():
    manual = (ROOT / "docs" / "manual" / "from-python.md").read_text()
    assert NOTEBOOKS
    for name in NOTEBOOKS:
        notebook = nbformat.read(FOLDER / name, as_version=4)
        nbformat.validate(notebook)
        assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
        for cell in notebook.cells:
            if cell.cell_type == "code":
                assert not cell.outputs and cell.execution_count is None, f"{name}: clear its outputs before it is committed"
        assert f"notebooks/{name}" in manual, name


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_runs(name, tmp_path):
    # Cells check their own claims by asserts; a failing one fails the notebook.
    quiet = {**os.environ, "MPLBACKEND": "agg", "IPYTHONDIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-B", "-m", "nbconvert", "--to", "notebook", "--execute", "--log-level", "ERROR",
                           "--ExecutePreprocessor.timeout=120", "--output-dir", str(tmp_path), str(FOLDER / name)],
                          env=quiet, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    cells = nbformat.read(tmp_path / name, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
