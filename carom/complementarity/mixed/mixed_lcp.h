#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/linear/dense_lu.h"
#include "carom/complementarity/mixed/box_lcp.h"
#include "carom/complementarity/polyhedral/lemke.h"

namespace carom {

/// Mixed linear complementarity problem (Cottle, Pang and Stone, 1992, section 1.5):
///
///     0 = G x + H z + a,        x free (m)
///     0 ≤ w = K x + R z + b  ⊥  z ≥ 0  (n)
///
/// G: m × m; H: m × n; K: n × m; R: n × n; a: m; b: n. A view: the data stay the caller's.
struct MixedLcpProblem {
  Eigen::Ref<const Eigen::MatrixXd> G;
  Eigen::Ref<const Eigen::MatrixXd> H;
  Eigen::Ref<const Eigen::MatrixXd> K;
  Eigen::Ref<const Eigen::MatrixXd> R;
  Eigen::Ref<const Eigen::VectorXd> a;
  Eigen::Ref<const Eigen::VectorXd> b;
};

/// Largest of the violations of the whole system, from the problem and (x, z) alone. Equations have |G x + H z + a|,
/// relative to the largest single term of these sums. Pairs have |min(z_i / s, w_i / t)|. Here s is the largest |z_i|
/// and t the largest single term of the sums that make w (1 where zero). Dimensionless. O((m + n)²).
double mixed_lcp_residual(const MixedLcpProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                          const Eigen::Ref<const Eigen::VectorXd>& z);

/// Solves a mixed problem by eliminating x = −G⁻¹ (H z + a). That leaves the LCP of R − K G⁻¹ H and b − K G⁻¹ a, which
/// Lemke's method solves. If G is singular (redundant equations, or equations in z alone whose x are their
/// multipliers), z does not determine x. BoxLcpSolver then takes the whole system, with a start of its own. In that
/// case x is not unique, and equations that contradict each other end in a status other than solved. For bounds on the
/// unknowns, of either side, use BoxLcpSolver itself. Cost: 2/3 m³ + 2 m² n + 2 m n², and the LCP's. No allocation if
/// no larger problem came before.
class MixedLcpSolver {
 public:
  /// x: m, z: n. The result's residual is mixed_lcp_residual.
  [[nodiscard]] LcpResult solve(const MixedLcpProblem& problem, const LcpStart& start, const LcpOptions& options,
                                Eigen::Ref<Eigen::VectorXd> x, Eigen::Ref<Eigen::VectorXd> z);

  /// Ray of the reduced problem, after secondary_ray.
  Eigen::Map<const Eigen::VectorXd> ray() const { return singular_ ? box_.ray() : lemke_.ray(); }

 private:
  LcpResult solve_singular(const MixedLcpProblem& problem, const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> x,
                           Eigen::Ref<Eigen::VectorXd> z);

  bool singular_ = false;  // G of the last problem
  DenseLu lu_;
  LemkeSolver lemke_;
  std::vector<double> eliminated_;  // G⁻¹ [H, a], m × (n + 1)
  std::vector<double> reduced_;     // n × (n + 1): matrix and vector of the LCP
  BoxLcpSolver box_;
  std::vector<double> whole_, bounds_;  // (m + n)² and 4 (m + n): matrix; constants, lower, upper, unknowns
};

}  // namespace carom
