// The interface of steppers, tested with each class itself. The step length is an argument. A stepper's past leaves no
// trace in what it does next.

#include <gtest/gtest.h>

#include "carom/stepper/compliant/compliant_stepper.h"
#include "carom/stepper/event_driven/event_driven_stepper.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_stepper.h"
#include "carom/stepper/semi_explicit_stepper.h"
#include "carom/stepper/step_report.h"
#include "carom/stepper/time_stepper.h"
#include "carom/stepper/variational/variational_stepper.h"
#include "experiment.h"

namespace carom::stepper_classes_test {
namespace {

template <class Class>
constexpr const char* name_of = "";
template <>
constexpr const char* name_of<CompliantStepper> = "compliant";
template <>
constexpr const char* name_of<EventDrivenStepper> = "event-driven";
template <>
constexpr const char* name_of<QuasiRigidStepper> = "quasi-rigid";
template <>
constexpr const char* name_of<SemiExplicitStepper> = "semi-explicit";
template <>
constexpr const char* name_of<TimeStepper> = "stewart-trinkle";
template <>
constexpr const char* name_of<VariationalStepper> = "variational";

template <class Class>
class StepperClasses : public ::testing::Test {
 protected:
  static Method method() {
    const StepperKind kind = parse_stepper(name_of<Class>);
    const Method plain = test::with_step(0.01, kind);
    return has_impacts(plain) ? test::with_step(0.01, kind, LawKind::plastic) : plain;
  }
};
using Classes = ::testing::Types<CompliantStepper, EventDrivenStepper, QuasiRigidStepper, SemiExplicitStepper,
                                 TimeStepper, VariationalStepper>;
TYPED_TEST_SUITE(StepperClasses, Classes, );

/// A ball that is thrown: after any length its velocity is v + g h, its report's time the end of the step.
TYPED_TEST(StepperClasses, TakeTheLengthThatTheyAreAskedFor) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  builder.add_body("ball", test::box(2, 0.1));
  const Model model = builder.build();
  State start;
  start.q = test::free_pose(Vec3(0, 0, 9));
  start.v = VectorX::Zero(6);
  start.v.tail<3>() << 1, 0, 2;
  const Method method = this->method();
  TypeParam stepper(model, method);
  const VectorX none = VectorX::Zero(6);
  const StopSignal never;
  const auto after = [&](double length) {
    State state = start;
    const StepReport& report = stepper.advance(model, state, length, {none, never});
    EXPECT_NEAR(report.time, state.time, 1e-15);
    EXPECT_EQ(state.step, 1);
    return state;
  };
  const State first = after(0.01), third = after(0.003), again = after(0.01);
  EXPECT_TRUE(identical(first, again));
  EXPECT_FALSE(identical(first, third));
  EXPECT_NEAR(first.v[5], 2 - 9.81 * 0.01, 1e-12);
  EXPECT_NEAR(third.v[5], 2 - 9.81 * 0.003, 1e-12);
  EXPECT_NEAR(third.time, 0.003, 1e-15);
}

}  // namespace
}  // namespace carom::stepper_classes_test
