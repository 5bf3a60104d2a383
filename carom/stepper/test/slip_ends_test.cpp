// When slip ends, event-driven: closed forms, whatever the spacing of reports.

#include <gtest/gtest.h>

#include <algorithm>
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

/// A block that a force A sin ω t shakes along the floor. It begins to slide where the force passes μ m g. From then on
/// its speed over each way is a sum of a cosine and a line, whose zeros are where it turns round.
TEST(SlipEnds, WhereAShakenBlockTurnsRoundAllItsContactsDo) {
  const double mass = 2, g = 9.81, friction = 0.2, amplitude = 40, omega = 6 * M_PI, until = 1.5;
  const double begin = std::asin(friction * mass * g / amplitude) / omega;
  std::vector<double> turns{begin};
  for (double way = 1, start = begin;; way = -way) {
    const auto speed = [&](double t) {
      return amplitude / (mass * omega) * (std::cos(omega * start) - std::cos(omega * t)) -
             way * friction * g * (t - start);
    };
    double before = start + 1e-3;
    while (before < until && way * speed(before + 1e-3) > 0) before += 1e-3;
    if (before >= until) break;
    double after = before + 1e-3;
    for (int i = 0; i < 60; ++i) (way * speed(0.5 * (before + after)) > 0 ? before : after) = 0.5 * (before + after);
    ASSERT_GT(std::abs(amplitude * std::sin(omega * after)), friction * mass * g);  // it does not stay there
    turns.push_back(start = after);
  }
  ASSERT_EQ(turns.size(), 9u);
  for (const double step : {2e-4, 7.5e-4, 2e-3, 0.015, 0.05, 0.3}) {
    test::SceneMaker scene(friction, 0.0, {0, 0, -g});
    scene.add_static(HalfSpace{});
    AppliedWrench shake;
    shake.name = "shake";
    shake.body = scene.add(Box{Vec3(0.2, 0.2, 0.01)}, mass, Vec3(0, 0, 0.01));
    shake.point = Vec3(0, 0, -0.01);
    shake.force = Vec3(amplitude, 0, 0);
    shake.scale = {{}, {{1, omega / (2 * M_PI), 0}}, {}, {}};
    scene.builder.add_wrench(shake);
    Simulation simulation = scene.simulation(exact_motion(step));
    const auto slides = of_kind(test::run(simulation, until), EventKind::slide);
    for (const double turn : turns) {
      EXPECT_EQ(std::count_if(slides.begin(), slides.end(),
                              [&](const Event& event) { return std::abs(event.time - turn) < 1e-8; }),
                4)
          << step << " " << turn;
    }
    // A contact may hover for an instant as the block begins to slide.
    for (const Event& event : slides) {
      EXPECT_TRUE(
          std::any_of(turns.begin(), turns.end(), [&](double turn) { return std::abs(event.time - turn) < 1e-6; }))
          << step << " " << event.time;
    }
  }
}

}  // namespace
}  // namespace carom::slip_ends_test
