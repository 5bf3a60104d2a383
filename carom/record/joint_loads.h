#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/stepper/step_loads.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Bodies whose inboard joint passes something on: all but those that move freely.
std::vector<int> jointed_bodies(const Model& model);
/// Coordinates of v that have torques, ascending.
std::vector<int> torque_coordinates(const StepLoads& loads);

/// Mean loads of joints and constraints over several steps:
///
///   torque                   Of every coordinate by source (StepLoads), N m or N. From what the stepper reports, and
///                            from limits and ratchets among its contacts, those of impacts too.
///   constraint reactions     On body A, about the origin of F. From what the stepper reports, and from ropes among its
///                            contacts.
///   joint reactions          By the balance of momentum of all that hangs on the joint, whatever the stepper:
///
///       ∫ f dt = Δ Σ m v − Σ ∫ (gravity + contacts + constraints + wrenches) dt
///
/// Its counterpart about the world's origin gives the moment. Reactions are on the child, about the origin of its
/// joint's frame M. The force is exact. For the moments, bodies are taken halfway between their places at the step's
/// ends, and contacts where the step had them. This makes an error of the order of the step, relative to what moves.
/// Torques about the joint's own axes are included, except for what reflected inertia takes. Momentum that a step's
/// corrections make (projection) is counted as the joint's.
///
/// All vectors are in world axes. Means are running ones, which depend on themselves and on times alone. So an interval
/// that was stored and read back goes on with the same bits. NaN before the first step, and where the stepper gives
/// nothing.
class JointLoads {
 public:
  /// The model must outlive it.
  explicit JointLoads(const Model& model);

  /// The next interval begins with the next step.
  void clear();
  /// Notes where the next step starts. The workspace holds forward_velocity there.
  void begin_step(const DynamicsWorkspace& start);
  /// Adds a step that ends at `end`, of length h, `before` seconds after the interval began. The next one starts there.
  void add(const StepReport& report, const DynamicsWorkspace& end, double before, double h);

  /// An impulse and its moment about `place`, of the step last added; world axes.
  struct StepLoad {
    Vec3 force, moment;  ///< N s, N m s; NaN where the stepper says nothing
    Vec3 place;
  };
  /// By entry of jointed_bodies, on the child, about the origin of the joint's frame on it.
  StepLoad step_joint(int entry) const;
  /// By constraint, on its body a, about the origin of its frame there.
  StepLoad step_constraint(int constraint) const;

  /// Sums over the sources, by entry of torque_coordinates.
  VectorX sum() const;

  VectorX torque;  ///< by entry of StepLoads::torques(), N m or N
  // Three numbers by entry of jointed_bodies, and by constraint.
  VectorX joint_force, joint_moment;            ///< N, N m
  VectorX constraint_force, constraint_moment;  ///< N, N m

 private:
  struct BodyStart {
    Force momentum;  // about the world's origin
    Vec3 center, joint;
    Transform X_WB;
  };
  static BodyStart look(int body, const DynamicsWorkspace& workspace);
  void add_to_constraint(int constraint, const Force& on_a);
  void balance(const StepReport& report, const DynamicsWorkspace& end, double h, bool told);
  void take(int body, const Force& impulse);
  Vec3 halfway(int body, const Vec3& p_B, const DynamicsWorkspace& end) const;

  const Model& model_;
  StepLoads layout_;
  std::vector<int> joints_, coordinates_;
  std::vector<BodyStart> start_;
  std::vector<Force> passed_;  // by body, on it and all that hangs on it, about the world's origin, of a step
  VectorX loads_;              // of a step, impulses: both halves of StepLoads
  VectorX torque_;             // of a step, impulses
  VectorX force_, moment_, of_constraints_force_, of_constraints_moment_;  // of a step, impulses
  VectorX joint_places_, constraint_places_;                               // halfway through it
};

}  // namespace carom
