// If an exception ends a step, wherever and of whatever kind, the state is the one before it and nothing remains
// behind. The same Simulation goes on to the same bits as one that was never interrupted.

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "carom/error.h"
#include "carom/stop_signal.h"
#include "experiment.h"
#include "mechanisms.h"

namespace carom::interrupted_steps_test {
namespace {

constexpr int steps = 3;

/// A ball about to land, and a box on its corner that turns so fast that steps which can be halved are.
test::SceneMaker lively_scene() {
  test::SceneMaker scene(0.4);
  scene.builder = ModelBuilder();
  scene.builder.set_gravity({0, 0, -9.81});
  Material material{"surface", Vec2(0.4, 0.4), 0.0};
  material.youngs_modulus = 1e7;
  material.dissipation = 1;
  scene.material = scene.builder.add_material(material);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.11), Vec3(0.3, 0.1, -2));
  scene.add(Box{Vec3::Constant(0.1)}, 1, Vec3(1, 0, 0.15), Vec3(0, 0, -1), Quaternion(0.9, 0.3, 0.2, 0.1).normalized(),
            Vec3(20, 250, 30));
  return scene;
}

/// A stepper, and the accuracy that its steps are taken with; 0: none.
struct Way {
  StepperKind stepper;
  double accuracy;
  std::string label() const { return test::label(stepper) + (accuracy > 0 ? "_in_parts" : ""); }
};

/// A failing test prints this of its parameter.
void PrintTo(const Way& way, std::ostream* out) { *out << way.label(); }

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const StepperKind stepper : all_steppers()) {
    ways.push_back({stepper, 0});
    if (!stepper->is_integrated) ways.push_back({stepper, 0.02});
  }
  return ways;
}

Method method_of(const Way& way) {
  const StepperKind stepper = way.stepper;
  Method method = test::with_step(0.02, stepper);
  method.accuracy = way.accuracy;
  if (has_impacts(method)) method.law = LawKind::plastic;
  if (stepper == StepperKind::compliant) method.tolerance = 1e-6;
  method.quasi_rigid.iterations = 2;
  method.quasi_rigid.halvings = 2;
  // Round-off does not allow this one: steps are halved as often as they may be.
  if (way.accuracy == 0) method.quasi_rigid.tolerance = 1e-17;
  return method;
}

class InterruptedSteps : public testing::TestWithParam<Way> {
 protected:
  InterruptedSteps() : scene_(lively_scene()), whole_(start()) {
    for (int i = 0; i < steps; ++i) whole_.step();
  }
  Simulation start() const { return scene_.simulation(method_of(GetParam())); }

  test::SceneMaker scene_;
  Simulation whole_;
};

/// Stopped at any question, and again while it makes up for it.
TEST_P(InterruptedSteps, GoOnToTheSameBitsAfterAStop) {
  long questions = 0;
  Simulation counting = start();
  counting.set_stop([&] { return ++questions < 0; });
  for (int i = 0; i < steps; ++i) counting.step();
  ASSERT_TRUE(identical(counting.state(), whole_.state()));
  ASSERT_GE(questions, steps);
  std::mt19937 random(7);
  for (int trial = 0; trial < 12; ++trial) {
    Simulation simulation = start();
    std::uniform_int_distribution<long> any(0, questions - 1);
    const long first = any(random), second = first + 1 + any(random);
    long asked = 0;
    simulation.set_stop([&] {
      const long now = asked++;
      return now == first || now == second;
    });
    int stops = 0;
    for (int taken = 0; taken < steps;) {
      const State before = simulation.state();
      try {
        simulation.step();
        ++taken;
      } catch (const Stopped&) {
        ++stops;
        ASSERT_TRUE(identical(simulation.state(), before)) << first;
      }
    }
    EXPECT_GE(stops, 1);
    EXPECT_TRUE(identical(simulation.state(), whole_.state())) << "stopped at " << first << " of " << questions;
    EXPECT_EQ(simulation.certificate().steps, steps);
  }
}

/// An exception of the user's own. The stop signal, which steps ask for, throws it.
TEST_P(InterruptedSteps, LeaveTheStateBeforeAnyException) {
  long questions = 0;
  Simulation counting = start();
  counting.set_stop([&] { return ++questions < 0; });
  for (int i = 0; i < steps; ++i) counting.step();
  for (const double part : {0.0, 0.2, 0.5, 0.8, 0.95}) {
    Simulation simulation = start();
    long left = static_cast<long>(part * static_cast<double>(questions));
    simulation.set_stop([&]() -> bool {
      if (left-- == 0) throw std::runtime_error("the line is cut");
      return false;
    });
    bool thrown = false;
    for (int taken = 0; taken < steps;) {
      const State before = simulation.state();
      try {
        simulation.step();
        ++taken;
      } catch (const std::runtime_error&) {
        thrown = true;
        ASSERT_TRUE(identical(simulation.state(), before)) << part;
      }
    }
    EXPECT_TRUE(thrown);
    EXPECT_TRUE(identical(simulation.state(), whole_.state())) << part;
  }
}

/// A controller that fails once in the second step: by its own exception, and by a force that is not finite.
TEST_P(InterruptedSteps, LeaveTheStateBeforeAControllerThatFails) {
  for (const bool throws : {true, false}) {
    Simulation simulation = start();
    int calls = 0;
    simulation.set_controller([&](const Model&, const State&, VectorX& force) {
      if (calls++ != 1) return;
      if (throws) throw std::runtime_error("no supply");
      force[0] = std::numeric_limits<double>::quiet_NaN();
    });
    simulation.step();
    const State before = simulation.state();
    if (throws) {
      EXPECT_THROW(simulation.step(), std::runtime_error);
    } else {
      EXPECT_THROW(simulation.step(), Error);
    }
    EXPECT_TRUE(identical(simulation.state(), before));
    EXPECT_EQ(simulation.certificate().steps, 1);
    for (int i = 1; i < steps; ++i) simulation.step();
    EXPECT_TRUE(identical(simulation.state(), whole_.state()));
    EXPECT_EQ(calls, steps + 1);  // once a step, however many parts the step has
  }
}

/// A request for one step is not one for the next.
TEST_P(InterruptedSteps, ForgetWhatTheyWereAskedFor) {
  Simulation simulation = start();
  PosedProblem problem;
  simulation.keep_problem(&problem);
  simulation.set_controller([](const Model&, const State&, VectorX& force) { force.setConstant(1); });
  long asked = 0;
  simulation.set_stop([&] { return ++asked < 0; });
  simulation.step();
  simulation.keep_problem(nullptr);
  simulation.set_controller({});
  simulation.set_stop({});
  problem = {};
  const long before = asked;
  Simulation other(scene_.model(), simulation.method(), simulation.state());
  simulation.step();
  other.step();
  EXPECT_EQ(problem.u.size(), 0);
  EXPECT_EQ(asked, before);
  EXPECT_TRUE(identical(simulation.state(), other.state()));
}

INSTANTIATE_TEST_SUITE_P(Steppers, InterruptedSteps, testing::ValuesIn(all_ways()),
                         [](const auto& info) { return info.param.label(); });

}  // namespace
}  // namespace carom::interrupted_steps_test
