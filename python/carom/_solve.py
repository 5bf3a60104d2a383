"""Single contact problems and linear complementarity problems: matrix in, impulse and certificate out."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _carom
from ._carom import Block
from ._errors import Error
from ._study import Array, Path


@dataclass(frozen=True)
class Solution:
    """The solution of a contact problem u⁺ = u + A p."""

    status: str  #: solved, secondary_ray, iteration_limit, inaccurate or infeasible
    cone: str
    method: str  #: that gave the result
    iterations: int  #: of all methods that were tried
    islands: int
    seconds: float  #: of wall clock
    impulse: Array  #: (k,) p, N s; of a status other than solved the best iterate
    velocity: Array  #: (k,) u⁺, m/s
    residual: float  #: that decides: of the exact cone the natural map, relative
    certificate: dict[str, float]  #: from A, u and p alone (docs/theory/certificate.md)
    dual: Array  #: (k,) shows that nothing solves it, checked; of no size elsewhere
    text: str = field(repr=False)

    @property
    def ok(self) -> bool:
        return self.status == "solved"

    @property
    def words(self) -> str:
        return f"{self.status} by {self.method} in {self.iterations} iterations, residual {self.residual:.1e}"

    def table(self) -> str:
        """The words and the certificate that the command prints."""
        return self.text


@dataclass(frozen=True)
class LinearSolution:
    """The solution of w = M z + q, 0 ≤ w ⊥ z ≥ 0."""

    status: str  #: solved, infeasible (no solution exists) or inaccurate
    method: str
    iterations: int
    cases: int  #: that were looked at; 0: none had to be
    seconds: float
    z: Array  #: (n,)
    w: Array  #: (n,)
    residual: float  #: relative
    certificate: dict[str, float]
    dual: Array  #: (n,) y that refutes the problem; of no size elsewhere
    text: str = field(repr=False)

    @property
    def ok(self) -> bool:
        return self.status == "solved"

    @property
    def words(self) -> str:
        return f"{self.status} by {self.method} in {self.iterations} iterations, residual {self.residual:.1e}"

    def table(self) -> str:
        """The words and the certificate that the command prints."""
        return self.text


def solve(A: Any, u: Optional[ArrayLike] = None, mu: Optional[ArrayLike] = None, *,
          blocks: Optional[Sequence[Block]] = None, cone: Optional[str] = None, directions: Optional[int] = None,
          method: Optional[str] = None, tolerance: Optional[float] = None,
          warm_start: Optional[ArrayLike] = None) -> Solution:
    """Solves a problem of contacts with friction, u⁺ = u + A p, and certifies the result.

    Give A (k, k), symmetric positive semidefinite, 1/kg, as a dense array or a SciPy sparse one; a small skew part is
    allowed. Give u (k,), m/s. Rows are those of contacts, three each: tangent, tangent, normal. Their friction mu is
    one number or one for each. In place of mu, blocks say what each group of rows is, in their order. Or A is the path
    of a problem file (FCLib, Siconos), which has u and friction in it.

    The cone is "exact" or "polyhedral", of so many directions; as the file says, else exact. The method of the exact
    cone is "gauss_seidel", "proximal" or "newton"; by default they take turns. The tolerance is relative, 1e-9. The
    impulses warm_start are (k,). Releases the GIL; Ctrl-C stops it. Raises Error for what is no such problem. An
    unsolved problem is a result.
    """
    asked = {"cone": cone, "directions": directions, "method": method, "tolerance": tolerance, "warm_start": warm_start}
    if isinstance(A, (str, os.PathLike)):
        if u is not None or mu is not None or blocks is not None:
            raise TypeError("u, mu and blocks are in the problem file; leave them out")
        return Solution(**_carom._solve_file(os.fspath(A), asked))
    if u is None:
        raise TypeError("u is missing: the velocities before the impulses, (k,) m/s")
    friction = None if mu is None else np.atleast_1d(np.asarray(mu, dtype=float)).ravel()
    return Solution(**_carom._solve(_sparse(A), _vector("u", u), friction, None if blocks is None else list(blocks), asked))


def solve_linear(M: Any, q: Optional[ArrayLike] = None, *, equations: Sequence[bool] = (),
                 tolerance: Optional[float] = None) -> LinearSolution:
    """Solves a linear complementarity problem w = M z + q, 0 ≤ w ⊥ z ≥ 0, or shows that it has no solution.

    M: (n, n), any, dense or SciPy sparse; q: (n,). equations: (n,) true where w = 0 and z is free instead. Or M is the path
    of a text of Siconos. tolerance: of the relative residual, 1e-9. Releases the GIL. Raises Error for what is no such
    problem.
    """
    if isinstance(M, (str, os.PathLike)):
        if q is not None:
            raise TypeError("q is in the problem file; leave it out")
        return LinearSolution(**_carom._solve_linear_file(os.fspath(M), tolerance))
    if q is None:
        raise TypeError("q is missing: (n,)")
    dense = M.toarray() if hasattr(M, "toarray") else M
    return LinearSolution(**_carom._solve_linear(_matrix("M", dense), _vector("q", q), [bool(e) for e in equations], tolerance))


def _vector(name: str, values: ArrayLike) -> Array:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1:
        raise Error(f"{name} has {array.ndim} dimensions; right is one")
    return array


def _matrix(name: str, values: ArrayLike) -> Array:
    if np.iscomplexobj(values):
        raise TypeError(f"{name} is complex; right are real numbers")
    array = np.asarray(values, dtype=float)
    if array.ndim != 2:
        raise Error(f"{name} has {array.ndim} dimensions; right are two")
    return array


def _sparse(values: Any) -> Union[Array, Any]:
    """SciPy's sparse matrix as it is, anything else as an array."""
    return values if hasattr(values, "tocsc") else _matrix("A", values)
