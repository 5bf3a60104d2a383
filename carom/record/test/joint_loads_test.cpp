#include "carom/record/joint_loads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/record/part_names.h"
#include "carom/record/test/run_columns.h"
#include "carom/record/test/same_record.h"

namespace carom::joint_loads_test {
namespace {

using test::Columns;
constexpr double g = 9.81;

std::string method_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = std::string(info.param).substr(9);
  name = name.substr(0, name.find(','));
  std::erase(name, '-');
  return name;
}

class JointLoadsOfSteppers : public test::RunTest, public ::testing::WithParamInterface<const char*> {
 protected:
  bool is(const std::string& stepper) const { return std::string(GetParam()).starts_with("stepper: " + stepper); }
  std::string scene(const std::string& parts, double step, double duration, int every = 1) const {
    std::ostringstream text;
    text.precision(17);
    text << "carom: 1\nname: loads\ngravity: [0, 0, -9.81]\n"
         << parts << "method: {step: " << step << ", " << GetParam() << "}\nduration: " << duration
         << "\nrecord: {every: " << every << "}\n";
    return text.str();
  }
};

/// Level arms that turn about −y, each of mass 2. The mass centre is 0.3 along x from the joint, so m g l = 5.886 N m
/// pulls each down.
std::string arm(const std::string& name, const std::string& keys, double y) {
  std::ostringstream text;
  text << "  - {name: " << name << ", type: revolute, parent: world, child: " << name
       << "_arm, axis: [0, -1, 0], on_parent: {position: [0.5, " << y << ", 1]}, on_child: {position: [-0.3, 0, 0]}"
       << keys << "}\n";
  return text.str();
}
std::string arm_body(const std::string& name) {
  return "  - {name: " + name + "_arm, inertia: {mass: 2, moments: [0.01, 0.02, 0.03]}}\n";
}

TEST_P(JointLoadsOfSteppers, WhatHoldsAnArmLevelHasItsWeightTimesItsLength) {
  const double mass = 2, length = 0.3, moment = mass * g * length;
  std::string bodies = "bodies:\n", joints = "joints:\n";
  const std::string spring = ", spring: {stiffness: 20, rest: " + std::to_string(0.2943) + "}";
  const bool stops = !is("compliant");  // its limits yield, its friction creeps
  std::vector<std::pair<std::string, std::string>> arms{
      {"servo", ""}, {"motion", ""}, {"force", ""}, {"spring", spring}, {"controller", ""}};
  if (stops) {
    arms.push_back({"limit", ", limits: {lower: 0, upper: 1}"});
    arms.push_back({"friction", ", friction: 8"});
  }
  double y = 0;
  for (const auto& [name, keys] : arms) {
    bodies += arm_body(name);
    joints += arm(name, keys, y += 0.5);
  }
  const std::string drives =
      "drives:\n  - {name: d1, type: servo, joint: servo, target: 0.0981, stiffness: 60, damping: 5}\n"
      "  - {name: d2, type: motion, joint: motion, target: 0}\n"
      "  - {name: d3, type: force, joint: force, force: 5.886}\n";
  for (const int every : {1, 7}) {
    simulate(scene(bodies + joints + drives, 0.002, 0.042, every), "arms.h5",
             [&](const Model& model, const State&, VectorX& force) {
               for (const Joint& joint : model.joints()) {
                 if (joint.name == "controller") force[joint.v_index] = moment;
               }
             });
    const Columns columns(path("arms.h5"));
    EXPECT_TRUE(std::isnan(columns.at("servo.torque", 0)));
    EXPECT_TRUE(std::isnan(columns.at("servo.reaction_force.z", 0)));
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      for (const auto& [name, keys] : arms) {
        EXPECT_NEAR(columns.at(name + ".torque." + name, frame), moment, 1e-8 * moment) << name << " " << frame;
        EXPECT_NEAR(columns.at(name + ".torque", frame), moment, 1e-8 * moment) << name;
        EXPECT_NEAR((columns.vector(name + ".reaction_force", frame) - Vec3(0, 0, mass * g)).norm(), 0, 1e-7) << name;
        EXPECT_NEAR((columns.vector(name + ".reaction_moment", frame) - Vec3(0, -moment, 0)).norm(), 0, 1e-7) << name;
      }
    }
    EXPECT_EQ(columns.at("servo.torque.controller", 1), 0);
    EXPECT_FALSE(columns.has("servo.torque.spring"));
  }
}

/// A level arm with a fixed angle is pulled at its tip. The pull is a load of the joint, in line with it and with its
/// lever, and no torque of the controller's.
TEST_P(JointLoadsOfSteppers, APushOnABodyIsNoTorqueOfItsJoint) {
  const double pull = 3, lever = 0.6, m = 2, length = 0.3;
  const std::string parts =
      "bodies:\n  - {name: arm, inertia: {mass: 2, moments: [0.01, 0.02, 0.03]}}\n"
      "joints:\n  - {name: hip, type: revolute, parent: world, child: arm, axis: [0, -1, 0], on_child: {position: "
      "[-0.3, 0, 0]}}\n"
      "drives:\n  - {name: hold, type: motion, joint: hip, target: 0}\n";
  for (const int every : {1, 3}) {
    simulate(scene(parts, 0.002, 0.03, every), "pulled.h5", {}, [&](Simulation& simulation) {
      simulation.push(BodyPush{0, Vec3(0, pull, -pull), Vec3::Zero(), Vec3(lever - length, 0, 0), 1});
    });
    const Columns columns(path("pulled.h5"));
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      EXPECT_NEAR(columns.at("hip.torque.controller", frame), 0, 1e-12);
      const Vec3 force = columns.vector("hip.reaction_force", frame),
                 moment = columns.vector("hip.reaction_moment", frame);
      EXPECT_NEAR((force - Vec3(0, -pull, m * g + pull)).norm(), 0, 1e-7);
      EXPECT_NEAR((moment - Vec3(0, -m * g * length - pull * lever, -pull * lever)).norm(), 0, 1e-7);
      EXPECT_NEAR(columns.at("hip.torque.motion", frame), m * g * length + pull * lever, 1e-7);
    }
  }
}

/// Wheels about z, balanced: no reaction of theirs but their weight.
TEST_P(JointLoadsOfSteppers, SourcesOfWheelsAreTheirLaws) {
  const double damping = 0.3, speed = 4, inertia_a = 0.03, inertia_b = 0.05, ratio = -2, torque = 0.4;
  const std::string parts =
      "bodies:\n"
      "  - {name: damped, inertia: {mass: 1, moments: [0.02, 0.02, 0.03]}}\n"
      "  - {name: driven, inertia: {mass: 1, moments: [0.02, 0.02, 0.03]}}\n"
      "  - {name: gear_a, inertia: {mass: 1, moments: [0.02, 0.02, 0.03]}}\n"
      "  - {name: gear_b, inertia: {mass: 1, moments: [0.03, 0.03, 0.05]}}\n"
      "joints:\n"
      "  - {name: turn, type: revolute, parent: world, child: damped, damping: 0.3}\n"
      "  - {name: ramp, type: revolute, parent: world, child: driven, on_parent: {position: [1, 0, 0]}, velocity: 1}\n"
      "  - {name: a, type: revolute, parent: world, child: gear_a, on_parent: {position: [2, 0, 0]}}\n"
      "  - {name: b, type: revolute, parent: world, child: gear_b, on_parent: {position: [3, 0, 0]}}\n"
      "constraints:\n  - {name: mesh, type: coupler, a: a, b: b, ratio: -2}\n"
      "drives:\n"
      "  - {name: motor, type: motion, joint: turn, target: {polynomial: [0, 4]}}\n"
      "  - {name: rising, type: force, joint: ramp, force: {polynomial: [0.1, 3]}}\n"
      "  - {name: push, type: force, joint: b, force: 0.4}\n";
  const double h = 0.01;
  simulate(scene(parts, h, 0.1), "wheels.h5");
  const Columns columns(path("wheels.h5"));
  const double acceleration = torque / (inertia_b + ratio * ratio * inertia_a);
  for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
    EXPECT_NEAR(columns.at("turn.torque.damper", frame), -damping * speed, 1e-8);
    EXPECT_NEAR(columns.at("turn.torque.motion", frame), damping * speed, 1e-8);
    EXPECT_NEAR(columns.at("turn.torque", frame), 0, 1e-8);
    const double middle = (static_cast<double>(frame) - 0.5) * h;
    EXPECT_NEAR(columns.at("ramp.torque.force", frame), 0.1 + 3 * middle, 1e-9);
    EXPECT_NEAR(columns.at("ramp.reaction_moment.z", frame), 0.1 + 3 * middle, 1e-7);
    EXPECT_NEAR(columns.at("a.torque.coupler", frame), inertia_a * ratio * acceleration, 1e-8);
    EXPECT_NEAR(columns.at("b.torque.coupler", frame), -ratio * inertia_a * ratio * acceleration, 1e-8);
    EXPECT_NEAR(columns.at("b.torque", frame), inertia_b * acceleration, 1e-8);
    EXPECT_NEAR((columns.vector("b.reaction_force", frame) - Vec3(0, 0, g)).norm(), 0, 1e-7);
  }
}

/// A hinge about z at the origin carries a point that goes round at 0.4 m. The chord of the arc turns its momentum,
/// m ω 2 r sin(ω h / 2) / h, towards the middle of the step.
TEST_P(JointLoadsOfSteppers, AHingeTurnsTheMomentumOfWhatGoesRound) {
  const double mass = 1.5, radius = 0.4, speed = 6, h = 0.005;
  const std::string parts =
      "bodies:\n  - {name: stone, inertia: {mass: 1.5, moments: [0.01, 0.01, 0.01]}}\n"
      "joints:\n  - {name: pin, type: revolute, parent: world, child: stone, on_child: {position: [-0.4, 0, 0]}, "
      "velocity: 6}\n";
  simulate(scene(parts, h, 0.2), "stone.h5");
  const Columns columns(path("stone.h5"));
  const double pull = mass * speed * radius * 2 * std::sin(speed * h / 2) / h;
  for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
    const double angle = speed * (static_cast<double>(frame) - 0.5) * h;
    const Vec3 radial(std::cos(angle), std::sin(angle), 0);
    const Vec3 force = columns.vector("pin.reaction_force", frame),
               moment = columns.vector("pin.reaction_moment", frame);
    EXPECT_NEAR((force - Vec3(0, 0, mass * g) + pull * radial).norm(), 0, 1e-6 * pull);
    // Its weight, halfway between both ends of the step, and nothing about the axis.
    const double arm = radius * std::cos(speed * h / 2);
    EXPECT_NEAR((moment - arm * mass * g * radial.cross(Vec3::UnitZ())).norm(), 0, 1e-6);
  }
}

/// A crank of 0.15 m at 12 rad/s, driven, with a rod of 0.45 m and a piston.
std::string slider_crank() {
  return "bodies:\n"
         "  - {name: crank, inertia: {mass: 1, moments: [0.002, 0.002, 0.002]}}\n"
         "  - {name: rod, inertia: {mass: 0.5, moments: [0.008, 0.008, 0.008]}}\n"
         "  - {name: piston, inertia: {mass: 0.8, moments: [0.001, 0.001, 0.001]}}\n"
         "joints:\n"
         "  - {name: shaft, type: revolute, parent: world, child: crank, axis: [0, -1, 0]}\n"
         "  - {name: big_end, type: revolute, parent: crank, child: rod, axis: [0, -1, 0], on_parent: {position: "
         "[0.15, "
         "0, 0]}, on_child: {position: [-0.2, 0, 0]}, velocity: -16}\n"
         "  - {name: bore, type: prismatic, parent: world, child: piston, axis: [1, 0, 0], position: 0.6}\n"
         "constraints:\n"
         "  - {name: wrist, type: hinge, a: rod, b: piston, on_a: {position: [0.25, 0, 0]}, axis: [0, 1, 0]}\n"
         "drives:\n  - {name: motor, type: motion, joint: shaft, target: {polynomial: [0, 12]}}\n";
}

/// Momentum of a body whose frame is at its mass centre.
Vec3 momentum(const Columns& columns, const std::string& body, double mass, std::size_t frame) {
  return mass * columns.vector(body + ".velocity", frame);
}

TEST_P(JointLoadsOfSteppers, EveryBodyOfALoopIsInBalance) {
  for (const int every : {1, 5}) {
    simulate(scene(slider_crank(), 0.002, 0.2, every), "crank.h5");
    const Columns columns(path("crank.h5"));
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      const double seconds = columns.at("time", frame) - columns.at("time", frame - 1);
      const auto taken = [&](const std::string& body, double mass) {
        const Vec3 change = momentum(columns, body, mass, frame) - momentum(columns, body, mass, frame - 1);
        return Vec3(change / seconds + mass * g * Vec3::UnitZ());
      };
      const auto force = [&](const std::string& name) { return columns.vector(name + ".reaction_force", frame); };
      const Vec3 wrist = columns.vector("wrist.force", frame);
      const Vec3 on_crank = force("shaft") - force("big_end"), on_rod = force("big_end") + wrist,
                 on_piston = force("bore") - wrist;
      EXPECT_NEAR((on_crank - taken("crank", 1)).norm(), 0, 1e-8);
      EXPECT_NEAR((on_rod - taken("rod", 0.5)).norm(), 0, 1e-8);
      EXPECT_NEAR((on_piston - taken("piston", 0.8)).norm(), 0, 1e-8);
    }
  }
}

/// Loads of the slider-crank at crank angle a, from the equations of its bodies at constant crank speed w.
struct CrankLoads {
  double torque, pin_x, pin_z, shaft_x, shaft_z;
};
CrankLoads crank_loads(double a) {
  constexpr double r = 0.15, l = 0.45, w = 12, rod = 0.5, rod_inertia = 0.008, piston = 0.8, from_big_end = 0.2,
                   crank = 1;
  // Rod's angle b: r sin a = −l sin b, both about −y; its rate and acceleration.
  const double b = -std::asin(r * std::sin(a) / l);
  const double b1 = -r * w * std::cos(a) / (l * std::cos(b));
  const double b2 = (r * w * w * std::sin(a) + l * b1 * b1 * std::sin(b)) / (l * std::cos(b));
  const auto along = [](double angle) { return Vec3(std::cos(angle), 0, std::sin(angle)); };
  const auto across = [](double angle) { return Vec3(-std::sin(angle), 0, std::cos(angle)); };
  const Vec3 big_end = -r * w * w * along(a), weight(0, 0, -g);
  const Vec3 rod_center = big_end + from_big_end * (b2 * across(b) - b1 * b1 * along(b));
  const Vec3 pin = big_end + l * (b2 * across(b) - b1 * b1 * along(b));
  // On the rod at the wrist pin: along the bore the piston's inertia, across it what turns the rod about its big end.
  const double x = -piston * pin.x();
  const auto turn = [](const Vec3& arm, const Vec3& force) { return arm.x() * force.z() - arm.z() * force.x(); };
  const double needed = rod_inertia * b2 + turn(from_big_end * along(b), rod * (rod_center - weight));
  const double z = (needed + l * std::sin(b) * x) / (l * std::cos(b));
  const Vec3 wrist(x, 0, z), at_big_end = rod * (rod_center - weight) - wrist;
  const Vec3 shaft = at_big_end - crank * weight;  // the crank's mass centre is on its axis
  return {turn(r * along(a), at_big_end), x, z, shaft.x(), shaft.z()};
}

TEST_P(JointLoadsOfSteppers, ASliderCranksLoadsApproachThoseOfItsEquations) {
  const auto error = [&](double h) {
    simulate(scene(slider_crank(), h, 0.5), "crank.h5");
    const Columns columns(path("crank.h5"), {"shaft.torque.motion", "wrist.force.*", "shaft.reaction_*"});
    double worst = 0;
    for (std::size_t frame = 2; frame < columns.frames(); ++frame) {
      const double middle = 0.5 * (columns.at("time", frame) + columns.at("time", frame - 1));
      const CrankLoads exact = crank_loads(12 * middle);
      const Vec3 wrist = columns.vector("wrist.force", frame), shaft = columns.vector("shaft.reaction_force", frame);
      worst = std::max({worst, std::abs(columns.at("shaft.torque.motion", frame) - exact.torque) / 0.15,
                        std::abs(wrist.x() - exact.pin_x), std::abs(wrist.z() - exact.pin_z),
                        std::abs(shaft.x() - exact.shaft_x), std::abs(shaft.z() - exact.shaft_z),
                        std::abs(columns.at("shaft.reaction_moment.y", frame) + exact.torque) / 0.15});
    }
    return worst;
  };
  const double coarse = error(0.002), fine = error(0.001);
  EXPECT_LT(coarse, 0.05 * std::abs(crank_loads(0).pin_x));
  EXPECT_LT(fine, 0.6 * coarse + 1e-6);
}

/// An arm of three links in space, on hinges that cross, with a spring, dampers, a servo and a motor.
const char* const space_arm =
    "bodies:\n"
    "  - {name: a, inertia: {mass: 2, center: [0.1, 0.02, -0.2], moments: [0.03, 0.04, 0.02]}}\n"
    "  - {name: b, inertia: {mass: 1, center: [0, 0.1, -0.15], moments: [0.02, 0.01, 0.015]}}\n"
    "  - {name: c, inertia: {mass: 0.7, center: [0.05, 0, -0.1], matrix: [0.01, 0.012, 0.008, 0.001, -0.002, 0]}}\n"
    "joints:\n"
    "  - {name: first, type: revolute, parent: world, child: a, axis: [0, 0, 1], damping: 0.2, velocity: 2}\n"
    "  - {name: second, type: revolute, parent: a, child: b, axis: [0, 1, 0.3], on_parent: {position: [0.1, 0, "
    "-0.4]},\n"
    "     spring: {stiffness: 6, rest: 0.5}, position: -0.4, reflected_inertia: 0.01}\n"
    "  - {name: third, type: revolute, parent: b, child: c, axis: [1, 0, 0], on_parent: {position: [0, 0.1, -0.3]},\n"
    "     position: 0.7, velocity: -3}\n"
    "drives:\n"
    "  - {name: d1, type: servo, joint: third, target: {sine: {amplitude: 0.5, frequency: 2}}, stiffness: 20, damping: "
    "0.5}\n"
    "  - {name: d2, type: force, joint: first, force: {sine: {amplitude: 1, frequency: 1}}}\n";

/// The recorded motion in the middle of each step, put into the equations of motion, gives the recorded torques. The
/// error is of the step's order.
TEST_P(JointLoadsOfSteppers, ApproachTheInverseDynamicsOfTheRecordedMotion) {
  const auto error = [&](double h) {
    const std::string text = scene(space_arm, h, 0.3);
    simulate(text, "arm.h5");
    const Scene read = parse_scene(text, "arm.yaml");
    const Columns columns(path("arm.h5"));
    DynamicsWorkspace workspace(*read.model);
    double worst = 0;
    for (std::size_t frame = 1; frame < columns.frames(); ++frame) {
      VectorX q(3), v(3), rate(3), torque(3), needed(3);
      int i = 0;
      for (const std::string joint : {"first", "second", "third"}) {
        q[i] = 0.5 * (columns.at(joint, frame) + columns.at(joint, frame - 1));
        v[i] = 0.5 * (columns.at(joint + ".rate", frame) + columns.at(joint + ".rate", frame - 1));
        rate[i] = (columns.at(joint + ".rate", frame) - columns.at(joint + ".rate", frame - 1)) / h;
        torque[i++] = columns.at(joint + ".torque", frame);
      }
      forward_kinematics(*read.model, q, workspace);
      forward_velocity(*read.model, q, v, workspace);
      inverse_dynamics(*read.model, rate, workspace, needed);
      worst = std::max(worst, (needed - torque).norm());
    }
    return worst;
  };
  const double coarse = error(0.004), fine = error(0.002);
  EXPECT_LT(coarse, 0.5);
  EXPECT_LT(fine, 0.6 * coarse + 1e-6);
}

TEST_P(JointLoadsOfSteppers, LongIntervalsHaveTheImpulsesOfShortOnes) {
  simulate(scene(slider_crank(), 0.002, 0.112, 1), "every.h5");
  simulate(scene(slider_crank(), 0.002, 0.112, 7), "seventh.h5");
  const std::vector<std::string> loads{"*.torque", "*.torque.*", "*.reaction_*", "wrist.*"};
  const Columns every(path("every.h5"), loads), seventh(path("seventh.h5"), loads);
  ASSERT_EQ(seventh.frames(), 9u);
  for (const std::string name : {"shaft.torque.motion", "shaft.torque", "big_end.reaction_force.x", "wrist.force.z",
                                 "bore.reaction_moment.y", "wrist.moment.z"}) {
    double size = 0;
    for (std::size_t frame = 1; frame < every.frames(); ++frame) size = std::max(size, std::abs(every.at(name, frame)));
    for (std::size_t frame = 1; frame < seventh.frames(); ++frame) {
      double impulse = 0;
      for (std::size_t k = 7 * frame - 6; k <= 7 * frame; ++k) {
        impulse += every.at(name, k) * (every.at("time", k) - every.at("time", k - 1));
      }
      const double seconds = seventh.at("time", frame) - seventh.at("time", frame - 1);
      EXPECT_NEAR(seventh.at(name, frame) * seconds, impulse, 1e-13 * (1 + size)) << name;
    }
  }
}

TEST_P(JointLoadsOfSteppers, StoppedAndResumedHaveTheSameBits) {
  const Scene scene = parse_scene(this->scene(slider_crank(), 0.002, 0.06, 7), "crank.yaml");
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
  const auto whole = read_record_columns(path("whole.h5"), {}), parts = read_record_columns(path("parts.h5"), {});
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_EQ(whole[i].values.size(), parts[i].values.size());
    for (std::size_t k = 0; k < whole[i].values.size(); ++k) {
      const double a = whole[i].values[k], b = parts[i].values[k];
      EXPECT_TRUE((std::isnan(a) && std::isnan(b)) || test::same_bits(a, b)) << whole[i].name << " " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, JointLoadsOfSteppers,
                         ::testing::Values("stepper: stewart-trinkle", "stepper: anitescu-potra",
                                           "stepper: stewart-trinkle-nonlinear", "stepper: hybrid-dca",
                                           "stepper: semi-explicit, law: newton", "stepper: event-driven, law: newton",
                                           "stepper: variational, law: newton", "stepper: implicit-geometry",
                                           "stepper: quasi-rigid", "stepper: compliant"),
                         method_name);

}  // namespace
}  // namespace carom::joint_loads_test
