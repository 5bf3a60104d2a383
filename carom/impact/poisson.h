#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_solver.h"

namespace carom {

/// Poisson's hypothesis with two complementarity problems (Anitescu and Potra 1997, section 5; paper ST, section 5).
///
/// Compression: the problem as given, without restitution, yields p₁ and velocities u₁ = u + A p₁. Expansion: from u₁,
/// block i owes the normal impulse e_i p₁,n. It may receive more where another contact would otherwise drive it
/// together. Its friction is bounded by the expansion's own normal impulse. The result is p = p₁ + p₂.
class PoissonLaw {
 public:
  /// Blocks with restitution 0 owe nothing. The bounds of a bounded row hold for both phases together. warm_start: k
  /// impulses for the compression, or empty. impulse and velocity: k. Keeps its buffers between calls.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const ContactOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  /// Makes room for any problem of so many blocks, as ContactSolver::reserve does.
  void reserve(int blocks, const ContactOptions& options);

  // Data of the last solve, for the certificate: each phase is an end-of-phase problem of its own.
  bool expanded() const { return expanded_; }  ///< false: nothing was owed, and there was no second phase
  Eigen::Map<const Eigen::VectorXd> compression_impulse() const { return {compression_.data(), size_}; }
  Eigen::Map<const Eigen::VectorXd> expansion_impulse() const { return {expansion_.data(), size_}; }
  Eigen::Map<const Eigen::VectorXd> compression_velocity() const { return {velocity_.data(), size_}; }
  const std::vector<Block>& expansion_blocks() const { return expansion_blocks_; }

 private:
  ContactSolver solver_;
  Eigen::Index size_ = 0;
  bool expanded_ = false;
  std::vector<double> compression_, expansion_, velocity_;
  std::vector<Block> expansion_blocks_;
};

}  // namespace carom
