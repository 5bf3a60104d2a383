#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "carom/dynamics/delassus.h"
#include "carom/dynamics/workspace.h"
#include "carom/model/model.h"
#include "carom/stepper/linearisation.h"

namespace carom {

/// Sources of a force on a joint's coordinate.
enum class TorqueSource { servo, force, motion, coupler, limit, spring, damper, friction, controller };
inline constexpr int torque_sources = 9;
/// "servo", "force", …: the names that records use.
std::string torque_source_name(TorqueSource source);

/// A coordinate of v and one of the sources that it has in a model.
struct JointTorque {
  int coordinate = 0;
  TorqueSource source = TorqueSource::servo;
};

/// Generalized force of a servo, N m or N, at positions q and velocities v: clamped at its limit. `drive` is its number
/// in Model::drives(). On each of its coordinates it acts times the coefficient there.
double servo_force(const Model& model, std::size_t drive, double time, const VectorX& q, const VectorX& v);

/// Loads of the joints and constraints of a mechanism over a time, beside gravity and contacts of surfaces. They are
/// one row of impulses, so that those of several parts of a step are added:
///
///   Entry of torques()            Σ h τ of a coordinate by one source, N m s or N s. Every coordinate of a joint that
///                                 is not free has a controller's; other sources where the model has them.
///   At constraint_place(i) + k    of constraint i on its body A. Moment about the origin of F, N m s, then force, N s,
///                                 in world axes; on body B the opposite, in line. Zero for couplers, motions and
///                                 tendons, whose impulses are torques.
///   At wrench_place(i) + k        of applied wrench i: moment about the point where it acts, then force, likewise.
///
/// Limits, ratchets, ropes and tendons stay zero here: a report has them among its contacts. A second half has the same
/// places. It holds the impulses beside the step's equation that bring velocities back onto the constraints at its end.
/// Stepper hybrid-dca, whose equation holds them in the middle of the step, bears half of all constraint forces by
/// these.
class StepLoads {
 public:
  explicit StepLoads(const Model& model);

  /// In the order of their coordinates, then of their sources.
  const std::vector<JointTorque>& torques() const { return torques_; }
  Eigen::Index torque_count() const { return static_cast<Eigen::Index>(torques_.size()); }
  Eigen::Index constraint_place(int number) const { return torque_count() + 6 * number; }
  Eigen::Index wrench_place(int number) const { return constraint_place(constraints_ + number); }
  /// Begin of the second half.
  Eigen::Index corrections() const { return wrench_place(wrenches_); }
  Eigen::Index size() const { return 2 * corrections(); }

  /// All impulses zero; no allocation if it had its size.
  void clear(VectorX& loads) const { loads.setZero(size()); }

  // half: 0, or corrections() for the second one.
  /// Nothing is added for a source that the model does not have.
  void add_torque(TorqueSource source, int coordinate, double impulse, VectorX& loads, Eigen::Index half = 0) const {
    const int place = places_[static_cast<std::size_t>(coordinate)][static_cast<std::size_t>(source)];
    if (place >= 0) loads[half + place] += impulse;
  }
  /// Row `number` of constraint_equations at velocity level bore an impulse. X_WB: where the row was told.
  void add_constraint_row(const Model& model, int number, const ConstraintRow& row, double impulse,
                          const std::vector<Transform>& X_WB, VectorX& loads, Eigen::Index half = 0) const;
  /// The rows of every step, in the order of StandingRows: constraints, dry friction, servos (these have a compliance),
  /// springs between points. Further rows are passed over.
  void add_standing_rows(const Model& model, std::span<const ConstraintRow> rows, std::span<const double> impulse,
                         std::size_t standing, const std::vector<Transform>& X_WB, VectorX& loads,
                         Eigen::Index half = 0) const;
  /// Force drives and applied wrenches at `time`, and the controller's force, over h. The workspace holds
  /// forward_kinematics.
  void add_applied(const Model& model, double time, double h, const VectorX& controlled,
                   const DynamicsWorkspace& workspace, VectorX& loads) const;
  /// Springs and dampers in a step of length h, as its equation has them (FreeMotion): at its end, or at the means of
  /// at.weights. Velocities are in the coordinates at at.q.
  void add_implicit(const Model& model, double h, const Linearisation& at, const VectorX& v_plus, VectorX& loads) const;
  /// Row of the spring that is constraint i bore an impulse.
  void add_spring_row(int i, const ConstraintRow& row, double impulse, VectorX& loads) const;
  /// Springs, dampers and servos as functions of the state, over h. `at` holds forward_kinematics at q.
  void add_explicit(const Model& model, double time, double h, const VectorX& q, const VectorX& v,
                    const DynamicsWorkspace& at, VectorX& loads) const;

 private:
  std::vector<JointTorque> torques_;
  std::vector<std::array<int, torque_sources>> places_;  // by coordinate; −1: none
  std::vector<int> constraint_of_row_, springs_;
  int constraints_ = 0, wrenches_ = 0;
};

/// Adds impulses of a part to those of the whole, which may have no size yet.
void add_loads(const VectorX& part, VectorX& whole);

}  // namespace carom
