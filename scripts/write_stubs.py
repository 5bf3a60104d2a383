"""Writes python/carom/_carom.pyi, the types of the compiled part, from the signatures that its docstrings begin with.

    PYTHONPATH=build/python python3 scripts/write_stubs.py
"""

from __future__ import annotations

import inspect
import pathlib
import re
import types
from typing import Any, Iterator

STUBS = pathlib.Path(__file__).resolve().parents[1] / "python" / "carom" / "_carom.pyi"

HEAD = '''"""Types of the compiled part, written by scripts/write_stubs.py; do not edit."""

from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
'''


def split(text: str, separator: str = ",") -> list[str]:
    """Parts of a list, whose brackets and quotes hold together."""
    parts, depth, quote, start = [], 0, "", 0
    for i, c in enumerate(text):
        if quote:
            quote = "" if c == quote else quote
        elif c in "'\"":
            quote = c
        elif c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def type_of(told: str, given: bool) -> str:
    """A type as pybind11 tells it, in the words of a stub. given: of an argument."""
    told = told.replace("carom._carom.", "")
    told = re.sub(r"numpy\.ndarray\[numpy\.(\w+)(?:\[[^\]]*\])?(?:, flags\.\w+)*\]",
                  "ArrayLike" if given else r"NDArray[np.\1]", told)
    told = told.replace("numpy.ndarray[bool]", "NDArray[np.bool_]")
    told = re.sub(r"scipy\.sparse\.\w+\[[^\]]*\]", "Any", told)
    told = re.sub(r"\[\d+\]", "", told)  # of a list of so many
    told = re.sub(r"\bhandle\b", "object", told)
    told = re.sub(r"\bdict\b", "Dict[str, Any]", told)
    told = re.sub(r"\blist\b", "List[Any]", told)
    told = re.sub(r"\btuple\b", "Tuple[Any, ...]", told)
    told = re.sub(r"\biterator\b|\bIterator\b(?!\[)", "Iterator[Any]", told)
    if given:
        told = told.replace("List[", "Sequence[")
    elif told == "object":
        told = "Any"
    return told


def arguments_of(told: str) -> list[str]:
    arguments = []
    for each in split(told):
        if each.startswith("*"):
            arguments.append(each + ": Any")
            continue
        name, _, rest = each.partition(":")
        if not rest:
            arguments.append(name)
            continue
        kind, *default = split(rest, "=")
        if name == "self":
            arguments.append("self")
        else:
            arguments.append(f"{name}: {type_of(kind, True)}" + (" = ..." if default else ""))
    return arguments


def signatures(name: str, doc: str) -> Iterator[tuple[str, str, str]]:
    """Arguments, result and docstring of each overload."""
    head = re.escape(name)
    if "Overloaded function." in doc:
        begins = list(re.finditer(rf"^\d+\. {head}\((.*?)\) -> ([^\n]*)$", doc, re.M | re.S))
    else:
        begins = list(re.finditer(rf"\A{head}\((.*?)\) -> ([^\n]*)$", doc, re.M | re.S))
    for i, found in enumerate(begins):
        end = begins[i + 1].start() if i + 1 < len(begins) else len(doc)
        yield found.group(1), found.group(2), doc[found.end():end].strip()


def quoted(doc: str, indent: str) -> list[str]:
    if not doc:
        return []
    doc = doc.replace("\\", "\\\\")
    if doc.endswith('"'):
        doc = doc[:-1] + '\\"'
    lines = doc.split("\n")
    return [f'{indent}"""{lines[0]}', *(indent + line if line else "" for line in lines[1:-1]),
            *([indent + lines[-1] + '"""'] if len(lines) > 1 else [])] if len(lines) > 1 else [f'{indent}"""{doc}"""']


def function(name: str, doc: str, indent: str, static: bool = False) -> list[str]:
    """The lines of a function; throws ValueError where its docstring has no signature."""
    found = list(signatures(name, doc))
    if not found:
        raise ValueError(f"{name}: its docstring begins with no signature: {doc[:80]!r}")
    lines = []
    for told, result, text in found:
        if len(found) > 1:
            lines.append(f"{indent}@overload")
        if static:
            lines.append(f"{indent}@staticmethod")
        arguments = arguments_of(told)
        if name == "__eq__":
            arguments = ["self", "other: object"]
        lines.append(f"{indent}def {name}({', '.join(arguments)}) -> {type_of(result, False)}:" + ("" if text else " ..."))
        lines += quoted(text, indent + "    ")
        if text:
            lines.append(f"{indent}    ...")
    return lines


def property_lines(name: str, value: property) -> list[str]:
    told = re.search(r"\(.*\) -> (.*)$", (value.fget.__doc__ or "").split("\n")[0] if value.fget else "")
    if not told:
        raise ValueError(f"{name}: a property without a signature")
    kind, text = type_of(told.group(1), False), value.__doc__ or ""
    lines = ["    @property", f"    def {name}(self) -> {kind}:" + ("" if text else " ...")]
    lines += quoted(text, "        ") + (["        ..."] if text else [])
    if value.fset is not None:
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {kind}) -> None: ..."]
    return lines


def class_lines(kind: type) -> list[str]:
    lines = ["", f"class {kind.__name__}:", *quoted((kind.__doc__ or "").strip(), "    "), ""]
    own = vars(kind)
    passed_over = {"__module__", "__doc__", "__new__", "__dict__", "__weakref__", "__getstate__", "__setstate__"}
    for name, value in own.items():
        if name in passed_over or name.startswith("_pybind") or name.startswith("__pybind"):
            continue
        if (getattr(value, "__doc__", None) or "").startswith("Initialize self."):
            continue  # of a class that Python can't make
        if isinstance(value, property):
            lines += property_lines(name, value)
        elif value is None:
            lines.append(f"    {name}: None  # type: ignore[assignment]")
        elif isinstance(value, staticmethod):
            lines += function(name, value.__func__.__doc__ or "", "    ", True)
        elif callable(value):
            lines += function(name, value.__doc__ or "", "    ")
    return lines


def stubs(module: types.ModuleType) -> str:
    """The text of the stubs of a module made by pybind11."""
    classes, functions = [], []
    for name, value in vars(module).items():
        if inspect.isclass(value):
            classes.append("\n".join(class_lines(value)))
        elif inspect.isbuiltin(value):
            functions.append("\n".join(function(name, value.__doc__ or "", "")))
    return HEAD + "\n" + "\n".join(classes) + "\n\n\n" + "\n\n".join(functions) + "\n"


if __name__ == "__main__":
    from carom import _carom

    STUBS.write_text(stubs(_carom), encoding="utf-8")
