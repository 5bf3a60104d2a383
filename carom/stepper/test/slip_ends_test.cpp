// When slip ends, event-driven: closed forms, whatever the spacing of reports.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/stepper/test/mechanisms.h"

namespace carom::slip_ends_test {
namespace {

Method exact_motion(double step) {
  Method method;
  method.stepper = StepperKind::event_driven;
  method.law = LawKind::plastic;
  method.step = step;
  method.tolerance = 1e-12;
  return method;
}

/// A free block of four small feet, with the slip of its middle.
Simulation block_on_feet(double friction, double along, double g, const Vec3& velocity, double step) {
  test::SceneMaker scene(friction, 0.0, {along, 0, -g});
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.2, 0.2, 0.02)}, 1, Vec3(0, 0, 0.02), velocity);
  return scene.simulation(exact_motion(step));
}

std::vector<Event> of_kind(const std::vector<Event>& events, EventKind kind) {
  std::vector<Event> some;
  for (const Event& event : events) {
    if (event.kind == kind) some.push_back(event);
  }
  return some;
}

/// It comes to rest at the time v₀ / (μ g), however slow it is and however little friction brakes it.
TEST(SlipEnds, WhereFrictionStopsABlock) {
  for (const double step : {0.01, 0.0173, 0.1}) {
    for (const double deceleration : {2.0, 1e-2, 1e-4}) {
      const double g = 9.81, friction = deceleration / g, time = 0.7353;
      Simulation simulation = block_on_feet(friction, 0, g, Vec3(deceleration * time, 0, 0), step);
      const auto stops = of_kind(test::run(simulation, 1), EventKind::roll);
      ASSERT_EQ(stops.size(), 4u) << step << " " << deceleration;
      for (const Event& stop : stops) EXPECT_NEAR(stop.time, time, 1e-11) << step << " " << deceleration;
      EXPECT_NEAR(test::position(simulation, 0).x(), 0.5 * deceleration * time * time, 1e-12);
    }
  }
}

/// Up an incline g (sin + μ cos) brakes it, and down g (sin − μ cos) drives it. The turning point is an event.
TEST(SlipEnds, WhereABlockTurnsRoundOnAnIncline) {
  for (const double step : {0.01, 0.013, 0.05}) {
    const double normal = 8, pull = -4, friction = 0.2, up = 4 + friction * normal, down = 4 - friction * normal;
    const double time = 0.31, speed = up * time;
    Simulation simulation = block_on_feet(friction, pull, normal, Vec3(speed, 0, 0), step);
    const double until = 0.65;
    const auto events = test::run(simulation, until);
    EXPECT_EQ(of_kind(events, EventKind::roll).size(), 0u);
    const auto turns = of_kind(events, EventKind::slide);
    ASSERT_EQ(turns.size(), 4u) << step;
    for (const Event& turn : turns) EXPECT_NEAR(turn.time, time, 1e-11) << step;
    const double last = simulation.state().time - time;
    EXPECT_NEAR(test::position(simulation, 0).x(), 0.5 * up * time * time - 0.5 * down * last * last, 1e-9);
  }
}

/// A spring pulls a block through half swings about ±μ g m / k that shorten by twice that. It turns round at each
/// multiple of π √(m/k), and comes to rest once the spring is within that.
TEST(SlipEnds, WhereASpringPullsABlockToAndFro) {
  const double g = 10, friction = 0.1, stiffness = 100, start = 0.085;
  for (const double step : {0.01, 0.0171, 0.06}) {
    test::SceneMaker scene(friction, 0.0, {0, 0, -g});
    scene.add_static(HalfSpace{});
    const int body = scene.builder.add_body("block", {1, Vec3::Zero(), Mat3::Identity() * 0.1});
    const int carrier = scene.builder.add_body("carrier", {1e-9, Vec3::Zero(), Mat3::Identity() * 1e-9});
    Joint slide;
    slide.name = "slide";
    slide.type = JointType::prismatic;
    slide.X_PF.R = slide.X_BM.R = contact_frame(Vec3::UnitX());
    slide.stiffness = VectorX::Constant(1, stiffness);
    scene.builder.add_joint(carrier, slide);
    Joint drop;
    drop.name = "drop";
    drop.type = JointType::prismatic;
    drop.parent = carrier;
    scene.builder.add_joint(body, drop);
    scene.builder.add_collider({"foot", body, Sphere{0.1}, {}, scene.material});
    State state;
    const auto model = scene.model();
    state.q = VectorX::Zero(2);
    state.v = VectorX::Zero(2);
    state.q[model->joints()[0].name == "slide" ? 0 : 1] = start;
    state.q[model->joints()[0].name == "slide" ? 1 : 0] = 0.1;
    Simulation simulation(model, exact_motion(step), state);
    const double half = M_PI * std::sqrt((1 + 1e-9) / stiffness), band = friction * g / stiffness;
    std::vector<double> turns;
    double amplitude = start;
    for (double time = half;; time += half) {
      turns.push_back(time);
      amplitude -= 2 * band;
      if (amplitude <= band) break;
    }
    const auto events = test::run(simulation, turns.back() + 0.2);
    const auto rounds = of_kind(events, EventKind::slide), stops = of_kind(events, EventKind::roll);
    ASSERT_EQ(rounds.size(), turns.size() - 1) << step;
    for (std::size_t i = 0; i < rounds.size(); ++i) EXPECT_NEAR(rounds[i].time, turns[i], 1e-9) << step;
    ASSERT_EQ(stops.size(), 1u) << step;
    EXPECT_NEAR(stops[0].time, turns.back(), 1e-9) << step;
  }
}

}  // namespace
}  // namespace carom::slip_ends_test
