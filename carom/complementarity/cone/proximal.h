#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"

namespace carom {

/// Accelerated proximal gradient for contact problems with the exact cone. It needs only products with A, one per step.
/// So it works where A is known only as a product and is too large to be written out.
///
///     p⁺ = P_K(y − t (u + A y + μ‖u_t‖ z) / a),   y⁺ = p⁺ + β (p⁺ − p)
///
/// The projection is that of certify's natural map, with a_i the mean diagonal of each block (which equilibrates
/// masses). De Saxcé's term comes from the present velocity. The weight β is Nesterov's (1983), set back to zero
/// whenever momentum points against the step (O'Donoghue and Candès 2015). The step t = 1 / L is halved while the
/// residual grows. A power iteration gives L, the largest eigenvalue of A with every block over its a_i. For a convex
/// (frictionless) problem the error falls with the square of the steps. With friction there is no proof, and high
/// friction can make it cycle.
class ProximalGradient {
 public:
  void reserve(int rows);

  /// p, w: k, in and out; w = u + A p on entry and on return.
  ConeProgress descend(const ConeSystem& system, double tolerance, int max_steps, double* p, double* w);

 private:
  double largest_eigenvalue(const ConeSystem& system, const double* u);
  double project(const ConeSystem& system, double step, const double* p);

  std::vector<double> point_, velocity_, next_, best_, best_w_, start_;
};

}  // namespace carom
