#include "carom/complementarity/polyhedral.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "carom/complementarity/dense_kernels.h"
#include "carom/error.h"

namespace carom {

namespace {

double bound(const Block& block) { return block.friction.maxCoeff(); }
bool has_friction(const Block& block) { return block.kind == BlockKind::cone && bound(block) > 0; }

void check_sizes(Eigen::Index rows, std::span<const Block> blocks, Eigen::Index impulse, int directions) {
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

/// Power of two next to 1 / mean of the squared sizes that unit impulses give to the normal rows.
double impulse_unit(double sum, std::size_t count) {
  return sum > 0 && std::isfinite(sum) ? std::ldexp(1.0, -std::ilogb(sum / static_cast<double>(count))) : 1.0;
}

double* resized(std::vector<double>& buffer, std::size_t rows, std::size_t columns) {
  buffer.assign(rows * columns, 0.0);
  return buffer.data();
}

}  // namespace

void cone_directions(int directions, Eigen::Matrix2Xd& result) {
  const int K = directions;
  if (result.cols() != K) result.resize(2, K);
  for (int j = 0; j < K; ++j) {
    // From the first octant by symmetry, so that mirrored directions agree to the bit.
    const int eighths = 8 * j / K;          // octant
    const int quarter = (eighths + 1) / 2;  // nearest axis, in quarter turns
    const double angle = 2 * std::numbers::pi * (4.0 * j - static_cast<double>(quarter) * K) / (4.0 * K);
    const double along = std::cos(angle), across = std::sin(angle);
    const Eigen::Vector2d axes[] = {{along, across}, {-across, along}, {-along, -across}, {across, -along}};
    result.col(j) = axes[quarter % 4];
  }
}

ContactSolution PolyhedralSolver::solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                        Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  check_sizes(problem.u.size(), problem.blocks, impulse.size(), options.directions);
  mixed_ = false;
  lay_out(problem.blocks, options.directions);
  assemble(problem);
  const Eigen::Map<const Eigen::MatrixXd> R(matrix_.data(), size_, size_);
  const Eigen::Map<const Eigen::VectorXd> q(vector_.data(), size_);
  Eigen::Map<Eigen::VectorXd> z(z_.data(), size_);
  const LcpResult lcp = lemke_.solve_from(R, q, start(problem.blocks, u_.data()), options.lcp, z);
  recover_impulse(problem.blocks, impulse);
  velocity = problem.u;
  dense::ColumnSum sum(static_cast<int>(velocity.size()), velocity.data());
  for (Eigen::Index j = 0; j < impulse.size(); ++j) {
    sum.add(impulse(j), problem.A.data() + j * problem.A.outerStride());
  }
  return {lcp.status, lcp.pivots, lcp.paths, size_, lcp.residual};
}

ContactSolution PolyhedralSolver::solve_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                              const Eigen::Ref<const Eigen::MatrixXd>& J,
                                              const Eigen::Ref<const Eigen::VectorXd>& v_free,
                                              std::span<const Block> blocks, const PolyhedralOptions& options,
                                              Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> v_plus) {
  check_sizes(J.rows(), blocks, impulse.size(), options.directions);
  mixed_ = true;
  lay_out(blocks, options.directions);
  assemble_mixed(M, J, v_free, blocks);
  const Eigen::Index nv = v_free.size();
  const MixedLcpProblem problem{M,
                                Eigen::Map<const Eigen::MatrixXd>(H_.data(), nv, size_),
                                Eigen::Map<const Eigen::MatrixXd>(K_.data(), size_, nv),
                                Eigen::Map<const Eigen::MatrixXd>(matrix_.data(), size_, size_),
                                Eigen::Map<const Eigen::VectorXd>(a_.data(), nv),
                                Eigen::Map<const Eigen::VectorXd>(vector_.data(), size_)};
  Eigen::Map<Eigen::VectorXd> z(z_.data(), size_);
  const LcpResult lcp = mixed_solver_.solve(problem, start(blocks, u_.data()), options.lcp, v_plus, z);
  recover_impulse(blocks, impulse);
  return {lcp.status, lcp.pivots, lcp.paths, size_, lcp.residual};
}

void PolyhedralSolver::reserve(int blocks, int directions) {
  // The largest problem of so many blocks is one of cones that all close: every buffer has the size of the problem.
  const int rows = 3 * blocks;
  std::vector<Block> cones(blocks);
  for (int b = 0; b < blocks; ++b) {
    cones[b].kind = BlockKind::cone;
    cones[b].row = 3 * b;
    cones[b].friction.setOnes();
  }
  const Eigen::MatrixXd A = Eigen::MatrixXd::Identity(rows, rows);
  const Eigen::VectorXd u = -Eigen::VectorXd::Ones(rows);
  Eigen::VectorXd impulse(rows), velocity(rows);
  PolyhedralOptions options;
  options.directions = directions;
  (void)solve({A, u, cones}, options, impulse, velocity);
}

void PolyhedralSolver::lay_out(std::span<const Block> blocks, int directions) {
  if (directions_.cols() != directions) cone_directions(directions, directions_);
  cone_block_.clear();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (has_friction(blocks[b])) cone_block_.push_back(static_cast<int>(b));
  }
  count_ = static_cast<int>(blocks.size() + cone_block_.size() * directions);
  size_ = count_ + static_cast<int>(cone_block_.size());
  z_.resize(size_);
}

Eigen::Vector2d PolyhedralSolver::direction(const Block& block, int j) const {
  return {directions_(0, j) * (block.friction.x() / bound(block)),
          directions_(1, j) * (block.friction.y() / bound(block))};
}

LcpStart PolyhedralSolver::start(std::span<const Block> blocks, const double* u) {
  const int K = static_cast<int>(directions_.cols());
  basic_.clear();
  covering_.assign(size_, 1.0);
  for (std::size_t m = 0; m < cone_block_.size(); ++m) {
    const Block& block = blocks[cone_block_[m]];
    const Eigen::Vector2d slip(u[block.row], u[block.row + 1]);
    if (slip.x() == 0 && slip.y() == 0) continue;  // no direction to begin with: w basic, all rows lifted
    int steepest = 0;
    for (int j = 1; j < K; ++j) {
      if (direction(block, j).dot(slip) < direction(block, steepest).dot(slip)) steepest = j;
    }
    const int beta = static_cast<int>(blocks.size() + m * K) + steepest, lambda = count_ + static_cast<int>(m);
    for (const int basic : {beta, lambda}) {
      basic_.push_back(basic);
      covering_[basic] = 0;
    }
  }
  return {basic_, covering_};
}

void PolyhedralSolver::project(std::span<const Block> blocks, const double* y, double* rows) const {
  // Pᵀ y: from contact rows to the rows of c_n and β.
  const int K = static_cast<int>(directions_.cols());
  for (std::size_t b = 0; b < blocks.size(); ++b) rows[b] = y[blocks[b].normal_row()];
  double* row = rows + blocks.size();
  for (const int b : cone_block_) {
    const Block& block = blocks[b];
    const double scale_x = block.friction.x() / bound(block), scale_y = block.friction.y() / bound(block);
    const double x = scale_x * y[block.row], y_ = scale_y * y[block.row + 1];
    for (int j = 0; j < K; ++j) *row++ = directions_(0, j) * x + directions_(1, j) * y_;
  }
}

void PolyhedralSolver::add_friction_rows(std::span<const Block> blocks, Eigen::Map<Eigen::MatrixXd>& R,
                                         Eigen::Map<Eigen::VectorXd>& q) {
  const int K = static_cast<int>(directions_.cols());
  for (std::size_t m = 0; m < cone_block_.size(); ++m) {
    const Block& block = blocks[cone_block_[m]];
    const int lambda = count_ + static_cast<int>(m), beta = static_cast<int>(blocks.size() + m * K);
    R(lambda, cone_block_[m]) = bound(block);
    R.block(lambda, beta, 1, K).setConstant(-1);
    R.block(beta, lambda, K, 1).setOnes();
    q(lambda) = bound(block) * block.floor / unit_;
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) q(b) += blocks[b].offset;
}

void PolyhedralSolver::assemble(const ContactProblem& problem) {
  const std::span<const Block> blocks = problem.blocks;
  const int k = static_cast<int>(problem.u.size()), K = static_cast<int>(directions_.cols());
  const auto A = [&](int column) { return problem.A.data() + column * problem.A.outerStride(); };
  double diagonal = 0;
  for (const Block& block : blocks) diagonal += A(block.normal_row())[block.normal_row()];
  unit_ = impulse_unit(diagonal, blocks.size());

  Eigen::Map<Eigen::MatrixXd> R(resized(matrix_, size_, size_), size_, size_);
  Eigen::Map<Eigen::VectorXd> q(resized(vector_, size_, 1), size_);
  u_.assign(problem.u.data(), problem.u.data() + k);
  column_.resize(k);
  int column = 0;
  for (const Block& block : blocks) {
    if (block.floor != 0) dense::add_scaled(k, block.floor, A(block.normal_row()), u_.data());
    for (int i = 0; i < k; ++i) column_[i] = unit_ * A(block.normal_row())[i];
    project(blocks, column_.data(), &R(0, column++));
  }
  for (const int b : cone_block_) {
    for (int j = 0; j < K; ++j) {
      const Eigen::Vector2d d = unit_ * direction(blocks[b], j);
      const double *x = A(blocks[b].row), *y = A(blocks[b].row + 1);
      for (int i = 0; i < k; ++i) column_[i] = d.x() * x[i] + d.y() * y[i];
      project(blocks, column_.data(), &R(0, column++));
    }
  }
  project(blocks, u_.data(), q.data());
  add_friction_rows(blocks, R, q);
}

void PolyhedralSolver::assemble_mixed(const Eigen::Ref<const Eigen::MatrixXd>& M,
                                      const Eigen::Ref<const Eigen::MatrixXd>& J,
                                      const Eigen::Ref<const Eigen::VectorXd>& v_free, std::span<const Block> blocks) {
  const int k = static_cast<int>(J.rows()), nv = static_cast<int>(J.cols());
  double diagonal = 0;
  for (const Block& block : blocks) {
    for (int i = 0; i < nv; ++i) diagonal += J(block.normal_row(), i) * J(block.normal_row(), i) / M(i, i);
  }
  unit_ = impulse_unit(diagonal, blocks.size());

  Eigen::Map<Eigen::MatrixXd> R(resized(matrix_, size_, size_), size_, size_);
  Eigen::Map<Eigen::MatrixXd> H(resized(H_, nv, size_), nv, size_);
  Eigen::Map<Eigen::MatrixXd> rows(resized(K_, size_, nv), size_, nv);
  Eigen::Map<Eigen::VectorXd> a(resized(a_, nv, 1), nv);
  Eigen::Map<Eigen::VectorXd> q(resized(vector_, size_, 1), size_);
  u_.assign(k, 0.0);
  for (int i = 0; i < nv; ++i) {
    project(blocks, J.data() + i * J.outerStride(), &rows(0, i));
    for (int j = 0; j < count_; ++j) H(i, j) = -unit_ * rows(j, i);
    dense::add_scaled(nv, -v_free(i), M.data() + i * M.outerStride(), a.data());
    dense::add_scaled(k, v_free(i), J.data() + i * J.outerStride(), u_.data());
  }
  for (const Block& block : blocks) {
    for (int i = 0; i < nv; ++i) a(i) -= J(block.normal_row(), i) * block.floor;
  }
  add_friction_rows(blocks, R, q);
}

void PolyhedralSolver::recover_impulse(std::span<const Block> blocks, Eigen::Ref<Eigen::VectorXd> impulse) const {
  const int K = static_cast<int>(directions_.cols());
  impulse.setZero();
  for (std::size_t b = 0; b < blocks.size(); ++b) impulse(blocks[b].normal_row()) = blocks[b].floor + unit_ * z_[b];
  const double* beta = z_.data() + blocks.size();
  for (const int b : cone_block_) {
    const Block& block = blocks[b];
    Eigen::Vector2d tangent = Eigen::Vector2d::Zero();
    for (int j = 0; j < K; ++j) tangent += *beta++ * direction(block, j);
    if (impulse(block.normal_row()) > 0) impulse.segment<2>(block.row) = unit_ * tangent;
  }
}

}  // namespace carom
