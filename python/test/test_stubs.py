"""Types: the stubs are those of the module, and examples and package pass mypy."""

import inspect
import os
import pathlib
import re
import subprocess
import sys

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))

import write_stubs  # noqa: E402
from carom import _carom  # noqa: E402


def mypy(*arguments):
    """The verdict of mypy, on the package where it is imported from, with its stubs."""
    done = subprocess.run([sys.executable, "-B", "-m", "mypy", "--strict", *map(str, arguments)], capture_output=True, text=True,
                          check=False, env={**os.environ, "MYPYPATH": str(pathlib.Path(carom.__file__).parents[1])})
    return done.returncode, done.stdout + done.stderr


def test_stubs_are_those_of_the_module():
    assert write_stubs.STUBS.read_text(encoding="utf-8") == write_stubs.stubs(_carom), "run scripts/write_stubs.py"


def test_stubs_name_python_types_only():
    text = re.sub(r'"""(?:.|\n)*?"""', "", write_stubs.STUBS.read_text(encoding="utf-8"))
    assert "::" not in text and "_carom." not in text and "numpy.ndarray" not in text and "Eigen" not in text


def members(space, public):
    """Names of a module or a class, those of classes as Class.name."""
    for name, value in public.items():
        if name.startswith("__"):
            continue
        yield name, value, space.get(name)
        if inspect.isclass(value):
            for each in vars(value):
                if not each.startswith("_"):
                    yield f"{name}.{each}", getattr(value, each), getattr(space.get(name), each, None)


def test_stubs_have_every_name_and_every_parameter():
    """Reads them by Python's own parser, and compares with the module's docstrings by another way than the writer's."""
    space = {}
    text = write_stubs.STUBS.read_text(encoding="utf-8").replace("@overload", "")
    exec("from __future__ import annotations\n" + text, space)
    checked = 0
    for name, member, stub in members(space, vars(_carom)):
        assert stub is not None, f"{name} is not in the stubs"
        doc = getattr(member, "__doc__", None) or ""
        if inspect.isclass(member) or isinstance(member, property) or not callable(member) or "Overloaded" in doc:
            continue
        head = doc.split(") -> ")[0] + ")"
        while "[" in head:
            head = re.sub(r"\[[^\[\]]*\]", "", head)
        named = [each for each in re.findall(r"[(,]\s*\*{0,2}(\w+)(?=: |,|\))", head) if each != "self"]
        parameters = [each for each in inspect.signature(stub).parameters if each != "self"]
        assert parameters == named, (name, doc)
        checked += 1
    assert checked > 50


def test_every_parameter_has_a_name():
    assert "arg0" not in write_stubs.STUBS.read_text(encoding="utf-8")


def test_public_names_have_a_docstring():
    for name in (name for name in dir(carom) if not name.startswith("_")):
        value = getattr(carom, name)
        if not inspect.ismodule(value) and callable(value):
            assert value.__doc__, name


def test_examples_and_package_pass_mypy():
    examples = sorted((ROOT / "docs" / "examples" / "python").glob("*.py"))
    assert examples
    for arguments in (examples, ["-p", "carom"]):
        code, told = mypy(*arguments)
        assert code == 0, told


def test_mypy_sees_faults_of_callers(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import carom\ncarom.Method().step = "long"\ncarom.load(3)\nprint(carom.State([0], [0]).speed)\n')
    code, told = mypy(wrong)
    assert code == 1 and told.count("error:") == 3, told
