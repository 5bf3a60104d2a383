#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Options of Lemke's method.
struct LcpOptions {
  double pivot_tolerance = 1e-10;   ///< entries below this, relative to the largest of their scaled column, are no pivots
  double residual_tolerance = 1e-9; ///< largest lcp_residual of a result that is called solved
  int max_pivots = 0;               ///< 0: 100 + 20 n
};

struct LcpResult {
  SolveStatus status = SolveStatus::solved;
  int pivots = 0;
  double residual = 0;  ///< lcp_residual of z, computed after the solve from the original matrix
};

/// Largest of the violations of 0 ≤ w ⊥ z ≥ 0, w = R z + q: max_i |min(z_i / s_i, w_i / t_i)|, with s and t the sizes of
/// impulse and velocity that the problem's own data set (largest |z|, largest |q|; 1 if zero). Dimensionless.
double lcp_residual(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const Eigen::Ref<const Eigen::VectorXd>& z);

/// Linear complementarity problem: find z with 0 ≤ R z + q ⊥ z ≥ 0, by Lemke's method with lexicographic resolution of
/// ties (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, algorithms 4.4.5 and 4.9).
class LemkeSolver {
 public:
  [[nodiscard]] LcpResult solve(const Eigen::Ref<const Eigen::MatrixXd>& R, const Eigen::Ref<const Eigen::VectorXd>& q,
                                const LcpOptions& options, Eigen::Ref<Eigen::VectorXd> z);

  /// After secondary_ray: direction d ≥ 0, d ≠ 0 of the ray z + t d (size n).
  Eigen::Map<const Eigen::VectorXd> ray() const;
  // (buffers private)
};

}  // namespace carom
