#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/bilateral_elimination.h"
#include "carom/impact/impact_problem.h"

namespace carom {

/// Throws carom::Error, by name and number, if a law cannot read the impact. Causes are sizes that disagree, kinds of
/// blocks that no impact law knows (bounded, ellipsoid), a stiffness that is not positive, an exponent below 1.
/// Negative friction is another. O(k); entries of A are left to check(ContactProblem).
void check_sizes(const ImpactProblem& problem);

/// The impact as a flow along the impulse sees it: contacts alone, normals first, friction cones round.
///
///     v = w + B P
///
/// Bilateral rows are eliminated (bilateral_elimination.h), which also removes their velocity errors. The normal
/// velocities of the remaining n contacts are in rows 0 … n − 1. Each contact with friction has two tangent rows behind
/// them. There velocities are multiplied by μ_x, μ_y and impulses divided by them. So the friction cone is ‖P_t‖ ≤ P_n,
/// and sliding means P_t′ = −P_n′ v_t / ‖v_t‖ for any ellipse.
///
/// Buffers are kept: no allocation for a dense A with no more rows than before.
class ImpactRows {
 public:
  struct Contact {
    int block = 0;      ///< of the problem
    int tangent = -1;   ///< first of its two rows of B; −1 without friction
    int row = 0;        ///< its first row before, among the rows that the elimination left
    int normal_at = 0;  ///< its normal row, there
    double friction[2] = {0, 0};
  };

  /// Throws as check_sizes does.
  void gather(const ImpactProblem& problem);

  int contacts() const { return static_cast<int>(contacts_.size()); }
  int rows() const { return rows_; }
  const std::vector<Contact>& list() const { return contacts_; }
  /// rows() × rows(), symmetric, column-major.
  const double* matrix() const { return matrix_.data(); }
  /// w: velocities before the impact, rows() entries, m/s (tangents times μ).
  const double* velocity() const { return velocity_.data(); }
  /// Scale of speeds: the largest |u| of the problem, 1 if all are zero, m/s.
  double speed() const { return speed_; }

  /// Scales P, rows(), so that it gains no energy and, if the impact conserves energy, loses none. This corrects what
  /// an integration's tolerance or round-off left.
  void balance_energy(bool conserves, double* P) const;

  /// P, rows() → impulse and velocity of the whole problem, k each, bilateral rows included.
  void scatter(const ImpactProblem& problem, const double* P, Eigen::Ref<Eigen::VectorXd> impulse,
               Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  BilateralElimination elimination_;
  bool reduced_ = false;
  int rows_ = 0;
  double speed_ = 1;
  std::vector<Contact> contacts_;
  std::vector<double> matrix_, velocity_, scale_, whole_, left_;
  std::vector<int> from_;  // row of B → row left by the elimination
};

/// Energy change ½ (u⁺ + u)ᵀ p and residual of an outcome, from problem, impulse and velocity alone.
void measure(const ImpactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
             const Eigen::Ref<const Eigen::VectorXd>& velocity, ImpactOutcome& outcome);

}  // namespace carom
