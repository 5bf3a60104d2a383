"""Batches: many simulations of given states and controls."""

from __future__ import annotations

from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence, Union

import operator
import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _carom
from ._carom import Method, Model, Scene, State
from ._errors import Error
from ._progress import Progress, told
from ._study import Array

_COUNTS = ("steps", "unsolved_steps", "impacts", "unresolved_impacts")

Mechanisms = Union[Model, Scene, Sequence[Any], NDArray[Any]]  # nested lists have as many axes as they are deep
Methods = Union[None, Method, Sequence[Any], NDArray[Any]]
States = Union[None, State, Sequence[Any], NDArray[Any]]
Places = NDArray[np.intp]  # for each place of the batch, the number of the item that stands there


class _Motions(NamedTuple):
    q: Array  #: (*shape, steps, nq) after each step
    v: Array  #: (*shape, steps, nv) after each step
    time: Array  #: (*shape, steps) after each step, s
    #: shape; fields `ok`, `steps`, `unsolved_steps`, `impacts`, `unresolved_impacts`, `largest_energy` and the judged
    #: numbers of a Certificate, by its names and in its units: certificates.ok and certificates["penetration"] are arrays
    certificates: Any


class Rollout(_Motions):
    """The motions of a batch, of shape `shape`: (runs,), or more axes. As a tuple it is q, v, time, certificates."""

    ends: NDArray[np.object_]  #: shape; the State of each at its end, to go on from, bit for bit
    #: sentences on the runs that could not go on, by their places; their arrays are NaN from that step on
    failures: dict[tuple[int, ...], str]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.time.shape[:-1])

    @property
    def states(self) -> Array:
        """(*shape, steps, nq + nv) positions, then velocities; states[:, -1] is what another rollout begins with."""
        return np.concatenate((self.q, self.v), axis=-1)

    def __repr__(self) -> str:
        good = int(np.count_nonzero(self.certificates["ok"]))
        return f"Rollout(shape={self.shape}, steps={self.time.shape[-1]}, ok={good} of {self.certificates.size})"


def rollout(model: Mechanisms, method: Methods = None, states: States = None, controls: Optional[ArrayLike] = None,
            steps: Optional[int] = None, *, parameters: Optional[Mapping[str, ArrayLike]] = None, threads: int = 0,
            progress: Progress = None) -> Rollout:
    """Simulates a batch, each run on one thread; the bits are the same on any number of threads.

    The batch has the shape to which the following broadcast by NumPy's rules, and at least one axis. So (runs, …) beside
    one for all is a batch of runs, as MuJoCo's rollout has it, and a list of five methods, [[m] for m in methods], beside
    (runs, …) is a batch of (5, runs).

    model: a Model or a Scene, or a list of them with as many coordinates. A Scene brings its feedback and, where they are
    left out, its method, its start and its number of steps.
    method: a Method or a list.
    states: a State or a list of them; or an array (…, nq + nv) of q and v at time 0, or (…, 1 + nq + nv) with the time
    before them.
    controls: joint forces, N m and N, (…, steps or 1, nv), in each step, beside the scene's feedback. Of fewer than three
    axes they are (steps or 1, nv) or (nv,) for all runs.
    steps: where it does not follow from controls or Scene.
    parameters: what differs in the one Scene that is given. Each name is that of a parameter or a path to a number
    ("materials/rubber/friction"), and has a number or an array. Method and number of steps stay those of the Scene.
    threads: 0 for all cores. progress: True for a bar, or a function of (share, what).

    A run in which a step can't be taken is told in `failures`, and the others go on. Releases the GIL; Ctrl-C stops it.
    Raises Error where sizes disagree or a run can't begin, and TypeError.
    """
    models, model_of = _listed(model, "model")
    scenes, scene_of = [each for each in models if isinstance(each, Scene)], model_of
    if (method is None or states is None) and len(scenes) < len(models):
        raise TypeError("rollout needs " + ("a method" if method is None else "states") + ", unless it is given a Scene")
    methods, method_of = ([each.method for each in scenes], scene_of) if method is None else _listed(method, "method")
    forces, force_of = _forces(controls, models[0])
    steps = _steps(steps, forces, scenes if len(scenes) == len(models) else [])
    if parameters:
        models, model_of = _varied(models, parameters, threads)
        scenes = models
    starts, start_of = ([each.initial for each in scenes], model_of) if states is None else _starts(states)
    places = {"parameters" if parameters else "model": model_of, "method": method_of, "states": start_of, "controls": force_of}
    shape = _shape({name: each.shape for name, each in places.items()})
    of = [np.broadcast_to(each, shape).ravel().tolist() for each in places.values()]
    with told(progress) as report:
        q, v, time, numbers, ends, failures = _carom._rollout(models, of[0], methods, of[1], starts, of[2], forces, of[3],
                                                              steps, threads, report)
    found = Rollout(q.reshape(*shape, *q.shape[1:]), v.reshape(*shape, *v.shape[1:]), time.reshape(*shape, steps),
                    _certificates(numbers).reshape(shape))
    found.ends = np.fromiter(ends, dtype=object, count=len(ends)).reshape(shape)
    found.failures = {tuple(int(k) for k in np.unravel_index(i, shape)): text for i, text in enumerate(failures) if text}
    return found


def _listed(given: Any, name: str) -> tuple[list[Any], Places]:
    """The items of nested lists, and their places in them; no axis for a single item."""
    items, axes = _flat(given, name)
    return items, np.arange(len(items)).reshape(axes)


def _flat(given: Any, name: str) -> tuple[list[Any], tuple[int, ...]]:
    if not isinstance(given, (list, tuple, np.ndarray)):
        return [given], ()
    parts = [_flat(each, name) for each in given]
    if not parts:
        raise Error(f"there is nothing to run: the list of {name} is empty")
    if any(axes != parts[0][1] for _, axes in parts):
        raise Error(f"{name}: the lists within the list differ in length")
    return [item for items, _ in parts for item in items], (len(parts), *parts[0][1])


def _starts(states: Any) -> tuple[Any, Places]:
    """States as a list of State, or as an array (runs, n), and their places."""
    if not (isinstance(states, np.ndarray) and states.dtype != object):
        items, places = _listed(states, "states")
        if any(isinstance(each, State) for each in items):
            return items, places
    rows = _numbers(states, "states", "a State, a list of them, or an array (…, n)")
    if rows.ndim == 0 or rows.size == 0:
        raise Error(f"states have the shape {rows.shape}; right are (n,) or (…, n), with n the size of q and v together")
    if not np.all(np.isfinite(rows)):
        raise Error(f"states: {_first(~np.isfinite(rows), rows)}; right are finite numbers")
    return np.ascontiguousarray(rows.reshape(-1, rows.shape[-1])), np.arange(rows[..., 0].size).reshape(rows.shape[:-1])


def _forces(controls: Optional[ArrayLike], model: Any) -> tuple[Optional[Array], Places]:
    """Controls as (runs, steps or 1, nv), and the places of their runs."""
    if controls is None:
        return None, np.array(0)
    forces = _numbers(controls, "controls", "an array")
    model = model.model if isinstance(model, Scene) else model
    if not isinstance(model, Model):
        raise TypeError(f"model: right is a Model or a Scene, and it is {model!r:.80} ({type(model).__name__})")
    nv = model.velocity_count
    if forces.ndim == 0 or forces.shape[-1] != nv or forces.size == 0:
        raise Error(f"controls must be (…, steps or 1, {nv}), and are {forces.shape}")
    if not np.all(np.isfinite(forces)):
        raise Error(f"controls: {_first(~np.isfinite(forces), forces)}; a force is a finite number, N m or N")
    forces = forces.reshape(1, nv) if forces.ndim == 1 else forces
    axes = forces.shape[:-2]
    return np.ascontiguousarray(forces.reshape(-1, *forces.shape[-2:])), np.arange(forces[..., 0, 0].size).reshape(axes)


def _first(wrong: NDArray[np.bool_], values: Array) -> str:
    """Says which entry is the first that is wrong."""
    place = tuple(int(k) for k in np.argwhere(wrong)[0])
    return f"entry {list(place)} is {values[place]}"


def _numbers(given: Any, name: str, right: str) -> Array:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: right is {right}, and it is {given!r:.80} ({type(given).__name__})") from None


def _steps(steps: Optional[int], forces: Optional[Array], scenes: Sequence[Scene]) -> int:
    given = 1 if forces is None else forces.shape[1]
    if steps is None and (given > 1 or (forces is not None and not scenes)):
        steps = given
    if steps is None:
        own = {each.steps for each in scenes}
        if len(own) != 1:
            raise Error("say how many steps, " + ("since the scenes differ in it" if own else
                                                  "where there are neither controls nor a Scene"))
        steps = own.pop()
    try:
        steps = operator.index(steps)
    except TypeError:
        raise TypeError(f"steps: right is a whole number, and it is {steps!r}") from None
    if steps < 0:
        raise Error(f"steps: it must not be negative, and is {steps}")
    if given not in (1, steps):
        raise Error(f"controls have {given} steps, not one or {steps}")
    return steps


def _varied(models: Sequence[Any], parameters: Mapping[str, ArrayLike], threads: int) -> tuple[list[Any], Places]:
    """A scene for each different row of parameters, and the places of rows."""
    if len(models) != 1 or not isinstance(models[0], Scene):
        raise TypeError("parameters are those of one Scene, and the model is " +
                        (f"{len(models)} of them" if len(models) != 1 else f"a {type(models[0]).__name__}"))
    for name in parameters:
        if name == "duration" or name.startswith("method/"):
            raise Error(f"parameters: '{name}' says how the scene is computed; give " +
                        ("steps" if name == "duration" else "a list of methods") + " instead")
    columns = {name: _numbers(values, f"parameters['{name}']", "a number or an array") for name, values in parameters.items()}
    for name, each in columns.items():
        if each.size == 0 or not np.all(np.isfinite(each)):
            raise Error(f"parameters['{name}'] " + ("is empty" if each.size == 0 else "must be finite, in SI units and rad"))
    shape = _shape({f"parameters['{name}']": each.shape for name, each in columns.items()}, least=0)
    rows = np.stack([np.broadcast_to(each, shape).ravel() for each in columns.values()], axis=-1)
    different, number = np.unique(rows, axis=0, return_inverse=True)
    scenes: list[Any] = _carom._varied_scenes(models[0], list(columns), different, threads)
    return scenes, np.reshape(number, shape)


def _shape(axes: Mapping[str, tuple[int, ...]], least: int = 1) -> tuple[int, ...]:
    """The shape to which all axes broadcast, of at least so many axes."""
    try:
        return tuple(np.broadcast_shapes(*axes.values(), (1,) * least))
    except ValueError:
        sizes = ", ".join(f"{name} {size}" for name, size in axes.items() if size)
        raise Error(f"the runs of the batch do not fit each other: {sizes}; where two have an axis in common, counted from "
                    "the last, it must be as long, or 1") from None


def _certificates(numbers: Array) -> "np.recarray[Any, Any]":
    names = _carom._certificate_columns()
    kind: Callable[[str], Any] = lambda name: np.bool_ if name == "ok" else np.int64 if name in _COUNTS else np.float64
    table = np.recarray(len(numbers), dtype=[(name, kind(name)) for name in names])
    for i, name in enumerate(names):
        table[name] = numbers[:, i]
    return table
