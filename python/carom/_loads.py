"""Forces and moments of a record as force plates, joints and pairs of bodies have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Sequence

import numpy as np

from . import _carom
from ._errors import Error
from ._study import Array

if TYPE_CHECKING:
    from ._carom import Model

#: Below this part of its largest normal force a filtered ground reaction has no centre of pressure.
LEAST_PRESSURE = 0.02


@dataclass(frozen=True, eq=False)
class GroundReaction:
    """Contact forces on a part as a force plate has them: means since the frame before, world axes, NaN in the first."""

    part: str
    time: Array  #: (frames,) s
    force: Array  #: (frames, 3) on the part, N
    centre_of_pressure: Array  #: (frames, 3) m; NaN where nothing presses
    free_moment: Array  #: (frames, 3) about the centre of pressure, N m: on a plane along its normal
    normal: Array  #: (frames,) sum of the normal forces, N

    def table(self) -> dict[str, Array]:
        """Columns by name, as OpenSim's external loads call them after the part's name."""
        columns = {"time": self.time}
        for name, values in (("force_v", self.force), ("force_p", self.centre_of_pressure), ("torque_", self.free_moment)):
            for i, axis in enumerate("xyz"):
                columns[f"{self.part}.ground_{name}{axis}"] = values[:, i]
        return columns


@dataclass(frozen=True, eq=False)
class JointReaction:
    """Force and moment that a joint passes on to one of its bodies: means since the frame before, NaN in the first."""

    joint: str
    on: str  #: the body that they act on
    axes: str  #: the body whose axes they are in, or world
    time: Array  #: (frames,) s
    force: Array  #: (frames, 3) N
    moment: Array  #: (frames, 3) about the origin of the joint's frame on the child, N m

    def table(self) -> dict[str, Array]:
        """Columns by name."""
        columns = {"time": self.time}
        for name, values in (("force", self.force), ("moment", self.moment)):
            for i, axis in enumerate("xyz"):
                columns[f"{self.joint}.on_{self.on}.in_{self.axes}.{name}.{axis}"] = values[:, i]
        return columns


@dataclass(frozen=True, eq=False)
class ContactForce:
    """Forces of one body's contacts with another in the step that led to each frame, in world axes. They are 0 where
    the two don't touch, and NaN in the first frame."""

    body: str
    other: str
    time: Array  #: (frames,) s
    force: Array  #: (frames, 3) on the body, N
    friction: Array  #: (frames, 3) its part in the tangent planes, N
    normal: Array  #: (frames,) sum of the normal forces, N
    point: Array  #: (frames, 3) contact points weighted by normal forces, m; NaN where nothing presses

    def table(self) -> dict[str, Array]:
        """Columns by name."""
        columns = {"time": self.time, f"{self.body}.{self.other}.normal": self.normal}
        for name, values in (("force", self.force), ("friction", self.friction), ("point", self.point)):
            for i, axis in enumerate("xyz"):
                columns[f"{self.body}.{self.other}.{name}.{axis}"] = values[:, i]
        return columns


class Loads(ABC):
    """Forces of a Run, which has `path` and `columns`, and reads columns by `values`."""

    path: str
    _model: Model | None = None

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """Names of all columns."""

    @abstractmethod
    def values(self, names: Iterable[str]) -> dict[str, Array]:
        """Columns by name, each (frames,)."""

    @property
    def model(self) -> Model:
        """The Model that ran, as the record has it."""
        if self._model is None:
            self._model = _carom._record_model(self.path)
        return self._model

    @property
    def com(self) -> Array:
        """(frames, 3) m: centre of mass of all that moves, world axes."""
        masses = _carom._tree_masses(self.model)
        centres = self._vectors([f"{name}.mass_centre" for name, _ in masses])
        weighted = [mass * centre for (_, mass), centre in zip(masses, centres)]
        return np.asarray(np.sum(weighted, axis=0) / sum(mass for _, mass in masses))

    def torque(self, joint: str, source: str | None = None) -> Array:
        """(frames,) what acts in a joint on its coordinate, N m about an axis, N along one; (frames, coordinates) if it
        has several. A mean since the frame before, NaN in the first. source: servo, force, motion, coupler, limit,
        spring, damper, friction or controller alone. Raises Error if the joint has no torque of that kind."""
        ending = ".torque" if source is None else f".torque.{source}"
        names = [each for each in self.columns if each in (joint + ending,) or _is_of(each, joint, ending)]
        if not names:
            have = sorted(each for each in self.columns if each.startswith(joint + ".") and ".torque" in each)
            raise Error(f"{self.path}: there is no torque '{joint}{ending}'; "
                        + (f"there are {', '.join(have)}" if have else f"no joint with torques is called '{joint}'"))
        columns = self.values(names)
        return columns[names[0]] if len(names) == 1 else np.column_stack([columns[name] for name in names])

    def ground_reaction(self, part: str | Sequence[str], filter_hz: float | None = None) -> GroundReaction:
        """Contact forces on a body, or on one collider ("BODY/SHAPE", or "SHAPE"), as a force plate would have it. A list
        of them is taken as one part.

        With filter_hz a low-pass of the second order is taken forwards and backwards, so that nothing is delayed. It is
        a Butterworth filter whose amplitude at that frequency, Hz, is one half in the end. Force, moment about the
        world's origin and pressure are filtered, and the centre of pressure is found from these. Where the filtered
        normal force is below 2 % of its largest, that centre is NaN and the free moment 0. Needs frames at equal times.

        Raises Error for a part that there is not, or that has no shapes, and for frequencies that the frames can't show.
        """
        time = self.values(["time"])["time"]
        recorded = [name.removesuffix(".normal_impulse") for name in self.columns if name.endswith(".normal_impulse")]
        parts = [part] if isinstance(part, str) else list(part)
        numbers = sorted({number for each in parts for number in self._side(each)[1]})
        part = " + ".join(parts)
        if not numbers or not recorded:
            raise Error(f"{self.path}: no forces on shapes of '{part}' are recorded: it has none, or the scene says "
                        "record: {columns: least}")
        names = [recorded[number] for number in numbers]
        columns = [f"{name}.{quantity}.{axis}" for name in names
                   for quantity in ("impulse", "angular_impulse", "centre_of_pressure") for axis in "xyz"]
        columns += [f"{name}.normal_impulse" for name in names]
        values = self.values(columns)

        def vector(name: str) -> Array:
            return np.column_stack([values[f"{name}.{axis}"] for axis in "xyz"])

        force = sum(vector(f"{name}.impulse") for name in names)
        about_origin = sum(vector(f"{name}.angular_impulse") for name in names)
        weights = [values[f"{name}.normal_impulse"] for name in names]
        pressed = sum(np.nan_to_num(vector(f"{name}.centre_of_pressure")) * weight[:, None]
                      for name, weight in zip(names, weights))
        rates = np.column_stack([force, about_origin, pressed, sum(weights)])
        seconds = np.diff(time)
        rates[0] = np.nan  # before it there is nothing to take a mean of
        rates[1:] /= seconds[:, None]
        least = 0.0
        if filter_hz is not None:
            rates[1:] = _low_pass(rates[1:], seconds, filter_hz)
            least = LEAST_PRESSURE * float(np.max(rates[1:, 9], initial=0.0))
        normal = rates[:, 9]
        presses = normal > least
        centre = np.full_like(force, np.nan)
        centre[presses] = rates[presses, 6:9] / normal[presses, None]
        moment = np.zeros_like(force)
        moment[0] = np.nan
        moment[presses] = rates[presses, 3:6] - np.cross(centre[presses], rates[presses, 0:3])
        return GroundReaction(part, time, rates[:, 0:3], centre, moment, normal)

    def joint_reaction(self, joint: str, on: str | None = None, axes: str = "world") -> JointReaction:
        """Force and moment that a joint passes on. They act on the body `on`, the joint's child (also if left out) or
        its parent. Their axes are the world's, or those of a body halfway between two frames.

        Raises Error if there is no such joint or body, or if `on` is not one of the joint's two.
        """
        model = self.model
        child = model.joint_number(joint)
        bodies = model.bodies()
        parent = model.joints()[child].parent
        ends = {bodies[child].name: 1.0, bodies[parent].name if parent >= 0 else "world": -1.0}
        on = bodies[child].name if on is None else on
        if on not in ends:
            raise Error(f"joint '{joint}' connects {' and '.join(ends)}; it passes nothing on to '{on}'")
        if f"{joint}.reaction_force.x" not in self.columns:
            raise Error(f"{self.path}: nothing hangs '{joint}' on another body, so it has no reaction")
        force, moment = (ends[on] * each for each in self._vectors([f"{joint}.reaction_force", f"{joint}.reaction_moment"]))
        if axes != "world":
            model.body_number(axes)
            q = self.values([f"{axes}.orientation.{k}" for k in "wxyz"])
            turn = _halfway(np.column_stack([q[f"{axes}.orientation.{k}"] for k in "wxyz"]))
            force, moment = (np.einsum("fji,fj->fi", turn, each) for each in (force, moment))
        return JointReaction(joint, on, axes, self.values(["time"])["time"], force, moment)

    def contact_force(self, body: str, other: str = "world") -> ContactForce:
        """Contact forces on a body from another; either may be one collider instead, by its name. It looks at the steps
        that led to frames alone: record every step to have all of them. Raises Error if there is no such part, or the record has no contacts."""
        one, two = self._side(body), self._side(other)
        if one[0] == two[0]:
            raise Error(f"{self.path}: contacts are between two bodies; '{body}' and '{other}' are of one")
        for part, (_, shapes) in ((body, one), (other, two)):
            if not shapes:
                raise Error(f"{self.path}: '{part}' has no shapes, so nothing touches it")
        force, friction, point, normal = _carom._forces_between(self.path, *one, *two)
        for each in (force, friction, normal, point):
            each[0] = np.nan  # no step led to the first frame
        return ContactForce(body, other, self.values(["time"])["time"], force, friction, normal, point)

    def _vectors(self, names: list[str]) -> list[Array]:
        values = self.values([f"{name}.{axis}" for name in names for axis in "xyz"])
        return [np.column_stack([values[f"{name}.{axis}"] for axis in "xyz"]) for name in names]

    def _side(self, part: str) -> tuple[int, list[int]]:
        """Number of a body (−1 the world), and its colliders. For one collider, given by its name or the last part of
        it, they are its body and itself. Links that a model file welds to others have such parts: FL_foot of
        FL_calf/FL_foot. Raises Error for a name that is nobody's, or one of several."""
        colliders = self.model.colliders()
        if part != "world" and part not in [body.name for body in self.model.bodies()]:
            called = [i for i, each in enumerate(colliders) if each.name == part]
            called = called or [i for i, each in enumerate(colliders) if each.name.endswith("/" + part)]
            if len(called) > 1:
                raise Error(f"several shapes are called '{part}': {', '.join(colliders[i].name for i in called)}")
            if called:
                return colliders[called[0]].body, called
            self._refuse_welded(part)
        number = self.model.body_number(part)
        return number, [i for i, each in enumerate(colliders) if each.body == number]

    def _refuse_welded(self, part: str) -> None:
        """Says how to name a link that is welded to another and has several shapes, or one with a name of its own."""
        for frame in self.model.frames():
            if frame.name != part or frame.body < 0:
                continue
            shapes = [each.name for each in self.model.colliders() if each.body == frame.body]
            raise Error(f"{self.path}: '{part}' is welded to '{self.model.bodies()[frame.body].name}', whose shapes are "
                        f"{', '.join(shapes) or 'none'}; name those of '{part}'" + (", as a list if they are several" if shapes else ""))


def _is_of(column: str, joint: str, ending: str) -> bool:
    """True of a column of one of several coordinates of the joint: ankle.angle_x.torque."""
    if not (column.startswith(joint + ".") and column.endswith(ending)):
        return False
    coordinate = column[len(joint) + 1:len(column) - len(ending)]
    return bool(coordinate) and "." not in coordinate


def _low_pass(rates: Array, seconds: Array, filter_hz: float) -> Array:
    """Rows filtered; the last interval of a run may be shorter than the others."""
    from scipy.signal import butter, filtfilt  # type: ignore[import]

    if len(seconds) < 2 or np.ptp(seconds[:-1]) > 1e-6 * seconds[0] or seconds[-1] > seconds[0] * (1 + 1e-6):
        raise Error("a filter needs frames at equal times; these are not, or there are fewer than two")
    rate = 1 / seconds[0]
    if not 0 < filter_hz < rate / 2:
        raise Error(f"filter_hz must be above 0 and below {rate / 2:g} Hz, half the rate of the frames; it is {filter_hz:g}")
    taps = butter(2, filter_hz, fs=rate)
    if len(rates) <= 9:  # of filtfilt's padding
        raise Error(f"a filter needs at least 10 intervals between frames; there are {len(rates)}")
    return np.asarray(filtfilt(*taps, rates, axis=0))


def _halfway(q: Array) -> Array:
    """(frames, 3, 3) rotations halfway between those of a frame and the one before, from quaternions w, x, y, z."""
    before = np.vstack([q[:1], q[:-1]])
    middle = q + np.where(np.sum(q * before, axis=1) < 0, -1.0, 1.0)[:, None] * before
    w, x, y, z = (middle / np.linalg.norm(middle, axis=1, keepdims=True)).T
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return np.moveaxis(np.array(rows), 2, 0)
