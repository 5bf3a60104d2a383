#pragma once

#include <optional>
#include <span>
#include <vector>

#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/divide_and_conquer/loop_assembly.h"
#include "carom/stepper/constraint_multipliers.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/model_size.h"

namespace carom {

/// Brings a configuration and a velocity back onto a model's constraints by the shortest way in the kinetic metric:
///
///   min ½ δᵀ M δ  subject to  g + J δ = 0,  q ⊞ δ,  repeated (Gauss–Newton) until g is round-off,
///   min ½ (v' − v)ᵀ M (v' − v)  subject to  J v' = rates.
///
/// Redundant constraints are solved by least norm, so they do no harm where they agree. If they contradict one another,
/// the violation that is left is the least possible nearby. J has full meaning only at one place, so singular
/// configurations (a four-bar linkage stretched out) converge slowly, as a square root does. Allocates nothing after
/// the constructor.
///
/// by_halves: the same steps by LoopAssembly, O(n) where loops do not enclose one another instead of O(k³) for k rows.
/// Redundant rows are then left to the others, so contradictory ones are met in part. Allocates.
class ConstraintProjection {
 public:
  ConstraintProjection(const Model& model, MassOperator& mass, bool by_halves = false);

  /// False if the model has no constraints: the other calls then do nothing.
  bool has_constraints() const { return velocity_rows_ > 0; }

  /// Level: position, or assembly. q in, q out; returns the violation that is left at this time, largest |g|, m or rad.
  /// Leaves forward_kinematics of the result in the workspace. `mass` is factored anew if anything moves, but by
  /// halves. A step that does not lower the violation is halved.
  double project_position(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace, MassOperator& mass,
                          ConstraintLevel level = ConstraintLevel::position);

  /// v in, v out, at q, of which the workspace holds forward_kinematics. `mass` is factored anew, likewise. Returns how
  /// many of the rows depend on others there.
  int project_velocity(const Model& model, double time, const VectorX& q, VectorX& v, DynamicsWorkspace& workspace,
                       MassOperator& mass);

  /// Rows of the last velocity projection, and the impulses that it took.
  const std::vector<ConstraintRow>& rows() const { return equations_.rows; }
  std::span<const double> impulse() const {
    return {loops_ ? lambda_.data() : multiplier_.data(), equations_.rows.size()};
  }

 private:
  struct Violation {
    double by_size = 0;  // the largest |g| over its size
    double largest = 0;  // |g|, m or rad
  };
  Violation violation(const Model& model, double time, const VectorX& q, ConstraintLevel level,
                      DynamicsWorkspace& workspace);
  void displace(const Model& model, DynamicsWorkspace& workspace, MassOperator& mass);
  void join(const Model& model, const std::vector<double>& targets, DynamicsWorkspace& workspace, VectorX& x);

  ModelSize size_;
  int velocity_rows_ = 0;
  ConstraintEquations equations_;
  std::vector<double> multiplier_;
  VectorX displacement_, half_, trial_, no_augmentation_;
  ConstraintMultipliers multipliers_;
  std::optional<LoopAssembly> loops_;  // by halves
  std::vector<LoopRow> rows_;
  VectorX zero_, lambda_;
};

}  // namespace carom
