#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "carom/record/sensor_readings.h"
#include "carom/record/test/run_columns.h"
#include "carom/record/test/same_record.h"

namespace carom::sensors_test {
namespace {

using test::Columns;
constexpr double g = 9.81;

std::string method_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = std::string(info.param).substr(9);
  name = name.substr(0, name.find(','));
  std::erase(name, '-');
  return name;
}

class SensorsOfSteppers : public test::RunTest, public ::testing::WithParamInterface<const char*> {
 protected:
  std::string scene(const std::string& parts, double step, double duration, int every = 1) const {
    std::ostringstream text;
    text.precision(17);
    text << "carom: 1\nname: sensors\ngravity: [0, 0, -9.81]\n"
         << parts << "method: {step: " << step << ", " << GetParam() << "}\nduration: " << duration
         << "\nrecord: {every: " << every << "}\n";
    return text.str();
  }
};

/// A table that turns about z at a given rate carries an arm on a weld. The arm's mass centre is at a radius of 0.4 m.
/// S of the imu has its x downwards and its z outwards, along the radius.
const char* const turntable =
    "bodies:\n"
    "  - {name: table, inertia: {mass: 1, moments: [0.02, 0.02, 0.03]}}\n"
    "  - {name: arm, inertia: {mass: 2, center: [0.1, 0, 0], moments: [0.01, 0.01, 0.01]}}\n"
    "joints:\n"
    "  - {name: turn, type: revolute, parent: world, child: table}\n"
    "  - {name: wrist, type: revolute, parent: table, child: arm, axis: [1, 0, 0], on_parent: {position: [0.3, 0, "
    "0]}}\n"
    "drives:\n"
    "  - {name: motor, type: motion, joint: turn, target: {polynomial: [0, 5]}}\n"
    "  - {name: hold, type: motion, joint: wrist, target: 0}\n"
    "sensors:\n"
    "  - {name: imu, type: imu, body: arm, position: [0.1, 0, 0], orientation: {axis: [0, 1, 0], angle: 90 deg}}\n"
    "  - {name: load, type: force_torque, joint: wrist, position: [0, 0, 0]}\n"
    "  - {name: middle, type: force_torque, joint: wrist, position: [0.1, 0, 0]}\n";

TEST_P(SensorsOfSteppers, WhatTurnsFeelsItsRadiusAndItsWeight) {
  const double rate = 5, radius = 0.4, mass = 2;
  for (const double step : {0.002, 0.01}) {
    simulate(scene(turntable, step, 0.06), "table.h5");
    const Columns columns(path("table.h5"));
    EXPECT_TRUE(std::isnan(columns.at("imu.acceleration.x", 0)));
    // The change of a velocity that turns, over the step: 2 ω r sin(ω h/2) inwards, halfway.
    const double inwards = 2 * rate * radius * std::sin(0.5 * rate * step) / step;
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      EXPECT_NEAR((columns.vector("imu.acceleration", frame) - Vec3(-g, 0, -inwards)).norm(), 0, 1e-8) << step;
      EXPECT_NEAR((columns.vector("imu.angular_velocity", frame) - Vec3(-rate, 0, 0)).norm(), 0, 1e-8);
      EXPECT_NEAR((columns.vector("load.force", frame) - mass * Vec3(-inwards, 0, g)).norm(), 0, 1e-7) << step;
      // The weight acts 0.1 m out from the wrist, along the chord of what it goes in a step, and at the mass centre
      // itself.
      const double lever = 0.1 * std::cos(0.5 * rate * step);
      EXPECT_NEAR((columns.vector("load.torque", frame) - Vec3(0, -lever * mass * g, 0)).norm(), 0, 1e-8) << step;
      EXPECT_NEAR(columns.vector("middle.torque", frame).norm(), 0, 1e-8) << step;
    }
  }
}

/// A thrown stone feels nothing at its mass centre, and d ω² towards it at a distance d from it.
TEST_P(SensorsOfSteppers, WhatFliesFeelsNoWeight) {
  const std::string parts =
      "bodies:\n"
      "  - {name: stone, inertia: {mass: 2, moments: [0.1, 0.1, 0.1]}, position: [0, 0, 9], velocity: [1, 2, 3],\n"
      "     angular_velocity: [0, 0, 6]}\n"
      "sensors:\n"
      "  - {name: middle, type: imu, body: stone}\n"
      "  - {name: rim, type: imu, body: stone, position: [0, 0.2, 0.1]}\n";
  const double step = 0.004, rate = 6;
  simulate(scene(parts, step, 0.04), "stone.h5");
  const Columns columns(path("stone.h5"));
  const double inwards = 2 * rate * 0.2 * std::sin(0.5 * rate * step) / step;
  for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
    EXPECT_NEAR(columns.vector("middle.acceleration", frame).norm(), 0, 1e-9);
    EXPECT_NEAR((columns.vector("rim.acceleration", frame) - Vec3(0, -inwards, 0)).norm(), 0, 1e-7);
    EXPECT_NEAR((columns.vector("rim.angular_velocity", frame) - Vec3(0, 0, rate)).norm(), 0, 1e-9);
  }
}

/// A box with a weight at one side stands on two feet; elastic layers sink in a little under stepper compliant.
TEST_P(SensorsOfSteppers, FeetBearTheWeightOfWhatStands) {
  const std::string parts =
      "materials: [{name: m, friction: 0.5, youngs_modulus: 1e9, dissipation: 5}]\n"
      "world: {shapes: [{type: half-space, name: floor}]}\n"
      "bodies:\n"
      "  - name: box\n"
      "    inertia: {mass: 3, center: [0.1, 0, 0], moments: [0.05, 0.05, 0.05]}\n"
      "    position: [0, 0, 0.1]\n"
      "    shapes:\n"
      "      - {type: box, name: left, size: [0.04, 0.2, 0.2], position: [-0.2, 0, 0]}\n"
      "      - {type: box, name: right, size: [0.04, 0.2, 0.2], position: [0.2, 0, 0]}\n"
      "sensors:\n"
      "  - {name: l, type: contact, shapes: box/left}\n"
      "  - {name: r, type: contact, shapes: [box/right]}\n"
      "  - {name: all, type: contact, bodies: box}\n"
      "  - {name: ground, type: contact, bodies: world}\n";
  const bool compliant = std::string(GetParam()).starts_with("stepper: compliant");
  const double weight = 3 * g, near = compliant ? 0.02 * weight : 1e-6;
  simulate(scene(parts, 0.005, compliant ? 0.5 : 0.1, 5), "box.h5");
  const Columns columns(path("box.h5"));
  const std::size_t last = columns.frames() - 1;
  EXPECT_NEAR(columns.at("all.normal_force", last), weight, near);
  EXPECT_NEAR(columns.at("l.normal_force", last) + columns.at("r.normal_force", last), weight, near);
  EXPECT_NEAR((columns.vector("ground.force", last) + columns.vector("all.force", last)).norm(), 0, 1e-9 * weight);
  // The mass centre stands a quarter of the span from the right foot.
  EXPECT_NEAR(columns.at("all.centre_of_pressure.x", last), 0.1, compliant ? 0.01 : 1e-7);
  EXPECT_LT(columns.at("l.centre_of_pressure.x", last), -0.17);
  EXPECT_EQ(columns.at("l.normal_force", last) < columns.at("r.normal_force", last), true);
}

TEST_P(SensorsOfSteppers, LongIntervalsHaveTheMeansOfShortOnes) {
  simulate(scene(turntable, 0.002, 0.042, 1), "every.h5");
  simulate(scene(turntable, 0.002, 0.042, 7), "seventh.h5");
  const Columns every(path("every.h5")), seventh(path("seventh.h5"));
  for (const char* name : {"imu.acceleration.z", "load.force.x", "load.torque.y"}) {
    for (std::size_t frame = 1; frame < seventh.frames(); ++frame) {
      double sum = 0;
      for (std::size_t k = 7 * (frame - 1) + 1; k <= 7 * frame; ++k) sum += every.at(name, k);
      EXPECT_NEAR(seventh.at(name, frame), sum / 7, 1e-11 * std::abs(sum)) << name;
    }
  }
}

TEST_P(SensorsOfSteppers, StoppedAndResumedHaveTheSameBits) {
  const Scene scene = parse_scene(this->scene(turntable, 0.002, 0.06, 7), "table.yaml");
  const auto go = [&](RecordWriter writer, const State& from, std::int64_t steps) {
    Simulation simulation(scene.model, scene.method, from);
    for (std::int64_t i = 0; i < steps; ++i) {
      const StepReport& report = simulation.step();
      writer.append(simulation.state(), report);
    }
    writer.finish("done", 0);
  };
  go(RecordWriter::create(path("whole.h5"), scene), scene.initial, 30);
  go(RecordWriter::create(path("parts.h5"), scene), scene.initial, 4);
  for (const std::int64_t steps : {1, 9, 16}) {
    const State from = read_record(path("parts.h5")).frames.back().state;
    go(RecordWriter::resume(path("parts.h5"), scene), from, steps);
  }
  const auto whole = read_record_columns(path("whole.h5"), {"imu.*", "load.*"}),
             parts = read_record_columns(path("parts.h5"), {"imu.*", "load.*"});
  ASSERT_EQ(whole.size(), 13u) << "and the time";
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (std::size_t k = 1; k < whole[i].values.size(); ++k) {
      EXPECT_TRUE(test::same_bits(whole[i].values[k], parts[i].values[k])) << whole[i].name << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SensorsOfSteppers,
                         ::testing::Values("stepper: stewart-trinkle", "stepper: anitescu-potra",
                                           "stepper: stewart-trinkle-nonlinear", "stepper: hybrid-dca",
                                           "stepper: semi-explicit, law: newton", "stepper: event-driven, law: newton",
                                           "stepper: variational, law: newton", "stepper: implicit-geometry",
                                           "stepper: quasi-rigid", "stepper: compliant"),
                         method_name);

class Sensors : public test::RunTest {};

/// A sensor in a rope's end, and formulas over sensors.
TEST_F(Sensors, OfConstraintsAndInFormulas) {
  simulate(
      "carom: 1\nname: hung\ngravity: [0, 0, -9.81]\n"
      "bodies: [{name: lamp, inertia: {mass: 2, moments: [0.1, 0.1, 0.1]}, position: [0, 0, -1]}]\n"
      "constraints: [{name: wire, type: rod, a: lamp, b: world, on_a: {position: [0, 0, 0.2]}, length: 0.8}]\n"
      "sensors:\n"
      "  - {name: pull, type: force_torque, constraint: wire, orientation: {axis: [1, 0, 0], angle: 180 deg}}\n"
      "  - {name: imu, type: imu, body: lamp}\n"
      "outputs: {pulled: norm(pull.force), felt: max(imu.acceleration.z)}\n"
      "method: {stepper: stewart-trinkle, step: 0.01}\nduration: 0.1\n",
      "hung.h5");
  const Columns columns(path("hung.h5"));
  const std::size_t last = columns.frames() - 1;
  EXPECT_NEAR((columns.vector("pull.force", last) - Vec3(0, 0, -2 * g)).norm(), 0, 1e-9);
  EXPECT_NEAR(columns.vector("pull.torque", last).norm(), 0, 1e-9);
  EXPECT_NEAR(columns.at("pulled", last), 2 * g, 1e-9);
  EXPECT_NEAR(columns.at("felt", last), g, 1e-9);
}

}  // namespace
}  // namespace carom::sensors_test
