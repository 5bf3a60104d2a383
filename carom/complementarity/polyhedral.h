#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/lemke.h"

namespace carom {

/// Friction cones with K generators: direction j of a contact is (μ_x cos(2πj/K), μ_y sin(2πj/K)) / max(μ_x, μ_y), so
/// anisotropic friction gives directions of unequal lengths. K ≥ 3, even or odd.
struct PolyhedralOptions {
  int directions = 8;
  LcpOptions lcp;
};

/// What solving a contact problem gave.
struct ContactSolution {
  SolveStatus status = SolveStatus::solved;
  int pivots = 0;
  int size = 0;         ///< of the LCP
  double residual = 0;  ///< lcp_residual
};

/// Stewart and Trinkle's contact problem (2000, eqs. 7–12 and 15–20) as a pure LCP over (c_n, β, λ) of all blocks.
class PolyhedralSolver {
 public:
  /// impulse and velocity: k, p and u + A p. After a status other than solved both hold the last iterate.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const PolyhedralOptions& options,
                                      Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);
};

}  // namespace carom
