#pragma once

#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/contact/contact_finder.h"
#include "carom/stepper/mass_operator.h"

namespace carom {

/// Moves a configuration out of overlap by the shortest way in the kinetic metric: repeatedly
///   min ½ δᵀ M δ  subject to  gap_i + J_n,i δ ≥ 0   for all contacts within reach,
/// as an LCP in the multipliers, until no overlap is deeper than 1e-12 m (or rad). Velocities are not touched, so no
/// kinetic energy is made but by the mass matrix's own change.
class Projection {
 public:
  explicit Projection(const Model& model);

  /// Asked in every iteration, which then throws Stopped.
  void set_stop(const StopSignal& stop) { stop_ = stop; }

  /// Makes room for so many contacts and limits.
  void reserve(const Model& model, std::size_t count, MassOperator& mass);

  /// q in, q out. Leaves forward_kinematics of the result in the workspace. `mass` is factored anew if anything moves.
  /// Returns whether q moved.
  bool apply(const Model& model, VectorX& q, DynamicsWorkspace& workspace, MassOperator& mass, ContactFinder& finder);

 private:
  std::size_t capacity_ = 0;
  std::vector<ConstraintRow> rows_;
  std::vector<Block> blocks_;
  std::vector<double> zero_, multiplier_, moved_;
  VectorX displacement_, no_augmentation_;
  ContactSolver solver_;
  StopSignal stop_;
};

}  // namespace carom
