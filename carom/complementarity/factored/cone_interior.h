#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/factored/factored_problem.h"

namespace carom {

struct ConeInteriorOptions {
  double tolerance = 1e-4;           ///< on FactoredProblem::measure
  double start = 0.01;               ///< distance from the cones at the start, of the largest impulse
  int max_iterations = 30;           ///< a factorisation and two to four solves each
  const StopSignal* stop = nullptr;  ///< asked at every one, and within them; null: nothing stops it
};

/// Primal-dual interior point for exact cones, with f = (p_t, μ p_n) and w alike. So the cone K = {‖f_t‖ ≤ f_n} is its
/// own dual. The start is infeasible: f, z ∈ K and y are independent until the end, where they meet
///
///     y = Gᵀ f,   z = w + ‖w_t‖ e_n,   w = u + offset + G y,   f ∘ z = μ e, μ → 0
///
/// The scaling is that of Nesterov and Todd (1997; for second-order cones: Alizadeh and Goldfarb 2003), W z = W⁻¹ f =
/// λ. Steps are Mehrotra's predictor and corrector (1992). The lift follows the slip in the matrix, E = 1 + e_n
/// ∂‖w_t‖/∂w. So an iteration factors the mechanism-sized, unsymmetric 1 + Gᵀ W² E G, and converges where lagging lifts
/// do not. The start lies on the central path: the smoothed projection of f − z / a. A step that comes to little is
/// taken with more centring, by the same factors. Contacts that contradict one another by a little leave no strict
/// complementarity, and a contact that turns may jam the method. So it is for the way to 1e-4.
class ConeInterior {
 public:
  /// True if all blocks are exact cones or unilateral, without a floor, and moved by something.
  static bool knows(const FactoredProblem& problem, int directions);

  /// p: impulses in the problem's units to begin with; the best of the iterates, however good the start was, when it
  /// ends. Ends too where eight iterations did not halve the residual.
  [[nodiscard]] FactoredResult run(FactoredProblem& problem, const ConeInteriorOptions& options,
                                   std::vector<double>& p);

 private:
  using Vec = Eigen::Vector3d;  // tangents, normal
  using Mat = Eigen::Matrix3d;
  struct Contact {
    Vec f, z, w, lambda, r2, rc, df, dz;
    Mat W, W_inverse, E;
    double a = 0;  // mean diagonal of these rows
  };
  void start(const std::vector<double>& p, double distance);
  void read_velocities();
  double gap() const;
  double measure(std::vector<double>& best);
  void scale();
  bool factor();
  void solve();
  double longest(double back) const;
  void centre(double target, double second_order);
  bool find_step();
  Vec rows_of(std::size_t b, const std::vector<double>& x) const;
  void to_rows(std::size_t b, const Vec& f, std::vector<double>& x) const;

  FactoredProblem* problem_ = nullptr;
  const StopSignal* stop_ = nullptr;
  std::vector<Contact> contacts_;
  Eigen::VectorXd y_, dy_, from_f_, right_, best_dy_;
  std::vector<Vec> best_df_, best_dz_;
  std::vector<double> rows_, change_, p_, w_, projected_, D_;
  double length_ = 0;
};

}  // namespace carom
