#include "carom/complementarity/polyhedral/polyhedral.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/complementarity/worse_of.h"
#include "carom/error.h"

namespace carom {

namespace {

/// Unknowns up to which principal pivoting on the whole tableau is faster than Lemke's method without friction.
constexpr Eigen::Index largest_tableau = 48;

void check_polyhedral_sizes(Eigen::Index rows, std::span<const Block> blocks, Eigen::Index impulse, int directions) {
  if (directions < 3) {
    throw Error("A polyhedral friction cone needs at least 3 directions, but options.directions is " +
                std::to_string(directions) + ".");
  }
  Eigen::Index covered = 0;
  for (const Block& block : blocks) covered += block.size();
  if (covered != rows || impulse != rows) {
    throw Error("The contact problem has " + std::to_string(rows) + " rows, its blocks cover " +
                std::to_string(covered) + " and the impulse has " + std::to_string(impulse) + "; all must be equal.");
  }
}

void check_warm_start(Eigen::Index rows, std::span<const double> warm_start) {
  if (warm_start.empty() || static_cast<Eigen::Index>(warm_start.size()) == rows) return;
  throw Error("The warm start has " + std::to_string(warm_start.size()) + " impulses, the contact problem " +
              std::to_string(rows) + " rows; give as many, or none.");
}

void check_kinds(std::span<const Block> blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].kind != BlockKind::ellipsoid) continue;
    throw Error("Block " + std::to_string(b) +
                " of the contact problem is an ellipsoid with torsional friction, which a polyhedral cone does not "
                "have; solve it with the exact cone, or without torsion as a cone of three rows.");
  }
}

void check_kinds_of_mixed_form(std::span<const Block> blocks) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].kind == BlockKind::unilateral || blocks[b].kind == BlockKind::cone) continue;
    throw Error("Block " + std::to_string(b) +
                " of the contact problem is neither unilateral nor a cone, which is all that the mixed form of Stewart "
                "and Trinkle's problem has; use the form without velocities.");
  }
}

/// Largest velocity that the problem sets.
double velocity_size(const ContactProblem& problem) {
  double size = 0;
  for (const double u : problem.u) size = std::max(size, std::abs(u));
  for (const Block& block : problem.blocks) size = std::max(size, std::abs(block.offset));
  return size;
}

/// Largest velocity that bilateral rows are left with, relative to that.
double bilateral_residual(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& velocity) {
  double worst = 0;
  for (const Block& block : problem.blocks) {
    if (block.kind != BlockKind::bilateral) continue;
    const double left = std::abs(velocity(block.row) + block.offset);
    worst = worse_of(worst, left);
  }
  const double size = velocity_size(problem);
  return size > 0 ? worst / size : worst;
}

/// A bounded row that nothing moves, and that is still, may have any impulse within its bounds: the least is taken.
/// Another would have to be cancelled by bilateral rows that hold it, down to the problem's velocities.
/// A: dense or sparse.
void rest_held_rows(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u, std::span<const Block> blocks,
                    Eigen::Ref<Eigen::VectorXd> impulse) {
  for (const Block& block : blocks) {
    if (block.kind != BlockKind::bounded || u(block.row) + block.offset != 0) continue;
    const bool sparse = A.form() == ContactOperator::Form::sparse;
    const double moves = sparse ? A.sparse().coeff(block.row, block.row) : A.dense()(block.row, block.row);
    if (moves == 0) impulse(block.row) = std::clamp(0.0, block.lower, block.upper);
  }
}

/// The layout tells a bounded impulse from its lower bound, which costs one that is small beside it its last digits.
/// Rows within their bounds are still, w = 0: a few sweeps of Gauss and Seidel over these alone bring the digits back.
void refine_rows_within_bounds(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u,
                               std::span<const Block> blocks, Eigen::Ref<Eigen::VectorXd> impulse) {
  constexpr int sweeps = 3;
  constexpr double at_bound = 1e-12;
  if (A.form() != ContactOperator::Form::dense) return;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const Block& block : blocks) {
      if (block.kind != BlockKind::bounded || !(A.dense()(block.row, block.row) > 0)) continue;
      double& p = impulse(block.row);
      const double margin = at_bound * (block.upper - block.lower);
      if (p <= block.lower + margin || p >= block.upper - margin) continue;
      const double w = u(block.row) + block.offset + A.dense().col(block.row).dot(impulse);
      p = std::clamp(p - w / A.dense()(block.row, block.row), block.lower, block.upper);
    }
  }
}

double* resized(std::vector<double>& buffer, std::size_t rows, std::size_t columns) {
  buffer.assign(rows * columns, 0.0);
  return buffer.data();
}

}  // namespace

ContactSolution solution_of(const LcpResult& lcp, SolverKind method, int size) {
  ContactSolution solution;
  solution.status = lcp.status;
  solution.solver = method;
  solution.iterations = lcp.pivots;
  solution.paths = lcp.paths;
  solution.size = size;
  solution.residual = lcp.residual;
  solution.rungs = lcp.rungs;
  return solution;
}

ContactSolution PolyhedralSolver::solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                        std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                        Eigen::Ref<Eigen::VectorXd> velocity) {
  check_polyhedral_sizes(problem.u.size(), problem.blocks, impulse.size(), options.directions);
  check_kinds(problem.blocks);
  check_warm_start(problem.u.size(), warm_start);
  ContactSolution solution;
  if (!bilateral_.eliminate(problem)) {
    solution = solve_contacts(problem, options, warm_start, impulse);
    problem.A.multiply(impulse, velocity);
    velocity += problem.u;
    return solution;
  }
  const std::vector<int>& rows = bilateral_.rows();
  const auto count = static_cast<Eigen::Index>(rows.size());
  reduced_impulse_.resize(rows.size());
  reduced_start_.clear();
  if (!warm_start.empty()) {
    for (const int row : rows) reduced_start_.push_back(warm_start[row]);
  }
  Eigen::Map<Eigen::VectorXd> reduced(reduced_impulse_.data(), count);
  // Velocities that the bilateral rows leave are differences of velocities of the problem.
  PolyhedralOptions of_contacts = options;
  of_contacts.lcp.demand = std::max(options.lcp.demand, velocity_size(problem));
  solution = solve_contacts(bilateral_.problem(), of_contacts, reduced_start_, reduced);
  bilateral_.expand(reduced_impulse_.data(), impulse.data());
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  bilateral_.correct(velocity.data(), impulse.data());
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  solution.residual = std::max(solution.residual, bilateral_residual(problem, velocity));
  if (solution.status == SolveStatus::solved && !(solution.residual <= options.lcp.residual_tolerance)) {
    solution.status = SolveStatus::inaccurate;
  }
  return solution;
}

LcpStart PolyhedralSolver::first_basis(const ContactOperator& A, const Eigen::Ref<const Eigen::VectorXd>& u,
                                       std::span<const double> warm_start) {
  if (warm_start.empty()) return start_.sliding(layout_, matrix_.velocity_without_unknowns());
  end_velocity_.resize(warm_start.size());
  Eigen::Map<Eigen::VectorXd> end(end_velocity_.data(), u.size());
  A.multiply(Eigen::Map<const Eigen::VectorXd>(warm_start.data(), u.size()), end);
  end += u;
  return start_.from_impulse(layout_, end_velocity_.data(), warm_start);
}

ContactSolution PolyhedralSolver::solve_contacts(const ContactProblem& problem, const PolyhedralOptions& options,
                                                 std::span<const double> warm_start,
                                                 Eigen::Ref<Eigen::VectorXd> impulse) {
  const Eigen::Index k = problem.u.size();
  ContactOperator A = problem.A;
  if (A.form() == ContactOperator::Form::product || A.form() == ContactOperator::Form::factors) {
    dense_.resize(static_cast<std::size_t>(k) * k);
    A.copy_to(Eigen::Map<Eigen::MatrixXd>(dense_.data(), k, k));
    A = ContactOperator(Eigen::Map<const Eigen::MatrixXd>(dense_.data(), k, k));
  }
  layout_.build(problem.blocks, options.directions);
  matrix_.build(A, problem.u, problem.blocks, layout_);
  const LcpStart start = first_basis(A, problem.u, warm_start);
  z_.resize(layout_.size());
  Eigen::Map<Eigen::VectorXd> z(z_.data(), layout_.size());
  LcpResult lcp;
  method_ = SolverKind::lemke;
  const auto n = static_cast<Eigen::Index>(layout_.size());
  if (layout_.parts().size() == z_.size() && n <= largest_tableau) {
    normals_.resize(z_.size() * z_.size());
    const Eigen::Map<Eigen::MatrixXd> R(normals_.data(), n, n);
    matrix_.copy_normals(R);
    lcp = pivoting_.solve(R, matrix_.q(), start.basic_z, options.lcp, z);
    const bool answered = lcp.status == SolveStatus::solved || lcp.status == SolveStatus::secondary_ray;
    if (answered) method_ = SolverKind::pivoting;
  }
  if (method_ == SolverKind::lemke) {
    const RungSet before = lcp.rungs.entered;
    lcp = lemke_.solve_from(matrix_, matrix_.q(), start, options.lcp, z);
    lcp.rungs.entered.add(before);
  }
  layout_.recover_impulse(z_.data(), matrix_.unit(), impulse);
  rest_held_rows(A, problem.u, problem.blocks, impulse);
  refine_rows_within_bounds(A, problem.u, problem.blocks, impulse);
  return solution_of(lcp, method_, layout_.size());
}

ContactSolution PolyhedralSolver::solve_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                              const Eigen::Ref<const Eigen::MatrixXd>& J,
                                              const Eigen::Ref<const Eigen::VectorXd>& v_free,
                                              std::span<const Block> blocks, const PolyhedralOptions& options,
                                              Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> v_plus) {
  check_polyhedral_sizes(J.rows(), blocks, impulse.size(), options.directions);
  check_kinds_of_mixed_form(blocks);
  method_ = SolverKind::none;
  layout_.build(blocks, options.directions);
  assemble_mixed(M, J, v_free, blocks);
  const Eigen::Index nv = v_free.size();
  const int size = layout_.size();
  const MixedLcpProblem problem{M,
                                Eigen::Map<const Eigen::MatrixXd>(H_.data(), nv, size),
                                Eigen::Map<const Eigen::MatrixXd>(K_.data(), size, nv),
                                Eigen::Map<const Eigen::MatrixXd>(R_.data(), size, size),
                                Eigen::Map<const Eigen::VectorXd>(a_.data(), nv),
                                Eigen::Map<const Eigen::VectorXd>(b_.data(), size)};
  z_.resize(size);
  Eigen::Map<Eigen::VectorXd> z(z_.data(), size);
  const LcpResult lcp = mixed_solver_.solve(problem, start_.sliding(layout_, u_.data()), options.lcp, v_plus, z);
  layout_.recover_impulse(z_.data(), unit_, impulse);
  return solution_of(lcp, SolverKind::lemke, size);
}

void PolyhedralSolver::reserve(int blocks, int directions) {
  // The largest problems of so many blocks: all cones, all limits, and with that many bilateral rows that the buffers
  // of their elimination are largest. All contacts close, so that the paths are long.
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(3 * blocks, 3 * blocks);
  const Eigen::VectorXd u = -Eigen::VectorXd::Ones(3 * blocks);
  Eigen::VectorXd impulse(3 * blocks), velocity(3 * blocks);
  PolyhedralOptions options;
  options.directions = directions;
  std::vector<Block> some;
  const auto solve_some = [&](BlockKind kind, int count, int cones) {
    Eigen::Index rows = 0;
    some.resize(count + cones);
    for (int b = 0; b < count + cones; ++b) {
      some[b].kind = b < count ? kind : BlockKind::cone;
      some[b].row = static_cast<int>(rows);
      some[b].friction.setOnes();
      rows += some[b].size();
    }
    const auto p = impulse.head(rows);
    (void)solve({A.topLeftCorner(rows, rows), u.head(rows), some}, options, {}, p, velocity.head(rows));
    const Eigen::VectorXd start = p;
    const std::span<const double> warm_start(start.data(), static_cast<std::size_t>(rows));
    (void)solve({A.topLeftCorner(rows, rows), u.head(rows), some}, options, warm_start, p, velocity.head(rows));
  };
  solve_some(BlockKind::cone, blocks, 0);
  solve_some(BlockKind::unilateral, std::min(blocks, static_cast<int>(largest_tableau)), 0);
  solve_some(BlockKind::bilateral, blocks / 2, blocks - blocks / 2);
  solve_some(BlockKind::bilateral, blocks, 0);
}

void PolyhedralSolver::add_friction_rows(std::span<const Block> blocks, Eigen::Map<Eigen::MatrixXd>& R,
                                         Eigen::Map<Eigen::VectorXd>& q) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const StewartTrinkleLayout::Part& part = layout_.parts()[b];
    const int c = static_cast<int>(b);
    q(c) += blocks[b].offset;
    if (part.beta < 0) continue;
    R(part.cap, c) = part.bound;
    R.row(part.cap).segment(part.beta, layout_.directions()).setConstant(-1);
    R.col(part.cap).segment(part.beta, layout_.directions()).setOnes();
    q(part.cap) = part.bound * part.constant / unit_;
  }
}

void PolyhedralSolver::assemble_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                      const Eigen::Ref<const Eigen::MatrixXd>& J,
                                      const Eigen::Ref<const Eigen::VectorXd>& v_free, std::span<const Block> blocks) {
  const int k = static_cast<int>(J.rows()), nv = static_cast<int>(J.cols()), size = layout_.size();
  double diagonal = 0;
  for (const Block& block : blocks) {
    for (int i = 0; i < nv; ++i) diagonal += J(block.normal_row(), i) * J(block.normal_row(), i) / M(i, i);
  }
  unit_ = impulse_unit(diagonal, blocks.size());

  Eigen::Map<Eigen::MatrixXd> R(resized(R_, size, size), size, size);
  Eigen::Map<Eigen::MatrixXd> H(resized(H_, nv, size), nv, size);
  Eigen::Map<Eigen::MatrixXd> rows(resized(K_, size, nv), size, nv);
  Eigen::Map<Eigen::VectorXd> a(resized(a_, nv, 1), nv);
  Eigen::Map<Eigen::VectorXd> q(resized(b_, size, 1), size);
  u_.assign(k, 0.0);
  for (int i = 0; i < nv; ++i) {
    layout_.project(J.data() + i * J.outerStride(), &rows(0, i));
    for (int j = 0; j < size; ++j) H(i, j) = -unit_ * rows(j, i);
    dense::add_scaled(nv, -v_free(i), M.data() + i * M.outerStride(), a.data());
    dense::add_scaled(k, v_free(i), J.data() + i * J.outerStride(), u_.data());
  }
  for (const Block& block : blocks) {
    for (int i = 0; i < nv; ++i) a(i) -= J(block.normal_row(), i) * block.floor;
  }
  add_friction_rows(blocks, R, q);
}

}  // namespace carom
