#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"

namespace carom {

/// Which of the constraints' rows are meant.
enum class ConstraintLevel {
  position,  ///< those that a position can violate
  velocity,  ///< all: the non-holonomic ones as well
};

/// Equations g(q, t) = 0 and J v = ∂g/∂t at one configuration and time, row by row.
struct ConstraintEquations {
  std::vector<ConstraintRow> rows;  ///< J
  std::vector<double> errors;       ///< g, m or rad; 0 for a non-holonomic row
  std::vector<double> rates;        ///< J v that keeps the constraint, m/s or rad/s: 0 but where a motion is prescribed
};

/// The model's bilateral constraints (constraint.h) in their order, row_count rows each:
///
///   errors_i = g_i(q, t),   J_i v − rates_i = ġ_i,   holds where g = 0 and J v = rates
///
/// A row's velocity is that of A relative to B at one point of space, or about one axis, so its impulses are equal,
/// opposite and in line whatever the violation, and change neither momentum nor, where the row's velocity is zero,
/// energy. For a weld ġ is that at g = 0 only; elsewhere g along itself, so one Newton step closes an angle. Rods of
/// length zero at the moment and discs that lie flat have no direction of their own and take an axis of the frame.
///
/// Replaces the contents of `equations`. time in s. Needs forward_kinematics at q. O(constraints).
void constraint_equations(const Model& model, const VectorX& q, double time, ConstraintLevel level,
                          const DynamicsWorkspace& workspace, ConstraintEquations& equations);

/// The largest |g_i|, m or rad, 0 for a model without constraints. Needs forward_kinematics at q.
double largest_violation(const Model& model, const VectorX& q, double time, const DynamicsWorkspace& workspace);

}  // namespace carom
