#pragma once

#include <vector>

#include "carom/contact/contact.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/stepper/quasi_rigid/carried_motion.h"
#include "carom/stepper/standing_rows.h"

namespace carom {

/// One scalar row of a step beside its contact elements, with an impulse λ of its own. Its impulse pushes along
/// `force`, taken where the step is linearised. The row's condition is one of
///
///     velocity     force · w + offset + compliance λ = 0, or complementary to the bounds of λ
///     constraint   g(q⁺, t⁺) / h = 0
///     stop         gap(q⁺) / h ≥ 0 ⊥ λ ≥ 0      limits of joints and ropes
///
/// so that joints' limits, ropes and constraints with a position level end the step where they must.
struct StepRow {
  enum class Kind { velocity, constraint, stop };
  Kind kind = Kind::velocity;
  std::vector<int> coordinates;
  VectorX force;                ///< by coordinate, those of CarriedMotion
  double offset = 0;            ///< if velocity
  double compliance = 0;        ///< if velocity
  double lower = 0, upper = 0;  ///< of λ
  int number = -1;              ///< of a constraint, in constraint_equations; else −1
  double rate = 0;              ///< of a constraint, as prescribed
  bool is_friction = false;     ///< of a joint, dry
  int spring = -1;              ///< between two points: its number in Model::constraints(); else −1
  double damping = 0;           ///< of a spring, h d, kg
  Contact stop;                 ///< limit, ratchet or rope, where the step is linearised
  // Parts of `force`, and the condition of kind velocity: for the judge of the step.
  ConstraintRow pushes = {};
  Block block = {};

  bool is_stop() const { return kind == Kind::stop || stop.id.is_ratchet(); }
  double along(const VectorX& w) const;
};

/// Makes the rows of a step: constraints of the model, dry friction of joints, servos, springs (StandingRows), and the
/// given joint limits, ratchets and ropes. Constraints may depend on others where the step is linearised. Then only as
/// many as are independent are posed; the others hold with them, or cannot hold.
class StepRowMaker {
 public:
  explicit StepRowMaker(const Model& model);

  /// q: linearisation; workspace: forward_kinematics there.
  void make(const Model& model, double h, const Linearisation& at, const DynamicsWorkspace& workspace,
            const std::vector<Contact>& stops, std::vector<StepRow>& rows);

 private:
  void keep_independent(int constraints, std::vector<StepRow>& rows) const;

  StandingRows standing_;
  CarriedMotion place_;  // of the linearisation
  std::vector<char> positional_;
  std::vector<ConstraintRow> constraint_rows_;
  std::vector<Block> blocks_;
  int velocities_ = 0;
};

}  // namespace carom
