#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"

namespace carom {

/// Accelerated proximal gradient for contact problems with the exact cone: it asks of A nothing but products, one per
/// step, so it works where A is only known by what it does and is too large to be written out.
///
///     p⁺ = P_K(y − t (u + A y + μ‖u_t‖ z) / a),   y⁺ = p⁺ + β (p⁺ − p)
///
/// the projection of certify's natural map with a_i the mean diagonal of each block (which equilibrates masses) and
/// De Saxcé's term from the velocity at hand; β as Nesterov's (1983), back to zero whenever momentum points against the
/// step (O'Donoghue and Candès 2015). t = 1 / L, L the largest eigenvalue of A with every block over its a_i, from a
/// power iteration, and halved while the residual grows. For a convex problem (frictionless) error falls with the
/// square of the steps; with friction there is no proof, and high friction can make it cycle.
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
