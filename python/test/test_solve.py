"""Single contact problems: matrices of all kinds, certificates, files."""

import carom
import h5py
import numpy as np
import pytest
import scipy.sparse
from conftest import relative


def random_problem(contacts, seed, mu=0.5):
    """A of full rank and velocities that approach."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(3 * contacts, 3 * contacts + 2))
    u = rng.normal(size=3 * contacts)
    u[2::3] = -abs(u[2::3])
    return J @ J.T / contacts, u, mu


def assert_coulomb(A, u, mu, p, tolerance=1e-7):
    """The conditions, written down here: complementary normals, friction in its cone and against the slip."""
    mu = np.broadcast_to(mu, len(u) // 3)
    v = u + A @ p
    size, speed = abs(p).max(), abs(u).max()
    for i, friction in enumerate(mu):
        pt, pn = p[3 * i:3 * i + 2], p[3 * i + 2]
        vt, vn = v[3 * i:3 * i + 2], v[3 * i + 2]
        assert pn > -tolerance * size and vn > -tolerance * speed and min(pn / size, vn / speed) < tolerance
        assert np.linalg.norm(pt) < friction * pn + tolerance * size
        slip = np.linalg.norm(vt)
        if slip > 1e-4 * speed:
            assert pt == pytest.approx(-friction * pn * vt / slip, abs=1e-4 * size)


@pytest.mark.parametrize("seed", range(4))
def test_coulombs_conditions_hold(seed):
    A, u, mu = random_problem(4, seed)
    solved = carom.solve(A, u, mu)
    assert solved.ok and solved.cone == "exact" and solved.residual < 1e-8 and "solved" in solved.words
    assert_coulomb(A, u, mu, solved.impulse)
    assert relative(solved.velocity, u + A @ solved.impulse) < 1e-12
    assert solved.certificate["natural_map"] < 1e-8 and solved.table()


def test_a_sphere_that_strikes_and_sticks_in_closed_form():
    # A solid sphere, m = 1, r = 1: tangent 1/m + r²/(2/5 m r²) = 3.5 per kg.
    A = np.diag([3.5, 3.5, 1.0])
    sticks = carom.solve(A, [0.7, 0, -1.0], 0.3)
    assert sticks.impulse == pytest.approx([-0.2, 0, 1], abs=1e-9) and sticks.velocity == pytest.approx([0, 0, 0], abs=1e-9)
    slides = carom.solve(A, [7.0, 0, -1.0], 0.3)
    assert slides.impulse == pytest.approx([-0.3, 0, 1], abs=1e-9)


@pytest.mark.parametrize("kind", ["csc_matrix", "csr_matrix", "coo_matrix", "bsr_matrix", "csr_array"])
def test_sparse_matrices_give_the_dense_ones_result(kind):
    blocks = [random_problem(2, seed)[0] for seed in range(3)]
    A, u = scipy.sparse.block_diag(blocks), random_problem(6, 9)[1]
    dense, sparse = carom.solve(A.toarray(), u, 0.4), carom.solve(getattr(scipy.sparse, kind)(A), u, 0.4)
    assert sparse.ok and np.array_equal(sparse.impulse, dense.impulse) and sparse.islands == 3


def test_cones_methods_and_friction_of_each():
    A, u, _ = random_problem(3, 1)
    mu = [0.0, 0.3, 0.9]
    assert_coulomb(A, u, mu, carom.solve(A, u, mu).impulse)
    for method in ("gauss_seidel", "proximal", "newton"):
        assert_coulomb(A, u, mu, carom.solve(A, u, mu, method=method, warm_start=np.ones(9)).impulse, 1e-6)
    polyhedral = carom.solve(A, u, 0.5, cone="polyhedral", directions=32)
    assert polyhedral.cone == "polyhedral" and polyhedral.ok
    exact = carom.solve(A, u, 0.5)
    assert relative(polyhedral.impulse, exact.impulse) < 0.05


def test_rows_of_other_kinds():
    A, u, _ = random_problem(2, 3)
    # The first contact, a weld along one row, a joint limit, and a row of a motor that gives at most 0.01.
    blocks = [carom.Block("cone", 0.5), carom.Block("bilateral"), carom.Block("unilateral"),
              carom.Block("bounded", lower=-0.01, upper=0.01)]
    solved = carom.solve(A, u, blocks=blocks)
    p, v = solved.impulse, solved.velocity
    assert solved.ok and abs(v[3]) < 1e-8 and min(p[4], v[4]) == pytest.approx(0, abs=1e-8) and abs(p[5]) <= 0.01 + 1e-12
    assert blocks[0].size == 3 and np.array_equal(blocks[0].friction, [0.5, 0.5])


def test_what_has_no_solution_is_shown():
    # Two opposite frictionless contacts without mass between them: both must open.
    A = np.array([[1.0, -1.0], [-1.0, 1.0]])
    solved = carom.solve(A, [-1.0, -1.0], blocks=[carom.Block("unilateral")] * 2)
    assert solved.status == "infeasible" and not solved.ok
    y = solved.dual
    assert np.all(y >= 0) and A @ y == pytest.approx([0, 0], abs=1e-9) and y @ [-1, -1] < 0


@pytest.mark.parametrize("call, sentence", [
    (lambda: carom.solve(np.eye(4), np.zeros(4), 0.5), "three each"),
    (lambda: carom.solve(np.eye(3), np.zeros(2), 0.5), r"right are \(k, k\)"),
    (lambda: carom.solve(np.ones((3, 2)), np.zeros(3), 0.5), r"right are \(k, k\)"),
    (lambda: carom.solve(np.zeros(3), np.zeros(3), 0.5), "dimensions"),
    (lambda: carom.solve(np.diag([1, np.nan, 1]), np.zeros(3), 0.5), r"A\[1, 1\] is not finite"),
    (lambda: carom.solve(np.eye(3), [0, np.inf, 0], 0.5), "finite"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), -0.5), "friction"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), [0.5, 0.5]), "mu has 2 entries"),
    (lambda: carom.solve(np.eye(3), np.zeros(3)), "one of the two"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), 0.5, warm_start=np.zeros(2)), "warm_start has 2"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), blocks=[carom.Block("cone", 1)] * 2), "6 rows"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), 0.5, method="newtons"), "^method newtons"),
    (lambda: carom.solve(np.eye(3), np.zeros(3), 0.5, tolerance=1), "^tolerance 1"),
    (lambda: carom.solve(np.triu(np.ones((3, 3))), np.zeros(3), 0.5), "symmetric"),
])
def test_what_is_no_problem_is_refused(call, sentence):
    with pytest.raises(carom.Error, match=sentence):
        call()


def test_calls_that_make_no_sense():
    with pytest.raises(TypeError, match="u is missing"):
        carom.solve(np.eye(3))
    with pytest.raises(TypeError, match="tolerance: right is a number"):
        carom.solve(np.eye(3), np.zeros(3), 0.5, tolerance="small")
    with pytest.raises(TypeError, match="in the problem file"):
        carom.solve("x.hdf5", np.zeros(3))


def test_a_problem_file_is_the_matrix_it_holds(tmp_path):
    A, u, mu = random_problem(3, 2)
    order = [3 * i + k for i in range(3) for k in (2, 0, 1)]  # the file has normals first
    with h5py.File(tmp_path / "problem.hdf5", "w") as file:
        local = file.create_group("fclib_local")
        local["spacedim"] = np.array([3], dtype=np.int32)
        W = scipy.sparse.coo_matrix(A[np.ix_(order, order)])
        group = local.create_group("W")
        for name, value in (("nzmax", W.nnz), ("m", 9), ("n", 9), ("nz", W.nnz)):
            group[name] = np.array([value], dtype=np.int32)
        group["p"], group["i"], group["x"] = W.col.astype(np.int32), W.row.astype(np.int32), W.data
        vectors = local.create_group("vectors")
        vectors["q"], vectors["mu"] = u[order], np.full(3, mu)
    from_file = carom.solve(tmp_path / "problem.hdf5")
    assert relative(from_file.impulse, carom.solve(A, u, mu).impulse) < 1e-7


def test_linear_problems():
    M = np.array([[2.0, 1.0], [-1.0, 1.0]])
    solved = carom.solve_linear(M, [-1.0, 3.0])
    assert solved.ok and solved.z == pytest.approx([0.5, 0]) and solved.w == pytest.approx([0, 2.5])
    assert carom.solve_linear(scipy.sparse.csr_matrix(M), [-1.0, 3.0]).z == pytest.approx([0.5, 0])
    equations = carom.solve_linear(M, [-1.0, 3.0], equations=[True, True])
    assert M @ equations.z == pytest.approx([1, -3])
    none = carom.solve_linear([[-1.0]], [-1.0])
    assert none.status == "infeasible"
    with pytest.raises(carom.Error, match=r"right are \(n, n\)"):
        carom.solve_linear(M, [1.0])
    with pytest.raises(carom.Error, match="not finite"):
        carom.solve_linear(M, [1.0, np.nan])
