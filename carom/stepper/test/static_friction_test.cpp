#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "carom/stepper/test/mechanisms.h"

namespace carom::static_friction_test {
namespace {

constexpr double g = 9.81, sliding = 0.3, resting = 0.5;

/// Every stepper that reads static friction and whose contacts stick: compliant ones creep. Time steppers and the
/// variational one with either cone.
std::vector<std::pair<std::string, Method>> methods() {
  std::vector<std::pair<std::string, Method>> all;
  for (const StepperKind stepper : {StepperKind::semi_explicit, StepperKind::variational, StepperKind::event_driven}) {
    for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
      if (stepper == StepperKind::event_driven && cone == FrictionCone::polyhedral) continue;
      Method method;
      method.stepper = stepper;
      method.law = LawKind::plastic;
      method.cone = cone;
      method.step = 1e-3;
      all.emplace_back(stepper_name(stepper) + ", " + cone_name(cone), method);
    }
  }
  return all;
}

/// A floor that leans by an angle, along x, and something of 1 kg on it that slides down at a speed.
class Slope : public test::SceneMaker {
 public:
  Slope(double angle, double speed, bool one_contact) : SceneMaker(0) {
    builder = ModelBuilder();
    builder.set_gravity(g * Vec3(std::sin(angle), 0, -std::cos(angle)));
    Material rough{"rough", Vec2(sliding, sliding), 0.0};
    rough.static_friction = Vec2(resting, resting);
    material = builder.add_material(rough);
    add_static(HalfSpace{});
    if (one_contact) {
      add_guided_ball(speed);
    } else {
      add(Box{Vec3(0.1, 0.1, 0.05)}, 1, Vec3(0, 0, 0.05));
      v[3] = speed;
    }
  }

 private:
  /// A ball that can't turn: a joint along x and another along z hold it.
  void add_guided_ball(double speed) {
    constexpr double radius = 0.1;
    const SpatialInertia slight{1e-9, Vec3::Zero(), 1e-9 * Mat3::Identity()};
    const int slider = builder.add_body("slider", slight);
    Joint along;
    along.type = JointType::prismatic;
    along.X_PF.R = along.X_BM.R = contact_frame(Vec3::UnitX());
    builder.add_joint(slider, along);
    const int ball = builder.add_body("ball", {1, Vec3::Zero(), 0.004 * Mat3::Identity()});
    Joint up;
    up.type = JointType::prismatic;
    up.parent = slider;
    builder.add_joint(ball, up);
    builder.add_collider({"ball", ball, Sphere{radius}, Transform(), material});
    q = Vec2(0, radius);
    v = Vec2(speed, 0);
  }
};

struct End {
  double way, speed;
};

/// Way and speed along the slope after `duration`; every step is solved.
End slide(const Method& method, const Slope& slope, bool one_contact, double duration) {
  Simulation simulation = slope.simulation(method);
  while (simulation.state().time < duration - 0.5 * method.step) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << report.time;
    if (report.status != SolveStatus::solved) break;
  }
  const State& state = simulation.state();
  return {one_contact ? state.q[0] : state.q[4], one_contact ? state.v[0] : state.v[3]};
}

double along(double angle) { return g * std::sin(angle); }
double against(double angle) { return g * sliding * std::cos(angle); }

constexpr double degrees = M_PI / 180;

TEST(StaticFriction, HoldsWhatBeginsAtRestBelowItsAngleAndNothingAbove) {
  for (const auto& [name, method] : methods()) {
    for (const bool one_contact : {true, false}) {
      for (const double angle : {16 * degrees, 24 * degrees, 26.5 * degrees}) {
        const End end = slide(method, Slope(angle, 0, one_contact), one_contact, 0.5);
        EXPECT_LT(std::abs(end.speed), 1e-9) << name << " " << angle << " " << one_contact;
        EXPECT_LT(std::abs(end.way), 1e-9) << name << " " << angle << " " << one_contact;
      }
      for (const double angle : {26.6 * degrees, 30 * degrees}) {
        const double a = along(angle) - against(angle);
        const End end = slide(method, Slope(angle, 0, one_contact), one_contact, 0.5);
        // A time stepper may hold for one step more with the friction of rest.
        EXPECT_NEAR(end.speed, 0.5 * a, 2 * method.step * along(angle)) << name << " " << angle << " " << one_contact;
      }
    }
  }
}

TEST(StaticFriction, IsNothingToWhatSlidesUntilItStops) {
  constexpr double speed = 0.05;
  for (const auto& [name, method] : methods()) {
    for (const bool one_contact : {true, false}) {
      // It slides on where sliding friction alone is too weak, though static friction would hold it.
      const double steep = 24 * degrees;
      const End on = slide(method, Slope(steep, speed, one_contact), one_contact, 0.5);
      EXPECT_NEAR(on.speed, speed + 0.5 * (along(steep) - against(steep)), 1e-6) << name << " " << one_contact;
      // It stops after v²/2a, and rests.
      for (const double flat : {0.0, 10 * degrees, 16 * degrees}) {
        const double a = against(flat) - along(flat);
        const End end = slide(method, Slope(flat, speed, one_contact), one_contact, speed / a + 0.1);
        EXPECT_LT(std::abs(end.speed), 1e-9) << name << " " << flat << " " << one_contact;
        EXPECT_NEAR(end.way, 0.5 * speed * speed / a, speed * method.step) << name << " " << flat << " " << one_contact;
      }
    }
  }
}

}  // namespace
}  // namespace carom::static_friction_test
