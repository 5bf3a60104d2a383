#pragma once

#include <functional>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/contact/contact_finder.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/model_size.h"

namespace carom {

/// False for a contact that the joints hold, where a little overlap would throw the links far away. Its mobility, 1/kg,
/// is what a unit of impulse along its normal moves it by. It is then less than 1e-4 of that of the lighter link alone,
/// with all that is welded to it.
bool can_be_parted(const Model& model, const Contact& contact, double mobility);

/// Moves a configuration out of overlap by the shortest way in the kinetic metric: repeatedly
///
///   min ½ δᵀ M δ  subject to  gap_i + J_n,i δ ≥ 0  for all contacts and limits within reach,  J_c δ = 0,
///
/// until none is deeper than 1e-11 of what places can tell apart (ModelSize::told). J_c are the rows of the model's
/// constraints. Velocities are not touched, so no kinetic energy is made but by the mass matrix's own change. A way
/// that does not lessen the overlap is halved.
///
/// Overlap that joints hold stays: that of single contacts (can_be_parted), and that of mechanisms whose links a way
/// would carry further than 20 times the overlap that it takes out.
class OverlapProjection {
 public:
  /// Depth by which a pair of shapes may overlap, m; its contacts count by what is deeper. Empty: not at all.
  using Allowance = std::function<double(const ContactId&)>;

  explicit OverlapProjection(const Model& model, Allowance allowance = {});

  /// Asked in every iteration, which then throws Stopped.
  void set_stop(const StopSignal& stop) { stop_ = stop; }

  /// Counts the methods of its solves (RungCounts); null: nobody counts.
  void count_rungs(RungCounts* rungs) { rungs_ = rungs; }

  /// Makes room for so many contacts and limits.
  void reserve(const Model& model, std::size_t count, MassOperator& mass);

  /// q in, q out, at this time, s. Leaves forward_kinematics of the result in the workspace. `mass` is factored anew if
  /// anything can move. Returns whether q moved.
  bool apply(const Model& model, double time, VectorX& q, DynamicsWorkspace& workspace, MassOperator& mass,
             ContactFinder& finder);

 private:
  bool pose(const Model& model, double time, const VectorX& q, DynamicsWorkspace& workspace, MassOperator& mass,
            ContactFinder& finder);
  bool find_way(MassOperator& mass);
  void place_centers(const Model& model, const DynamicsWorkspace& workspace, std::vector<Vec3>& centers) const;
  bool hold_what_is_thrown(const Model& model, double taken_out);
  bool is_held(const Model& model, const Contact& contact) const;
  double depth(const Model& model, const VectorX& q, DynamicsWorkspace& workspace, ContactFinder& finder) const;

  double gap(const Contact& contact) const;
  double overlap(const Contact& contact) const;

  Allowance allowance_;
  ModelSize size_;
  std::size_t capacity_ = 0, constraint_rows_ = 0;
  ConstraintEquations equations_;
  std::vector<ConstraintRow> rows_;
  std::vector<Block> blocks_;
  std::vector<double> zero_, multiplier_, moved_;
  std::vector<char> held_;              ///< by root: overlap of its mechanism stays
  std::vector<Vec3> centers_, trials_;  ///< mass centres in the world, before a way and after it
  VectorX displacement_, part_, trial_, no_augmentation_;
  ContactSolver solver_;
  StopSignal stop_;
  RungCounts* rungs_ = nullptr;
};

}  // namespace carom
