#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/factored/grouped_matrix.h"
#include "carom/complementarity/factored/impulse_set.h"
#include "carom/stop_signal.h"

namespace carom {

/// Result of a method, from its start.
struct FactoredResult {
  double residual = 0;  ///< FactoredProblem::measure of the impulses that it leaves
  int iterations = 0;
};

/// A contact problem with A = G Gᵀ in factors as its methods see it. It is a copy in the units of the blocks' sets
/// (ImpulseSet), in which friction is isotropic. Impulses p have a number per row, and y = Gᵀ p has one per column.
/// Velocities w = u + offset + G y have one per row.
class FactoredProblem {
 public:
  /// True if the methods for factors can take such a block.
  static bool knows(const Block& block, int directions);

  /// problem.A in factors, all blocks known. directions: generators of the friction cones, 0 for exact ones.
  void pose(const ContactProblem& problem, int directions);

  const ContactFactors& G() const { return G_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  const ImpulseSet& set(std::size_t b) const { return sets_[b]; }
  std::size_t rows() const { return u_.size(); }
  double u(int row) const { return u_[row]; }                              ///< with the offset in the normal row
  double mean_diagonal(std::size_t b) const { return mean_diagonal_[b]; }  ///< a of the block; 0: nothing moves it
  double velocity_size() const { return velocity_size_; }  ///< largest velocity that the problem begins with

  /// Laid out for G; the methods of one solve share it.
  GroupedMatrix& matrix();

  /// Impulses in the units of the sets and back; those that a set has no room for are zero. Empty ones are zero.
  void to_units(std::span<const double> impulse, std::vector<double>& p) const;
  void from_units(const std::vector<double>& p, Eigen::Ref<Eigen::VectorXd> impulse) const;

  void push(const std::vector<double>& p, Eigen::VectorXd& y) const;       ///< y = Gᵀ p
  void move(const Eigen::VectorXd& y, std::vector<double>& change) const;  ///< G y
  void respond(const std::vector<double>& p, Eigen::VectorXd& y, std::vector<double>& w) const;

  /// max_i ‖p_i − P_C(p_i − (w_i + s_i e_n) / a_i)‖ over the largest ‖p_i‖, with s the lift of ImpulseSet. For exact
  /// cones this is certify's natural map. If 0.11 of the same in units of velocity is more, that counts. So does the
  /// velocity of bilateral rows, and of blocks that nothing moves, over velocity_size(). Infinite for what is no
  /// number.
  double measure(const std::vector<double>& p, const std::vector<double>& w) const;

  /// True if nothing that pushes moves, as far as it does in a step without contacts.
  bool still(const std::vector<double>& p, const std::vector<double>& w) const;

  /// Each contact in turn takes a projected step with its own diagonal, all others fixed: p_i ← P(p_i − (w_i + s_i e_n)
  /// / a_i). The vector y follows p.
  void sweep(std::vector<double>& p, Eigen::VectorXd& y) const;

 private:
  ContactFactors G_;
  std::vector<Block> blocks_;
  std::vector<PolygonCorner> polygon_;
  std::vector<ImpulseSet> sets_;
  std::vector<double> u_, mean_diagonal_;
  double velocity_size_ = 1;
  GroupedMatrix matrix_;
  bool laid_out_ = false;
};

}  // namespace carom
