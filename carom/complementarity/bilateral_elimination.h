#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Contact problems with bilateral rows (b), written in the impulses of the others (c) alone. The condition w_b = 0 is
/// solved for p_b,
///
///     p_b = −A_bb⁺ (u_b + offset_b + A_bc p_c)
///     A′ = A_cc − A_cb A_bb⁺ A_bc,   u′ = u_c − A_cb A_bb⁺ (u_b + offset_b)
///
/// so that a chain of bodies answers a contact at once, as an articulated body. A_bb⁺ is a Cholesky factorization with
/// diagonal pivots. It ends where the remainder of a row is round-off of that row. So redundant bilateral rows get no
/// impulse, nor do rows that are round-off beside the largest of A. Rows of A′ that are round-off (a contact whose
/// bodies the joints hold) are made zero, with their velocity.
///
/// Cost: b³/3 + b² c + b c² operations.
class BilateralElimination {
 public:
  /// Memory for so many blocks.
  void reserve(int blocks);

  /// False if there is nothing to eliminate.
  bool eliminate(const ContactProblem& problem);

  /// Problem of the last eliminate(): A′, u′ and the other blocks. Views this object.
  ContactProblem problem() const {
    const auto c = static_cast<Eigen::Index>(others_.size());
    const Eigen::Map<const Eigen::MatrixXd> A(reduced_.data(), c, c);
    return {A, Eigen::Map<const Eigen::VectorXd>(velocity_.data(), c), std::span<const Block>(blocks_)};
  }

  /// Row of the whole problem of each row of the reduced one.
  const std::vector<int>& rows() const { return others_; }
  /// Which of the whole problem's blocks each block of the reduced one is.
  const std::vector<int>& block_indices() const { return block_indices_; }

  /// A, in columns `stride()` apart.
  const double* matrix() const { return matrix_; }
  std::ptrdiff_t stride() const { return stride_; }

  /// p_c: rows of the reduced problem; impulse: k, of the whole one.
  void expand(const double* p_c, double* impulse);
  /// Adds to the bilateral impulses what takes the velocity that they still have, w = u + A p of the whole problem.
  void correct(const double* velocity, double* impulse);

 private:
  void gather(const ContactProblem& problem);
  void factor(std::ptrdiff_t rows);
  void reduce(const Eigen::Ref<const Eigen::VectorXd>& u);
  void solve_lower(double* x) const;
  void solve_upper(double* x) const;

  const double* matrix_ = nullptr;  // A, with the distance of its columns
  std::ptrdiff_t stride_ = 0;
  int rank_ = 0;
  std::vector<int> bilateral_, others_, block_indices_;
  std::vector<double> offsets_;
  std::vector<Block> blocks_;
  std::vector<double> whole_;               // A, where it came in another form
  std::vector<double> factor_;              // b × b, L in its first columns, rows in the order of pivots
  std::vector<double> coupling_;            // rank × c, L⁻¹ A_bc
  std::vector<double> reduced_, velocity_;  // A′, u′
  std::vector<double> start_, work_;        // L⁻¹ (u_b + offset_b)
};

}  // namespace carom
