#include "carom/complementarity/contact_problem.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "carom/error.h"

namespace carom {

namespace {

/// Largest difference of mirrored entries of A, relative to its largest entry, that assembly in round-off explains.
constexpr double symmetry_tolerance = 1e-9;

std::string block_name(std::size_t index) { return "Block " + std::to_string(index) + " of the contact problem"; }

void check_entry(double entry, double mirrored, Eigen::Index i, Eigen::Index j, double size) {
  const std::string at = "(" + std::to_string(i) + ", " + std::to_string(j) + ")";
  if (!std::isfinite(entry)) throw Error("Entry " + at + " of A is not finite; A must be J M^-1 J^T.");
  if (std::abs(entry - mirrored) > symmetry_tolerance * size) {
    throw Error("Entry " + at + " of A is " + std::to_string(entry) + " and its mirror image is " +
                std::to_string(mirrored) + "; A = J M^-1 J^T must be symmetric.");
  }
  if (i == j && entry < -symmetry_tolerance * size) {
    throw Error("Entry " + at + " of A is " + std::to_string(entry) +
                "; an impulse would push against itself. A = J M^-1 J^T must be positive semidefinite.");
  }
}

void check_entries(const ContactOperator& A) {
  if (A.rows() == 0) return;
  if (A.form() == ContactOperator::Form::dense) {
    const auto matrix = A.dense();
    const double size = matrix.cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      for (Eigen::Index i = 0; i < A.rows(); ++i) check_entry(matrix(i, j), matrix(j, i), i, j, size);
    }
  } else if (A.form() == ContactOperator::Form::sparse) {
    const Eigen::SparseMatrix<double>& matrix = A.sparse();
    double size = 0;
    for (Eigen::Index i = 0; i < matrix.nonZeros(); ++i) size = std::max(size, std::abs(matrix.valuePtr()[i]));
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it) {
        check_entry(it.value(), matrix.coeff(j, it.row()), it.row(), j, size);
      }
    }
  }
}

void check_factors(const ContactFactors& G, std::span<const Block> blocks) {
  for (int row = 0; row < G.rows(); ++row) {
    for (int i = G.value_start[row]; i < G.value_start[row + 1]; ++i) {
      if (std::isfinite(G.value[i])) continue;
      throw Error("Row " + std::to_string(row) + " of the factors G of A holds a number that is not finite.");
    }
  }
  const auto groups = [&G](int row) {
    return std::span<const int>(G.group.data() + G.row_start[row], G.group.data() + G.row_start[row + 1]);
  };
  for (const Block& block : blocks) {
    for (int row = std::max(0, block.row) + 1; row < std::min(G.rows(), block.row + block.size()); ++row) {
      if (std::ranges::equal(groups(row), groups(row - 1))) continue;
      throw Error("Rows " + std::to_string(row - 1) + " and " + std::to_string(row) +
                  " of the factors G of A are of one block and hold different groups of columns; give all rows of a " +
                  "block the same groups, with zeros where nothing moves.");
    }
  }
}

void check_matrix(const ContactProblem& problem) {
  const Eigen::Index rows = problem.u.size();
  if (problem.A.rows() != rows || problem.A.cols() != rows) {
    throw Error("The matrix A of the contact problem is " + std::to_string(problem.A.rows()) + " x " +
                std::to_string(problem.A.cols()) + ", but u has " + std::to_string(rows) +
                " rows; A must be square with as many rows as u.");
  }
  for (Eigen::Index i = 0; i < rows; ++i) {
    if (!std::isfinite(problem.u(i))) {
      throw Error("Row " + std::to_string(i) + " of u is not a finite number; every contact velocity must be finite.");
    }
  }
  check_entries(problem.A);
  if (problem.A.form() == ContactOperator::Form::factors) check_factors(problem.A.factors(), problem.blocks);
}

std::string kind_name(BlockKind kind) {
  switch (kind) {
    case BlockKind::bilateral:
      return "bilateral";
    case BlockKind::bounded:
      return "bounded";
    case BlockKind::unilateral:
      return "unilateral";
    case BlockKind::cone:
      return "a cone";
    case BlockKind::ellipsoid:
      return "an ellipsoid";
  }
  return "unknown";
}

void check_block(const Block& block, const std::string& name) {
  const double numbers[] = {block.friction.x(), block.friction.y(), block.torsion, block.offset,
                            block.push_speed,   block.restitution,  block.floor};
  const char* names[] = {"friction x", "friction y", "torsion", "offset", "push_speed", "restitution", "floor"};
  for (int i = 0; i < 7; ++i) {
    if (!std::isfinite(numbers[i]))
      throw Error("The " + std::string(names[i]) + " of b" + name.substr(1) + " is not a finite number.");
  }
  if (block.friction.minCoeff() < 0) {
    throw Error(name + " has friction (" + std::to_string(block.friction.x()) + ", " +
                std::to_string(block.friction.y()) + "); both semi-axes must be zero or positive.");
  }
  if (!block.is_contact() && block.friction.maxCoeff() > 0) {
    throw Error(name + " is " + kind_name(block.kind) +
                " and has friction; only a cone or an ellipsoid has tangent rows to apply it to.");
  }
  if (block.torsion < 0) throw Error(name + " has a negative torsion; the semi-axis must be zero or positive.");
  if (block.kind != BlockKind::ellipsoid && block.torsion > 0) {
    throw Error(name + " is " + kind_name(block.kind) +
                " and has torsion; only an ellipsoid has a torsion row to apply it to.");
  }
  if (block.kind == BlockKind::bounded && !(block.lower <= block.upper)) {
    throw Error(name + " has bounds from " + std::to_string(block.lower) + " to " + std::to_string(block.upper) +
                "; lower must not be above upper.");
  }
  if (block.restitution < 0) throw Error(name + " has a negative restitution; it must be zero or positive.");
  if (block.floor < 0) throw Error(name + " has a negative floor; an impulse that is owed must be zero or positive.");
}

}  // namespace

void check(const ContactProblem& problem) {
  check_matrix(problem);
  const int rows = static_cast<int>(problem.u.size());
  std::vector<int> owner(rows, -1);
  for (std::size_t index = 0; index < problem.blocks.size(); ++index) {
    const Block& block = problem.blocks[index];
    const std::string name = block_name(index);
    check_block(block, name);
    if (block.row < 0 || block.row + block.size() > rows) {
      throw Error(name + " has rows " + std::to_string(block.row) + " to " +
                  std::to_string(block.row + block.size() - 1) + ", but the problem has rows 0 to " +
                  std::to_string(rows - 1) + ".");
    }
    for (int row = block.row; row < block.row + block.size(); ++row) {
      if (owner[row] >= 0) {
        throw Error(name + " holds row " + std::to_string(row) + ", which block " + std::to_string(owner[row]) +
                    " holds already; every row must belong to one block.");
      }
      owner[row] = static_cast<int>(index);
    }
  }
  const auto uncovered = std::find(owner.begin(), owner.end(), -1);
  if (uncovered != owner.end()) {
    throw Error("Row " + std::to_string(uncovered - owner.begin()) +
                " of the contact problem belongs to no block; every row must belong to one block.");
  }
}

std::string status_name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::secondary_ray:
      return "secondary_ray";
    case SolveStatus::iteration_limit:
      return "iteration_limit";
    case SolveStatus::inaccurate:
      return "inaccurate";
    case SolveStatus::infeasible:
      return "infeasible";
  }
  return "unknown";
}

std::string solver_name(SolverKind kind) {
  switch (kind) {
    case SolverKind::none:
      return "none";
    case SolverKind::lemke:
      return "lemke";
    case SolverKind::pivoting:
      return "pivoting";
    case SolverKind::gauss_seidel:
      return "gauss_seidel";
    case SolverKind::proximal:
      return "proximal";
    case SolverKind::newton:
      return "newton";
    case SolverKind::multipliers:
      return "multipliers";
  }
  return "unknown";
}

}  // namespace carom
