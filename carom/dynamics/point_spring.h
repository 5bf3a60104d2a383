#pragma once

#include "carom/dynamics/delassus.h"

namespace carom {

/// A spring of ConstraintKind::spring at one configuration.
struct PointSpring {
  double length = 0;  ///< ‖p_F − p_G‖, m
  /// Its force as a row. For a spring that only pushes, an impulse p ≥ 0 pushes F and G apart. The row's velocity is
  /// then the rate at which they part, m/s. For others p ≥ 0 pulls them together, and the velocity is the rate at which
  /// they come closer.
  ConstraintRow row = {};
};

/// The spring of `constraint`, whose kind must be spring. Points that coincide take the x axis of G for their line.
/// Needs forward_kinematics.
PointSpring point_spring(const Constraint& constraint, const DynamicsWorkspace& workspace);

/// Tension of the spring at a length (m) that changes by `rate` (m/s), N: positive pulls F and G together.
double tension_of(const Constraint& spring, double length, double rate);

/// Energy that the spring holds at a length, J.
double energy_of(const Constraint& spring, double length);

/// The force of a spring at a velocity.
struct SpringPull {
  PointSpring spring = {};
  double force = 0;   ///< along the spring's row, N; ≥ 0 of one side
  double damped = 0;  ///< power that its damping takes, W, ≥ 0
};

/// Needs forward_kinematics. O(depth).
SpringPull spring_pull(const Model& model, const Constraint& constraint, const VectorX& v,
                       const DynamicsWorkspace& workspace);

/// Adds the generalised force of the model's springs between points to tau (nv), in the coordinates of v. Returns the
/// power that their damping takes, W, ≥ 0. If it is not null, `sizes` (nv) gets the absolute value of each spring's
/// part added. Needs forward_kinematics. O(springs depth).
double add_point_springs(const Model& model, const VectorX& v, const DynamicsWorkspace& workspace, VectorX& tau,
                         VectorX* sizes = nullptr);

/// Diagonals in place of Σ Jᵀ (of_damping d + of_stiffness k) J of the springs between points. The matrix's own has Σ
/// J_i²; the bound, with Σ |J_i| Σ |J|, is no less than the matrix.
enum class SpringDiagonal { own, bound };

/// Adds it. Needs forward_kinematics. O(springs depth).
void add_point_spring_stiffness(const Model& model, const DynamicsWorkspace& workspace, double of_damping,
                                double of_stiffness, SpringDiagonal which, VectorX& diagonal);

/// Energy of all springs between points, J. Needs forward_kinematics.
double point_spring_energy(const Model& model, const DynamicsWorkspace& workspace);

/// Velocity J v of a row between points, m/s, which row_velocity would ask forward_velocity for. Needs
/// forward_kinematics. O(depth).
double approach_of(const Model& model, const ConstraintRow& row, const VectorX& v, const DynamicsWorkspace& workspace);

}  // namespace carom
