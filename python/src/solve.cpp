#include <pybind11/numpy.h>

#include "bindings.h"
#include "carom/complementarity/contact_problem.h"
#include "carom/problem_files/siconos_file.h"
#include "carom/problem_files/solve_choices.h"
#include "carom/problem_files/solve_linear.h"
#include "carom/problem_files/solve_stored.h"
#include "carom/record/fclib.h"
#include "carom/record/kept_step.h"
#include "carom/record/linear_summary.h"
#include "carom/record/problem_summary.h"
#include "interrupt.h"
#include "study.h"
#include "taken.h"
#include "words.h"

namespace carom::python {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// Contacts of three rows each.
std::vector<Block> contacts_of(Eigen::Index rows, const VectorX& friction) {
  if (rows % 3 != 0) {
    throw Error("A has " + std::to_string(rows) +
                " rows; contacts have three each (tangent, tangent, normal), other "
                "kinds of rows are named by blocks");
  }
  if (friction.size() != 1 && friction.size() != rows / 3) {
    throw Error("mu has " + std::to_string(friction.size()) + " entries; there are " + std::to_string(rows / 3) +
                " contacts");
  }
  std::vector<Block> blocks(static_cast<std::size_t>(rows / 3));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].kind = BlockKind::cone;
    const double mu = friction[friction.size() == 1 ? 0 : static_cast<Eigen::Index>(i)];
    blocks[i].friction = {mu, mu};
  }
  return blocks;
}

StoredProblem problem_of_matrix(const Sparse& A, const VectorX& u, const std::optional<VectorX>& mu,
                                const std::optional<std::vector<Block>>& blocks) {
  if (A.rows() != A.cols() || A.rows() != u.size()) {
    throw Error("A is " + std::to_string(A.rows()) + " × " + std::to_string(A.cols()) + " and u has " +
                std::to_string(u.size()) + " entries; right are (k, k) and (k,)");
  }
  if (mu.has_value() == blocks.has_value()) {
    throw Error("say the friction of each contact by mu, or what all rows are by blocks: one of the two");
  }
  StoredProblem stored;
  stored.u = u;
  stored.blocks = blocks ? *blocks : contacts_of(u.size(), *mu);
  int row = 0;
  for (Block& block : stored.blocks) {
    block.row = row;
    row += block.size();
  }
  if (row != u.size()) {
    throw Error("the blocks have " + std::to_string(row) + " rows; A has " + std::to_string(u.size()));
  }
  for (int k = 0; k < A.outerSize(); ++k) {
    for (Sparse::InnerIterator entry(A, k); entry; ++entry) {
      if (std::isfinite(entry.value())) continue;
      throw Error("A[" + std::to_string(entry.row()) + ", " + std::to_string(entry.col()) + "] is not finite");
    }
  }
  stored.set_operator(A, "A");
  check(stored.problem());
  return stored;
}

StoredProblem problem_of_file(const std::string& path) {
  if (is_record(path) && !is_problem_file(path)) {
    throw Error(path + " is a step with its geometry; `carom solve` takes it");
  }
  if (!is_text_file(path)) return read_problem(path);
  TextProblem problem = read_siconos(path);
  if (auto* stored = std::get_if<StoredProblem>(&problem)) return std::move(*stored);
  throw Error(path + " is a linear complementarity problem, without contacts; carom.solve_linear takes it");
}

struct Question {
  SolveChoices choices;
  VectorX warm_start;
};

py::dict certificate_of(const SolveCertificate& certificate) {
  py::dict told;
  told["normal_complementarity"] = certificate.normal_complementarity;
  told["cone_violation"] = certificate.cone_violation;
  told["dissipation_residual"] = certificate.dissipation_residual;
  told["polyhedral_error"] = certificate.polyhedral_error;
  told["bilateral_residual"] = certificate.bilateral_residual;
  told["bounded_residual"] = certificate.bounded_residual;
  told["natural_map"] = certificate.natural_map;
  told["contact_work"] = certificate.contact_work;
  told["push_out"] = certificate.push_out;
  told["worst_work"] = certificate.worst_work;
  return told;
}

py::dict dict_of(const std::string& name, const StoredProblem& stored, const StoredSolution& solved) {
  py::dict told;
  told["status"] = status_name(solved.solution.status);
  told["cone"] = cone_name(solved.options.cone);
  told["method"] = solver_name(solved.solution.solver);
  told["iterations"] = solved.solution.iterations;
  told["islands"] = solved.islands;
  told["seconds"] = solved.seconds;
  told["impulse"] = solved.impulse;
  told["velocity"] = solved.velocity;
  told["residual"] = judged_residual(solved.certificate, solved.options.cone);
  told["certificate"] = certificate_of(solved.certificate);
  told["dual"] = solved.dual_checked ? solved.dual : VectorX();
  told["text"] = solve_text(name, stored, solved, "");
  return told;
}

py::dict solve_problem(const std::function<std::pair<std::string, StoredProblem>()>& problem, Question question) {
  Interrupt interrupt;
  const StopSignal stop([&] { return interrupt.asked(); });
  std::pair<std::string, StoredProblem> posed;
  StoredSolution solved;
  try {
    const py::gil_scoped_release unlocked;
    with_keywords([&] {
      posed = problem();
      if (question.warm_start.size() != 0 && question.warm_start.size() != posed.second.rows()) {
        throw Error("warm_start has " + std::to_string(question.warm_start.size()) + " entries; the problem has " +
                    std::to_string(posed.second.rows()) + " rows");
      }
      ContactOptions how = contact_options(question.choices, posed.second.notes);
      how.stop = &stop;
      solved = solve_stored(posed.second, how, question.warm_start);
    });
  } catch (const Stopped&) {
    if (interrupt.is_raised()) interrupt.rethrow();
    throw;
  }
  return dict_of(posed.first, posed.second, solved);
}

Question question_of(const py::dict& asked) {
  Question question;
  const auto take = [&asked]<class Value>(const char* name, const char* right, std::optional<Value>& into) {
    into = taken<std::optional<Value>>(asked[name], name, right);
  };
  std::optional<VectorX> start;
  take("cone", "a word, as a text", question.choices.cone);
  take("directions", "a whole number", question.choices.directions);
  take("method", "a word, as a text", question.choices.method);
  take("tolerance", "a number", question.choices.tolerance);
  take("warm_start", "an array of impulses", start);
  question.warm_start = start.value_or(VectorX());
  return question;
}

py::dict linear_dict(const std::string& name, const LinearProblem& problem, const LinearSolution& solved,
                     double tolerance) {
  py::dict told, certificate;
  certificate["equations"] = solved.certificate.equations;
  certificate["negative_z"] = solved.certificate.negative_z;
  certificate["negative_w"] = solved.certificate.negative_w;
  certificate["complementarity"] = solved.certificate.complementarity;
  certificate["round_off"] = solved.certificate.round_off;
  told["status"] = status_name(solved.status);
  told["method"] = solved.method;
  told["iterations"] = solved.iterations;
  told["cases"] = solved.cases;
  told["seconds"] = solved.seconds;
  told["z"] = solved.z;
  told["w"] = solved.w;
  told["residual"] = solved.certificate.residual;
  told["certificate"] = certificate;
  told["dual"] = solved.dual;
  told["text"] = linear_text(name, problem, solved, tolerance);
  return told;
}

LinearProblem linear_problem(const MatrixX& M, const VectorX& q, const std::vector<bool>& equations) {
  if (M.rows() != M.cols() || M.rows() != q.size()) {
    throw Error("M is " + std::to_string(M.rows()) + " × " + std::to_string(M.cols()) + " and q has " +
                std::to_string(q.size()) + " entries; right are (n, n) and (n,)");
  }
  if (!equations.empty() && static_cast<Eigen::Index>(equations.size()) != q.size()) {
    throw Error("equations has " + std::to_string(equations.size()) + " entries; q has " + std::to_string(q.size()));
  }
  if (!M.allFinite() || !q.allFinite()) throw Error("M or q has an entry that is not finite");
  LinearProblem problem;
  problem.M = M;
  problem.q = q;
  for (int i = 0; i < static_cast<int>(q.size()); ++i) {
    problem.complementary.push_back(equations.empty() || !equations[static_cast<std::size_t>(i)]);
    problem.unknown.push_back(i);
    problem.row.push_back(i);
  }
  return problem;
}

LinearProblem linear_file(const std::string& path) {
  TextProblem problem = read_siconos(path);
  if (auto* linear = std::get_if<LinearProblem>(&problem)) return std::move(*linear);
  throw Error(path + " is a problem of contacts; carom.solve takes it");
}

py::dict solve_linear_problem(const std::string& name, const std::function<LinearProblem()>& pose,
                              const std::optional<double>& asked) {
  LinearProblem problem;
  LinearSolution solved;
  double tolerance = 0;
  {
    const py::gil_scoped_release unlocked;
    with_keywords([&] {
      problem = pose();
      tolerance = chosen_tolerance({.cone = {}, .directions = {}, .method = {}, .tolerance = asked},
                                   ContactOptions().exact.tolerance);
      solved = solve_linear(problem, tolerance);
    });
  }
  return linear_dict(name, problem, solved, tolerance);
}

void bind_blocks(py::module_& module) {
  py::class_<Block>(
      module, "Block",
      "The demand of a group of rows of a contact problem, w = u⁺ + offset: \"cone\" (3 rows: tangent, "
      "tangent, normal, with Coulomb friction), \"ellipsoid\" (a fourth: torsion), \"unilateral\" (1 row, "
      "0 ≤ w ⊥ p ≥ 0), \"bilateral\" (1 row, w = 0), \"bounded\" (1 row, lower ≤ p ≤ upper against w).")
      .def(py::init([](BlockKind kind, const std::variant<double, Eigen::Vector2d>& friction, double torsion,
                       double offset, double lower, double upper) {
             Block block;
             block.kind = kind;
             const auto* one = std::get_if<double>(&friction);
             block.friction = one != nullptr ? Eigen::Vector2d(*one, *one) : std::get<Eigen::Vector2d>(friction);
             block.torsion = torsion;
             block.offset = offset;
             block.lower = lower;
             block.upper = upper;
             return block;
           }),
           py::arg("kind"), py::arg("friction") = 0.0, py::arg("torsion") = 0.0, py::arg("offset") = 0.0,
           py::arg("lower") = 0.0, py::arg("upper") = 0.0)
      .def_readonly("kind", &Block::kind)
      .def_property_readonly(
          "friction", [](const Block& block) { return Eigen::Vector2d(block.friction); },
          "(2,) semi-axes along the two tangent rows; a copy")
      .def_readonly("torsion", &Block::torsion, "m")
      .def_readonly("offset", &Block::offset, "of the normal or only row, m/s")
      .def_readonly("lower", &Block::lower, "N s")
      .def_readonly("upper", &Block::upper, "N s")
      .def_property_readonly("size", &Block::size, "rows");
}

}  // namespace

void bind_solve(py::module_& module) {
  bind_blocks(module);
  module.def(
      "_solve",
      [](const Sparse& A, const VectorX& u, const std::optional<VectorX>& mu,
         const std::optional<std::vector<Block>>& blocks, const py::dict& asked) {
        return solve_problem([&] { return std::pair("A", problem_of_matrix(A, u, mu, blocks)); }, question_of(asked));
      },
      py::arg("A"), py::arg("u"), py::arg("mu"), py::arg("blocks"), py::arg("asked"));
  module.def(
      "_solve_file",
      [](const std::string& path, const py::dict& asked) {
        return solve_problem([&] { return std::pair(path, problem_of_file(path)); }, question_of(asked));
      },
      py::arg("path"), py::arg("asked"));
  module.def(
      "_solve_linear",
      [](const MatrixX& M, const VectorX& q, const std::vector<bool>& equations,
         const std::optional<double>& tolerance) {
        return solve_linear_problem(
            "M", [&] { return linear_problem(M, q, equations); }, tolerance);
      },
      py::arg("M"), py::arg("q"), py::arg("equations"), py::arg("tolerance"));
  module.def(
      "_solve_linear_file",
      [](const std::string& path, const std::optional<double>& tolerance) {
        return solve_linear_problem(
            path, [&] { return linear_file(path); }, tolerance);
      },
      py::arg("path"), py::arg("tolerance"));
}

}  // namespace carom::python
