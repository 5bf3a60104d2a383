"""A clone as pip takes it: its metadata, and with CAROM_LONG set the whole way into an environment of one's own."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
from email.parser import Parser

import pytest
from conftest import ROOT


def clone_into(folder):
    """The files that git tracks or would add, as they are now; without git all but builds and runs."""
    if not (ROOT / ".git").exists():
        made_here = lambda at, names: [n for n in names if pathlib.Path(at) == ROOT and (n.startswith("build") or n == "runs")]
        return shutil.copytree(ROOT, folder, dirs_exist_ok=True, ignore=made_here)
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def test_the_metadata_of_a_clone(tmp_path):
    # `pip install .` asks for this before it builds.
    shutil.copytree(ROOT / "python" / "carom", tmp_path / "python" / "carom")
    (tmp_path / "carom").mkdir()
    for name in ("setup.py", "pyproject.toml", "carom/version.h"):
        shutil.copy(ROOT / name, tmp_path / name)
    ask = "from setuptools import build_meta; print(build_meta.prepare_metadata_for_build_wheel('told'))"
    (tmp_path / "told").mkdir()
    done = subprocess.run([sys.executable, "-B", "-c", ask], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told = tmp_path / "told" / done.stdout.split()[-1] / "METADATA"
    metadata = Parser().parsestr(told.read_text())
    version = re.search(r'CAROM_VERSION "(.*)"', (ROOT / "carom" / "version.h").read_text()).group(1)
    assert metadata["Name"] == "carom" and metadata["Version"] == version
    needed = [re.sub(r"[ ()]", "", each) for each in metadata.get_all("Requires-Dist") if "extra" not in each]
    assert needed == ["numpy>=1.23"]  # arrays of objects by np.fromiter
    assert {"plots", "filters"} <= set(metadata.get_all("Provides-Extra"))


@pytest.mark.skipif("CAROM_LONG" not in os.environ, reason="CAROM_LONG is not set: it compiles the module")
def test_pip_installs_a_clone_without_an_index(tmp_path):
    clone = clone_into(tmp_path / "clone")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "env"], check=True)
    alone = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "LD_PRELOAD")}
    done = subprocess.run([tmp_path / "env" / "bin" / "pip", "install", "--no-build-isolation", "--no-index", "."], cwd=clone,
                          env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    use = f"""
import carom
print(carom.__file__)
run = carom.run({str(ROOT / "scenes" / "sliding_box.yaml")!r}, "box.h5")
print(run["box.position.x"][-1])
from carom import plots
"""
    done = subprocess.run([tmp_path / "env" / "bin" / "python", "-c", use], cwd=tmp_path, env=alone, capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr
    file, end = done.stdout.split()
    assert pathlib.Path(file).is_relative_to(tmp_path / "env")
    assert float(end) == pytest.approx(2.0**2 / (2 * 0.3 * 9.81), abs=0.01)
