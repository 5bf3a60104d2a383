#pragma once

#include <vector>

#include "carom/dynamics/constraint_equations.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/mass_operator.h"

namespace carom {

/// Brings a configuration and a velocity back onto a model's constraints by the shortest way in the kinetic metric:
///
///   min ½ δᵀ M δ  subject to  g + J δ = 0,  q ⊞ δ,  repeated (Gauss–Newton) until g is round-off,
///   min ½ (v' − v)ᵀ M (v' − v)  subject to  J v' = rates.
///
/// Redundant constraints are solved by least norm, so they do no harm where they agree; where they contradict one
/// another the violation that is left is the least possible nearby. J has full meaning only at one place, so singular
/// configurations (a four-bar linkage stretched out) converge slowly, as a square root does. Allocates nothing after
/// the constructor.
class ConstraintProjection {
 public:
  ConstraintProjection(const Model& model, MassOperator& mass);

  /// False if the model has no constraints: the other calls then do nothing.
  bool has_constraints() const { return velocity_rows_ > 0; }

  /// q in, q out; returns the violation that is left at this time, largest |g|. Leaves forward_kinematics of the result
  /// in the workspace. `mass` is factored anew if anything moves. A step that does not lower the violation is halved.
  double project_position(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace,
                          MassOperator& mass);

  /// v in, v out, at q, of which the workspace holds forward_kinematics. `mass` is factored anew. Returns how many of
  /// the rows depend on others there.
  int project_velocity(const Model& model, double time, const VectorX& q, VectorX& v, DynamicsWorkspace& workspace,
                       MassOperator& mass);

 private:
  double violation(const Model& model, double time, const VectorX& q, DynamicsWorkspace& workspace);

  int velocity_rows_ = 0;
  ConstraintEquations equations_;
  std::vector<double> multiplier_;
  VectorX displacement_, half_, trial_, no_augmentation_;
  ConstraintMultipliers multipliers_;
};

}  // namespace carom
