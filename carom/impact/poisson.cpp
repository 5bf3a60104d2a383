#include "carom/impact/poisson.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Grows, never shrinks: no allocation for sizes seen before.
Eigen::Map<Eigen::VectorXd> vector_of(std::vector<double>& buffer, Eigen::Index size) {
  if (static_cast<Eigen::Index>(buffer.size()) < size) buffer.resize(size);
  return {buffer.data(), size};
}

}  // namespace

void PoissonLaw::reserve(int blocks, const ContactOptions& options) {
  solver_.reserve(blocks, options);
  for (auto* buffer : {&compression_, &expansion_, &velocity_}) vector_of(*buffer, 4 * blocks);
  expansion_blocks_.reserve(blocks);
}

ContactSolution PoissonLaw::solve(const ContactProblem& problem, const ContactOptions& options,
                                  std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                  Eigen::Ref<Eigen::VectorXd> velocity) {
  size_ = problem.u.size();
  auto compression = vector_of(compression_, size_);
  auto expansion = vector_of(expansion_, size_);
  auto middle = vector_of(velocity_, size_);

  ContactSolution result = solver_.solve(problem, options, warm_start, compression, middle);
  impulse = compression;
  velocity = middle;
  expansion.setZero();
  // Contacts that compression stopped keep its round-off, by which a group without expansion would be judged.
  constexpr double round_off = 1e-14;
  const double size = size_ > 0 ? problem.u.cwiseAbs().maxCoeff() : 0.0;
  for (double& u : middle) {
    if (std::abs(u) <= round_off * size) u = 0;
  }
  expansion_blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  bool owed = false;
  for (Block& block : expansion_blocks_) {
    if (block.kind == BlockKind::bounded) {  // the two phases share the bounds
      block.lower -= compression[block.row];
      block.upper -= compression[block.row];
      continue;
    }
    block.floor = block.restitution * compression[block.normal_row()];
    owed = owed || block.floor > 0;
  }
  expanded_ = result.status == SolveStatus::solved && owed;
  if (!expanded_) return result;

  const ContactProblem second{problem.A, middle, expansion_blocks_};
  const ContactSolution expanded = solver_.solve(second, options, {}, expansion, velocity);
  impulse += expansion;
  result.status = expanded.status;
  if (expanded.iterations > result.iterations) result.solver = expanded.solver;
  result.iterations += expanded.iterations;
  result.size = std::max(result.size, expanded.size);
  result.residual = std::max(result.residual, expanded.residual);
  result.tolerance = std::max(result.tolerance, expanded.tolerance);
  result.rungs.add(expanded.rungs);
  return result;
}

}  // namespace carom
