"""carom solve and carom problem as a user meets them.

Usage: test_problems.py CAROM SCENES
"""
import json
import unittest

from carom_command import FOUR_BALLS, SCENES, CommandTest, h5py, numpy


def write_local(path, W, q, mu):
    """A local problem as h5py users would write it: dense W as triplets, p the columns."""
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_local")
        group["spacedim"] = numpy.array([3], dtype="int32")
        rows, columns = numpy.nonzero(W)
        for name, value in (("m", [len(q)]), ("n", [len(q)]), ("nz", [len(rows)]), ("nzmax", [len(rows)]),
                            ("p", columns), ("i", rows)):
            group[f"W/{name}"] = numpy.array(value, dtype="int32")
        group["W/x"] = W[rows, columns]
        group["vectors/q"] = numpy.array(q, dtype=float)
        group["vectors/mu"] = numpy.array(mu, dtype=float)


def read_rows(group):
    """A matrix in compressed rows, as scipy.sparse.csr_matrix reads it."""
    assert group["nz"][0] == -2
    matrix = numpy.zeros((group["m"][0], group["n"][0]))
    pointers, indices, values = group["p"][()], group["i"][()], group["x"][()]
    for row in range(len(matrix)):
        part = slice(pointers[row], pointers[row + 1])
        matrix[row, indices[part]] = values[part]
    return matrix


@unittest.skipIf(h5py is None, "python3-h5py is not installed")
class Problems(CommandTest):
    def falling(self, q=(-1, 0.5, 0), mu=0.4):
        """A mass of 2 kg above a floor."""
        write_local(self.folder / "fall.hdf5", numpy.eye(3) / 2, q, [mu])
        return "fall.hdf5"

    def test_json_is_one_object_and_alone_on_standard_output(self):
        done = self.carom("solve", self.falling(), "--json")
        self.assertEqual(done.stderr, "")
        solve = json.loads(done.stdout)
        for field in ("contacts", "solver", "iterations", "seconds", "impulse", "certificate"):
            self.assertIn(field, solve)
        self.assertEqual((solve["contacts"], solve["cone"], solve["certificate"]["status"]), (1, "exact", "solved"))
        # It stops falling, 2 N s, and friction takes 0.8 N s from the slip along x.
        numpy.testing.assert_allclose(solve["impulse"], [-0.8, 0, 2], atol=1e-8)
        numpy.testing.assert_allclose(solve["velocity"], [0.1, 0, 0], atol=1e-8)
        self.assertLess(solve["certificate"]["natural_map"], 1e-8)

    def test_text_says_solved(self):
        text = self.carom("solve", self.falling()).stdout
        self.assertIn("status      solved", text)
        self.assertIn("natural_map", text)
        self.assertNotIn("LOOK HERE", text)

    def test_both_cones_and_every_method(self):
        problem = self.falling()
        for words in (("--cone", "polyhedral"), ("--directions", "16"), ("--cone", "exact", "--method", "gauss_seidel"),
                      ("--method", "newton"), ("--method", "proximal"), ("--tolerance", "1e-7")):
            solve = json.loads(self.carom("solve", problem, *words, "--json").stdout)
            self.assertEqual(solve["certificate"]["status"], "solved", words)
            self.assertAlmostEqual(solve["impulse"][2], 2, 6, words)

    def test_the_file_written_holds_the_problem_and_its_solution(self):
        generator = numpy.random.default_rng(1)
        J = generator.normal(size=(9, 12))
        W, q = J @ J.T, generator.normal(size=9)
        write_local(self.folder / "problem.hdf5", W, q, [0.5, 0.3, 0.7])
        solve = json.loads(self.carom("solve", "problem.hdf5", "--out", "solved.hdf5", "--json").stdout)
        with h5py.File(self.folder / "solved.hdf5") as file:
            written = read_rows(file["fclib_local/W"])
            numpy.testing.assert_allclose(written, W, atol=1e-14)
            numpy.testing.assert_array_equal(file["fclib_local/vectors/q"][()], q)
            r, u = file["solution/r"][()], file["solution/u"][()]
        numpy.testing.assert_allclose(u, written @ r + q, atol=1e-12)
        impulse = numpy.array(solve["impulse"]).reshape(3, 3)
        numpy.testing.assert_array_equal(r.reshape(3, 3), impulse[:, [2, 0, 1]])
        self.carom("solve", "solved.hdf5")

    def test_the_folder_of_the_file_written_is_made(self):
        self.carom("solve", self.falling(), "--out", "new/folder/solved.hdf5")
        self.carom("solve", "new/folder/solved.hdf5")
        self.assertEqual([path.name for path in (self.folder / "new" / "folder").iterdir()], ["solved.hdf5"])

    def test_what_is_filled_in_part_is_passed_over_and_told(self):
        problem = self.falling()
        with h5py.File(self.folder / problem, "a") as file:
            file["guesses/number_of_guesses"] = numpy.array([1], dtype="int32")
            file["guesses/1/u"] = numpy.zeros(3)
            file["solution/u"] = numpy.zeros(3)
            for group in ("guesses/1", "solution"):
                file.create_dataset(f"{group}/r", shape=(3,), dtype=float)  # announced, never written
        text = self.carom("solve", problem).stdout
        for group in ("/solution", "/guesses/1"):
            self.assertIn(f"in file     {group} lacks r and is passed over", text)
        solve = json.loads(self.carom("solve", problem, "--json").stdout)
        self.assertEqual(len(solve["passed_over"]), 2)
        self.assertIn("/guesses/1 lacks r", self.carom("solve", problem, "--warm-start", status=2).stderr)

    def test_one_of_a_thing_is_no_plural(self):
        self.assertIn("problem     1 contact, 3 rows", self.carom("solve", self.falling()).stdout)
        self.carom("run", SCENES / "bouncing_ball.yaml", "--until", "0.001", "--out", "ball.h5")
        self.assertIn("has no step 2; its only step is 1", self.carom("problem", "ball.h5", "--step", "2", status=2).stderr)

    def test_what_has_no_solution_ends_with_1_and_why(self):
        # One mass between two floors that close on it: it can't leave both.
        write_local(self.folder / "squeezed.hdf5", numpy.kron([[1.0, -1.0], [-1.0, 1.0]], numpy.diag([1.0, 0, 0])),
                    [-1, 0, 0, -1, 0, 0], [0, 0])
        done = self.carom("solve", "squeezed.hdf5", "--json", status=1)
        solve = json.loads(done.stdout)
        self.assertEqual(solve["certificate"]["status"], "infeasible")
        self.assertTrue(solve["dual_checked"])
        self.assertIn("no impulse satisfies", self.carom("solve", "squeezed.hdf5", status=1).stdout)

    def test_wrong_input_ends_with_2_and_a_sentence(self):
        problem = self.falling()
        (self.folder / "text.hdf5").write_text("no problem")
        write_local(self.folder / "negative.hdf5", numpy.eye(3), [0, 0, 0], [-1])
        (self.folder / "taken.hdf5.part").mkdir()  # in the way of every user, even of root
        for words, part in (
                (("solve",), "problem"),
                (("solve", "missing.hdf5"), "missing.hdf5"),
                (("solve", "text.hdf5"), "no HDF5 file"),
                (("solve", "negative.hdf5"), "friction must be zero or positive"),
                (("solve", problem, "--cone", "square"), "exact and polyhedral"),
                (("solve", problem, "--cone", "exact", "--directions", "8"), "--directions"),
                (("solve", problem, "--directions", "2"), "at least 3"),
                (("solve", problem, "--method", "magic"), "gauss_seidel"),
                (("solve", problem, "--tolerance", "-1"), "--tolerance -1"),
                (("solve", problem, "--warm-start"), "no guess"),
                (("solve", problem, "--out", problem), "is the problem itself"),
                (("solve", problem, "--out", "text.hdf5"), "no problem file"),
                (("problem", "missing.h5", "--step", "1"), "no such record"),
                (("problem", problem, "--step", "1"), "not the record of a run; solve it with: carom solve fall.hdf5"),
                (("problem", problem, "--step", "one"), "--step one: it must be the number of a step"),
                (("problem", problem, "--step", 10 ** 20), f"--step {10 ** 20}: no run has a step of this number"),
                (("solve", problem, "--out", f"{problem}/a.hdf5"), "can't make the folder fall.hdf5"),
                (("solve", problem, "--out", "new/../text.hdf5"), "no problem file"),
                (("solve", problem, "--out", "taken.hdf5"), "taken.hdf5: no file can be made in this place")):
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual((self.folder / "text.hdf5").read_text(), "no problem")

    def test_any_step_of_a_run_can_be_solved_apart(self):
        self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "balls.h5")
        for step in (1, 57, 200):
            made = json.loads(self.carom("problem", "balls.h5", "--step", str(step), "--json").stdout)
            self.assertEqual(made["problem"], f"balls-step-{step}.hdf5")
            solve = json.loads(self.carom("solve", made["problem"], "--warm-start", "--json").stdout)
            self.assertEqual(solve["rows"], made["rows"])
            self.assertEqual((solve["cone"], solve["certificate"]["status"]), ("polyhedral", "solved"))
            with h5py.File(self.folder / made["problem"]) as file:
                numpy.testing.assert_array_equal(file["carom/impulse"][()], solve["impulse"])
        self.assertIn("its steps are 1 to 200", self.carom("problem", "balls.h5", "--step", "201", status=2).stderr)
        self.assertIn("carom solve", self.carom("problem", "balls.h5", "--step", "57", "--out", "a.hdf5").stdout)

    def test_a_step_with_its_geometry_is_kept_and_taken_again(self):
        scene = (SCENES / "quasi_rigid" / "rolling_ellipsoid.yaml").read_text()
        method = "stepper: implicit-geometry"
        self.assertIn(method, scene)
        # One iteration is not enough for what turns.
        (self.folder / "hasty.yaml").write_text(
            scene.replace(method, method + ", quasi_rigid: {iterations: 1, halvings: 0}"))
        run = self.carom("run", "hasty.yaml", "--until", "0.02", "--out", "hasty.h5", "--json", status=1)
        step = json.loads(run.stdout)["certificate"]["first_unsolved_step"]
        self.assertIn(f"carom problem hasty.h5 --step {step}", run.stderr)
        made = json.loads(self.carom("problem", "hasty.h5", "--step", str(step), "--json").stdout)
        self.assertEqual((made["problem"], made["solved"]), (f"hasty-step-{step}.h5", False))
        again = json.loads(self.carom("solve", made["problem"], "--json", status=1).stdout)
        self.assertEqual((again["step"], again["unknowns"], again["most_iterations"]), (step, made["unknowns"], 1))
        self.assertGreater(again["certificate"]["solve_residual"], again["tolerance"])
        self.assertIn("not solved", self.carom("solve", made["problem"], status=1).stdout)
        longer = ("--iterations", "60", "--out", "solved.h5")
        solved = json.loads(self.carom("solve", made["problem"], *longer, "--json").stdout)
        self.assertEqual((solved["certificate"]["status"], solved["certificate"]["solve_residual"]), ("solved", None))
        with h5py.File(self.folder / "solved.h5") as file:
            self.assertEqual(list(file["step"][()]), [step - 1, step])
        self.carom("solve", made["problem"], *longer)  # writes over its own file
        self.assertIn("status      solved", self.carom("solve", made["problem"], "--iterations", "60").stdout)
        for arguments, part in (
                (("solve", "hasty.h5"), "take one out with: carom problem hasty.h5 --step N"),
                (("solve", made["problem"], "--cone", "exact"), "its friction is exact"),
                (("solve", made["problem"], "--iterations", "0"), "at least 1 is needed"),
                (("solve", made["problem"], "--out", made["problem"]), "is the file itself"),
                (("solve", made["problem"], "--out", "hasty.h5"), "is no kept step"),
                (("solve", self.falling(), "--halvings", "3"), "fall.hdf5 is none"),
                (("problem", "hasty.h5", "--step", "1000"), "has no step 1000")):
            with self.subTest(arguments=arguments):
                self.assertIn(part, self.carom(*arguments, status=2).stderr)


LCP = "2\n0\n2\n2\n2\t2\n 2 1\n 1 2\n-5 -6\n"


class Texts(CommandTest):
    """Problems in the texts of Siconos."""

    def text(self, content, name="problem.dat"):
        (self.folder / name).write_text(content)
        return name

    def ball(self, name="ball.dat"):
        """2 kg that fall and slide, normal component first."""
        return self.text("3\n1\n0\n3\n3\n3\t3\n 0.5 0 0\n 0 0.5 0\n 0 0 0.5\n-1 0.5 0\n0.4\n1\n", name)

    def test_lcp_is_solved_and_certified(self):
        solve = json.loads(self.carom("solve", self.text(LCP), "--json").stdout)
        self.assertEqual((solve["kind"], solve["pairs"], solve["certificate"]["status"]), ("lcp", 2, "solved"))
        for found, right in zip(solve["z"], (4 / 3, 7 / 3)):
            self.assertAlmostEqual(found, right, places=12)
        self.assertLess(solve["certificate"]["residual"], 1e-9)
        text = self.carom("solve", self.text(LCP)).stdout
        self.assertIn("status      solved", text)
        self.assertNotIn("LOOK HERE", text)

    def test_lcp_without_a_point_ends_with_its_vector(self):
        name = self.text("2\n0\n2\n2\n2 2\n0 1\n-1 0\n-1 1\n")
        solve = json.loads(self.carom("solve", name, "--json", status=1).stdout)
        self.assertEqual((solve["certificate"]["status"], solve["dual"]), ("infeasible", [1, 0]))
        self.assertIn("a dual vector shows it (checked)", self.carom("solve", name, status=1).stdout)

    def test_mixed_lcp(self):
        solve = json.loads(self.carom("solve", self.text("0\n1\n1\n1\n1\n1\n-1\n0.5\n-1\n-2\n"), "--json").stdout)
        # 0 = x - z - 1, 0 <= w = x / 2 + z - 2
        self.assertEqual(solve["kind"], "mlcp")
        for found, right in zip(solve["z"], (2, 1)):
            self.assertAlmostEqual(found, right, places=12)

    def test_contacts_in_a_text_are_those_of_fclib(self):
        solve = json.loads(self.carom("solve", self.ball("ball.hdf5.dat"), "--json", "--out", "ball.hdf5").stdout)
        for found, right in zip(solve["impulse"], (-0.8, 0, 2)):
            self.assertAlmostEqual(found, right, places=8)
        again = json.loads(self.carom("solve", "ball.hdf5", "--json").stdout)
        self.assertEqual(again["impulse"], solve["impulse"])

    def test_what_does_not_fit_is_refused_with_its_line(self):
        self.assertIn("problem.dat:7: q must have 2 entries",
                      self.carom("solve", self.text(LCP.replace("-5 -6", "-5")), status=2).stderr)
        self.assertIn("not a problem that Carom can read", self.carom("solve", self.text("carom: 1\n"), status=2).stderr)
        self.assertIn("without contacts", self.carom("solve", self.text(LCP), "--cone", "exact", status=2).stderr)

    def test_rolling_friction_is_refused_by_name(self):
        rows = "".join(" ".join("1" if i == j else "0" for j in range(5)) + "\n" for i in range(5))
        text = "5\n1\n0\n5\n5\n5 5\n" + rows + "-1 0 0 0 0\n0.5\n0.1\n"
        self.assertIn("rolling friction", self.carom("solve", self.text(text), status=2).stderr)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_rolling_friction_of_fclib_is_refused_by_name(self):
        with h5py.File(self.folder / "rolling.hdf5", "w") as file:
            file.create_group("fclib_global_rolling")
        self.assertIn("rolling friction (group /fclib_global_rolling)",
                      self.carom("solve", "rolling.hdf5", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
