#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"

namespace carom {

/// Which of the constraints' rows are meant.
enum class ConstraintLevel {
  position,  ///< those that a position can violate
  velocity,  ///< all: the non-holonomic ones as well
};

/// Rows J of the model's constraints (constraint.h) and how far the configuration violates each, in their order:
///
///   errors_i = g_i(q), in m or rad (0 for a non-holonomic row),   J_i v = ġ_i,   holds where g = 0 and J v = 0
///
/// A row's velocity is that of A relative to B at one point of space, or about one axis, so its impulses are equal,
/// opposite and in line whatever the violation, and change neither momentum nor, where the row's velocity is zero,
/// energy. For a weld ġ = J v at g = 0 only; elsewhere g along itself, so one Newton step closes an angle. Rods of
/// length zero at the moment and discs that lie flat have no direction of their own and take an axis of the frame.
///
/// Replaces the contents of `rows` and `errors`. Needs forward_kinematics at q. O(constraints).
void constraint_rows(const Model& model, const VectorX& q, ConstraintLevel level, const DynamicsWorkspace& workspace,
                     std::vector<ConstraintRow>& rows, std::vector<double>& errors);

/// The largest |g_i|, m or rad, 0 for a model without constraints. Needs forward_kinematics at q.
double largest_violation(const Model& model, const VectorX& q, const DynamicsWorkspace& workspace);

}  // namespace carom
