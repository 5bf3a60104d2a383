#include "carom/stepper/contact_step.h"

#include <gtest/gtest.h>

#include <limits>

#include "carom/stepper/test/mechanisms.h"

namespace carom::contact_step_test {
namespace {

constexpr double inertia = 0.5, friction = 0.2, h = 1e-2;

/// A wheel on a hinge that rubs, without weight.
Model wheel() {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  const int body = builder.add_body("wheel", {1, Vec3::Zero(), inertia * Mat3::Identity()});
  Joint hinge;
  hinge.type = JointType::revolute;
  hinge.friction = VectorX::Constant(1, friction);
  builder.add_joint(body, hinge);
  return builder.build();
}

/// A step that the wheel begins at a rate, from a state's impulse of the hinge.
class Step {
 public:
  explicit Step(double rate) : velocity_(VectorX::Constant(1, rate)) {
    method_.step = h;
    forward_kinematics(model_, VectorX::Zero(1), workspace_);
    mass_.factor(model_, VectorX::Zero(1), workspace_);
  }

  /// Iterations; the impulse that the next step begins with goes to `next`.
  int from(const VectorX& standing, VectorX& next) {
    State state;
    state.standing = standing;
    contacts_.begin(state);
    Linearisation at;
    at.q = at.reach = at.applied = VectorX::Zero(1);
    at.start = velocity_;
    at.end = h;
    contacts_.assemble(model_, method_, {}, at, velocity_, VectorX::Zero(1), {}, workspace_, mass_);
    VectorX end = velocity_;
    const ContactSolution solution = contacts_.solve(method_, mass_, end);
    EXPECT_EQ(solution.status, SolveStatus::solved);
    EXPECT_NEAR(end[0], velocity_[0] - h * friction / inertia, 1e-12);
    contacts_.prepare_start(mass_);
    contacts_.next_start(next);
    return solution.iterations;
  }

 private:
  Model model_ = wheel();
  Method method_;
  DynamicsWorkspace workspace_{model_};
  MassOperator mass_{model_, DynamicsKind::articulated};
  VectorX velocity_;
  ContactStep contacts_{model_, method_};
};

/// The hinge takes h times its friction from a wheel that goes on turning, wherever the solve begins. Impulses of
/// another number of rows, or that are no numbers, are taken for none.
TEST(ContactStep, BeginsWithTheImpulsesOfStandingRowsAndTellsThoseOfTheNextStep) {
  VectorX next;
  Step(1).from({}, next);
  ASSERT_EQ(next.size(), 1);
  EXPECT_NEAR(next[0], -h * friction, 1e-12);
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const VectorX& start : {next, VectorX(VectorX::Constant(1, h * friction)), VectorX(VectorX::Zero(3)),
                               VectorX(VectorX::Constant(1, none))}) {
    VectorX again;
    Step(1).from(start, again);
    ASSERT_EQ(again.size(), 1);
    EXPECT_NEAR(again[0], -h * friction, 1e-12);
  }
}

}  // namespace
}  // namespace carom::contact_step_test
