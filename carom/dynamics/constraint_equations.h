#pragma once

#include <vector>

#include "carom/dynamics/delassus.h"

namespace carom {

/// Which of the constraints' rows are meant.
enum class ConstraintLevel {
  assembly,  ///< those that a position violates or can: bilateral ones, ropes that are longer than their length, and
             ///< tendons outside their range
  position,  ///< bilateral ones that a position can violate
  velocity,  ///< all bilateral ones: the non-holonomic as well
};

/// Equations g(q, t) = 0 and J v = ∂g/∂t at one configuration and time, row by row.
struct ConstraintEquations {
  std::vector<ConstraintRow> rows;  ///< J
  std::vector<double> errors;       ///< g, m or rad; 0 for a non-holonomic row
  std::vector<double> rates;        ///< J v that keeps the constraint, m/s or rad/s: 0 but where a motion is prescribed
};

/// The model's constraints (constraint.h) in their order, row_count rows each, except ropes and tendons, which have
/// one or none:
///
///   errors_i = g_i(q, t),   J_i v − rates_i = ġ_i,   holds where g = 0 and J v = rates
///
/// A row's velocity is that of A relative to B at one point of space, or about one axis. Its impulses are therefore
/// equal, opposite and in line whatever the violation. They do not change momentum, nor energy if the row's velocity is
/// zero. For a weld, J_i v − rates_i is ġ only at g = 0. Elsewhere it matches ġ only along g itself, so one Newton step
/// closes an angle. Rods of length zero at the moment and discs that lie flat have no direction of their own and take
/// an axis of the frame.
///
/// Replaces the contents of `equations`. time in s. Needs forward_kinematics at q. O(constraints).
void constraint_equations(const Model& model, const VectorX& q, double time, ConstraintLevel level,
                          const DynamicsWorkspace& workspace, ConstraintEquations& equations);

}  // namespace carom
