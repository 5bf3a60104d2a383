#include "carom/record/live_columns.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "carom/record/frame_numbers.h"
#include "carom/record/test/run_columns.h"

namespace carom::live_columns_test {
namespace {

using test::Columns;

/// A box on a hinged arm with a servo that strikes a floor: sensors of every kind, outputs with a memory and upon
/// another output.
const char* const arm =
    "carom: 1\nname: arm\ngravity: [0, 0, -9.81]\n"
    "materials:\n  - {name: rubber, friction: 0.5, restitution: 0.3}\n"
    "world:\n  shapes:\n    - {type: half-space, material: rubber, name: floor}\n"
    "bodies:\n"
    "  - {name: arm, density: 800, shapes: [{type: box, size: [0.6, 0.1, 0.1], material: rubber, name: bar}]}\n"
    "  - {name: ball, density: 1000, position: [2, 0, 0.3], shapes: [{type: sphere, radius: 0.1, material: rubber}]}\n"
    "joints:\n"
    "  - {name: hinge, type: revolute, parent: world, child: arm, axis: [0, 1, 0],\n"
    "     on_parent: {position: [0, 0, 0.2]}, on_child: {position: [-0.25, 0, 0]}}\n"
    "drives:\n  - {name: hold, type: servo, joint: hinge, target: 0.1, stiffness: 5, damping: 0.2, limit: 4}\n"
    "sensors:\n"
    "  - {name: imu, type: imu, body: arm, position: [0.2, 0, 0]}\n"
    "  - {name: wrist, type: force_torque, joint: hinge}\n"
    "  - {name: skin, type: contact, bodies: ball}\n"
    "outputs:\n"
    "  peak: max(abs(hinge.torque))\n"
    "  over: peak + norm(imu.acceleration)\n"
    "  place: ball.position\n";

std::string with_method(const std::string& method) {
  return std::string(arm) + "method: {step: 0.002, " + method + "}\nduration: 0.6\n";
}

class LiveColumnsOfSteppers : public test::RunTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(LiveColumnsOfSteppers, AreThoseOfTheRecordBitForBit) {
  const std::string text = with_method(GetParam());
  simulate(text, "arm.h5");
  const Columns recorded(path("arm.h5"));

  const Scene scene = parse_scene(text, "arm.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  LiveColumns live(scene);
  const std::vector<std::string> names = live.names();
  EXPECT_GT(names.size(), 100u);
  std::size_t loads = 0;
  for (std::size_t frame = 0; frame < recorded.frames(); ++frame) {
    if (frame > 0) {
      const StepReport& report = simulation.step();
      live.add(simulation.state(), report);
    }
    for (const std::string& name : names) {
      const double here = live.number(name), there = recorded.at(name, frame);
      const bool both_nan = std::isnan(here) && std::isnan(there);
      const bool same_bits = std::bit_cast<std::uint64_t>(here) == std::bit_cast<std::uint64_t>(there);
      ASSERT_TRUE(both_nan || same_bits) << name << " " << frame;
    }
    loads += live.number("skin.normal_force") > 0 ? 1 : 0;
  }
  EXPECT_GT(loads, 10u);
  EXPECT_GT(live.number("peak"), 0.1);
  EXPECT_EQ(live.numbers("place"), live.numbers("ball.position"));
  EXPECT_EQ(live.numbers("imu").size(), 6);
  EXPECT_EQ(live.numbers("imu.angular_velocity")[1], live.number("imu.angular_velocity.y"));
}

INSTANTIATE_TEST_SUITE_P(Methods, LiveColumnsOfSteppers,
                         ::testing::Values("stepper: stewart-trinkle, law: newton",
                                           "stepper: semi-explicit, law: poisson"),
                         [](const auto& info) { return info.index == 0 ? "timeStepper" : "semiExplicit"; });

/// Extremes begin where the object is made; a mean over a step does not depend on it.
TEST(LiveColumns, BeginWhereTheyAreMade) {
  const Scene scene = parse_scene(with_method("stepper: semi-explicit, law: newton"), "arm.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  LiveColumns whole(scene.model, scene.initial, {{"highest", "max(ball.position.z)"}});
  simulation.run_until(0.1, [&](const StepReport& report) { whole.add(simulation.state(), report); });
  LiveColumns late(scene.model, simulation.state(), {{"highest", "max(ball.position.z)"}});
  EXPECT_TRUE(std::isnan(late.number("imu.acceleration.x")));
  EXPECT_EQ(late.number("highest"), late.number("ball.position.z"));
  EXPECT_LT(late.number("highest"), whole.number("highest"));
  const StepReport& report = simulation.step();
  whole.add(simulation.state(), report);
  late.add(simulation.state(), report);
  EXPECT_EQ(whole.numbers("imu"), late.numbers("imu"));
  EXPECT_EQ(whole.number("energy.kinetic"), late.number("energy.kinetic"));
}

TEST(LiveColumns, AreTheSameHoweverSeldomTheyAreAsked) {
  const Scene scene = parse_scene(with_method("stepper: stewart-trinkle, law: newton"), "arm.yaml");
  Simulation simulation(scene.model, scene.method, scene.initial);
  const std::vector<std::pair<std::string, std::string>> formulas{
      {"twice", "2 * speed"}, {"speed", "norm(ball.velocity)"}, {"place", "ball.position"}};
  LiveColumns often(scene.model, scene.initial, formulas), seldom(scene.model, scene.initial, formulas);
  int step = 0;
  simulation.run_until(scene.duration, [&](const StepReport& report) {
    often.add(simulation.state(), report);
    seldom.add(simulation.state(), report);
    const VectorX outputs = often.outputs();
    ASSERT_EQ(outputs.size(), 5);
    EXPECT_EQ(outputs[0], often.number("twice"));
    EXPECT_EQ(outputs[1], often.number("speed"));
    EXPECT_EQ(outputs[3], often.number("place.y"));
    EXPECT_EQ(outputs[0], 2 * outputs[1]);
    EXPECT_GE(outputs[1], 0);
    if (++step % 100 != 0) return;
    for (const std::string& name : often.names()) {
      const double one = often.number(name), other = seldom.number(name);
      EXPECT_TRUE((std::isnan(one) && std::isnan(other)) || one == other) << name << " " << step;
    }
  });
  EXPECT_GE(step, 300);
}

TEST(LiveColumns, RefuseNamesWithTheNearest) {
  const Scene scene = parse_scene(with_method("stepper: semi-explicit, law: newton"), "arm.yaml");
  const LiveColumns live(scene);
  const auto sentence = [](const auto& asked) -> std::string {
    try {
      asked();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence([&] { live.number("imu.accelaration.x"); }),
            "there is no column 'imu.accelaration.x'; the nearest name is 'imu.acceleration.x'");
  EXPECT_NE(sentence([&] { live.numbers("im"); }), "");
  EXPECT_TRUE(live.has("imu.acceleration.x"));
  EXPECT_FALSE(live.has("imu.acceleration"));
  const std::string fault = sentence([&] { LiveColumns(scene.model, scene.initial, {{"peak", "max(hinge.torqe)"}}); });
  EXPECT_TRUE(fault.starts_with("output 'peak': ")) << fault;
  EXPECT_NE(fault.find("hinge.torque"), std::string::npos) << fault;
}

/// A frame before any step is solved, and says nothing of steps.
TEST(LiveColumns, FirstFramesHaveTheEnergiesOfTheirState) {
  const Scene scene = parse_scene(with_method("stepper: semi-explicit, law: newton"), "arm.yaml");
  const Frame frame = first_frame(*scene.model, scene.initial);
  EXPECT_EQ(frame.energy.kinetic, 0);
  // Masses times heights: 4.8 kg at 0.2 m, and a ball of 4/3 π r³ ρ at 0.3 m.
  const double ball = 4.0 / 3 * M_PI * 0.001 * 1000;
  EXPECT_NEAR(frame.energy.potential, 9.81 * (4.8 * 0.2 + ball * 0.3), 1e-9);
}

}  // namespace
}  // namespace carom::live_columns_test
