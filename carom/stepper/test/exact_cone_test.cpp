#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "mechanisms.h"

// The exact friction cone in a step: closed forms in every direction, and the symmetries that a polygon breaks.
namespace carom::exact_cone_test {
namespace {

constexpr double g = 9.81;
const Box box{Vec3(0.1, 0.08, 0.05)};

Method with_cone(FrictionCone cone, double step, StepperKind stepper = StepperKind::stewart_trinkle) {
  Method method;
  method.cone = cone;
  method.step = step;
  method.stepper = stepper;
  return method;
}

TEST(ExactCone, ABlockStopsWhereFrictionSaysInEveryDirection) {
  constexpr double mu = 0.3, v = 2, h = 0.01;
  // Each step takes μ g h of the speed; the step that finds less than that takes the rest.
  double expected = 0;
  for (double speed = v - mu * g * h; speed > 0; speed -= mu * g * h) expected += speed * h;
  for (const StepperKind stepper : {StepperKind::stewart_trinkle, StepperKind::anitescu_potra}) {
    for (const double angle : {0.0, 0.1, std::numbers::pi / 8, 1.0, 2.5, 4.0}) {
      const Vec3 along(std::cos(angle), std::sin(angle), 0);
      test::SceneMaker scene(mu);
      scene.add_static(HalfSpace{});
      scene.add(box, 2, Vec3(0, 0, box.half_extents.z()), v * along);
      Simulation exact = scene.simulation(with_cone(FrictionCone::exact, h, stepper));
      for (int i = 0; i < 90; ++i) {
        const StepReport& report = exact.step();
        ASSERT_EQ(report.status, SolveStatus::solved) << i;
        EXPECT_LE(report.contact_certificate.natural_map, 1e-8);
        EXPECT_EQ(report.contact_certificate.polyhedral_error, 0);
      }
      const Vec3 moved = test::position(exact, 0) - Vec3(0, 0, box.half_extents.z());
      EXPECT_NEAR(moved.dot(along), expected, 1e-6) << angle;
      EXPECT_LT((moved - moved.dot(along) * along).norm(), 1e-6) << angle;
      EXPECT_LT(test::velocity(exact, 0).norm(), 1e-6);
    }
  }
}

/// Places of four balls, turned back, that were thrown at one another in a world turned (or mirrored) by `turn`.
std::vector<Vec3> thrown_balls(const Mat3& turn, bool reversed, FrictionCone cone) {
  struct Ball {
    double radius;
    Vec3 position, velocity, spin;
  };
  std::vector<Ball> balls{{0.1, {0, 0, 0.1}, {2, 0.3, 0}, {3, -2, 1}},
                          {0.12, {0.3, 0.05, 0.12}, {0, 0.2, 0}, {0, 0, 4}},
                          {0.08, {0.52, -0.04, 0.1}, {-1, 0.1, -1}, {1, 1, 1}},
                          {0.1, {0.15, 0.03, 0.31}, {0.4, -0.3, -1.5}, {-2, 1, 0}}};
  if (reversed) std::reverse(balls.begin(), balls.end());
  test::SceneMaker scene(0.6);
  scene.add_static(HalfSpace{});
  for (const Ball& ball : balls) {
    const Vec3 spin = turn.determinant() * (turn * ball.spin);  // an axial vector
    scene.add(Sphere{ball.radius}, 1, turn * ball.position, turn * ball.velocity, Quaternion::Identity(), spin);
  }
  Simulation simulation = scene.simulation(with_cone(cone, 0.005));
  for (int i = 0; i < 60; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved) << i;
  EXPECT_LE(simulation.certificate().contact_work_gain, 1e-9);
  std::vector<Vec3> positions;
  positions.reserve(4);
  for (int i = 0; i < 4; ++i) positions.push_back(turn.transpose() * test::position(simulation, reversed ? 3 - i : i));
  return positions;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
  return largest;
}

TEST(ExactCone, KnowsNoDirectionHandOrOrder) {
  const Mat3 turned = exponential(Vec3(0, 0, 0.7)).toRotationMatrix();
  const Mat3 mirrored = Vec3(-1, 1, 1).asDiagonal();
  const std::vector<Vec3> plain = thrown_balls(Mat3::Identity(), false, FrictionCone::exact);
  EXPECT_LT(largest_difference(plain, thrown_balls(turned, false, FrictionCone::exact)), 1e-6);
  EXPECT_LT(largest_difference(plain, thrown_balls(turned * mirrored, false, FrictionCone::exact)), 1e-6);
  EXPECT_LT(largest_difference(plain, thrown_balls(Mat3::Identity(), true, FrictionCone::exact)), 1e-6);
  // A polygon of eight does know the direction: the same comparison sees it.
  const std::vector<Vec3> polygon = thrown_balls(Mat3::Identity(), false, FrictionCone::polyhedral);
  EXPECT_GT(largest_difference(polygon, thrown_balls(turned, false, FrictionCone::polyhedral)), 1e-4);
}

TEST(ExactCone, IsTheLimitOfManyGenerators) {
  test::SceneMaker scene(0.4);
  scene.add_static(HalfSpace{});
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 0.1), Vec3(1, 0.37, 0), Quaternion::Identity(), Vec3(5, -3, 2));
  scene.add(Sphere{0.1}, 2, Vec3(0.203, 0.04, 0.1), Vec3(-1, 0.1, 0), Quaternion::Identity(), Vec3(0, 4, 2));
  const auto end = [&](const Method& method) {
    Simulation simulation = scene.simulation(method);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    return simulation.state().v;
  };
  const VectorX exact = end(with_cone(FrictionCone::exact, 0.005));
  std::vector<double> distance;
  for (const int directions : {8, 64, 512}) {
    Method method = with_cone(FrictionCone::polyhedral, 0.005);
    method.directions = directions;
    distance.push_back((end(method) - exact).norm() / exact.norm());
  }
  // The direction of friction errs by at most π / K.
  EXPECT_LT(distance[1], 2 * std::numbers::pi / 64);
  EXPECT_LT(distance[2], 2 * std::numbers::pi / 512);
  EXPECT_LT(distance[1], 0.5 * distance[0]);
}

TEST(ExactCone, HasNoMixedForm) {
  Method method = with_cone(FrictionCone::exact, 0.01);
  method.dynamics = DynamicsKind::dense;
  EXPECT_TRUE(method_faults(method).empty());
  method.form = ContactForm::mixed;
  ASSERT_EQ(method_faults(method).size(), 1u);
  EXPECT_EQ(method_faults(method)[0].find("form mixed"), 0u);
  method.form = ContactForm::pure;
  method.directions = 0;  // not read
  EXPECT_TRUE(method_faults(method).empty());
}

double median(std::vector<int> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

class WarmStart : public testing::TestWithParam<FrictionCone> {};

TEST_P(WarmStart, HalvesTheIterationsOfASlidingBox) {
  // A push that slowly turns keeps the box sliding for the whole run.
  constexpr double mu = 0.3;
  test::SceneMaker scene(mu, 0, Vec3(0.4 * g, 0.1 * g, -g));
  scene.add_static(HalfSpace{});
  scene.add(box, 2, Vec3(0, 0, box.half_extents.z()), Vec3(0.3, -0.2, 0));
  const Method method = with_cone(GetParam(), 0.002);
  Simulation simulation = scene.simulation(method);
  std::vector<int> warm, cold;
  for (int i = 0; i < 1000; ++i) {
    State forgetful = simulation.state();
    for (ContactMemory& memory : forgetful.contacts) memory.impulse.setZero();
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.status, SolveStatus::solved);
    warm.push_back(report.iterations);
    if (i % 20 != 0) continue;
    Simulation without(scene.model(), method, forgetful);
    const StepReport& again = without.step();
    cold.push_back(again.iterations);
    EXPECT_LT((without.state().v - simulation.state().v).norm(), 1e-7 * simulation.state().v.norm());
  }
  EXPECT_LE(2 * median(warm), median(cold)) << "cold " << median(cold);
}

INSTANTIATE_TEST_SUITE_P(Cones, WarmStart, testing::Values(FrictionCone::polyhedral, FrictionCone::exact),
                         [](const auto& one) { return one.param == FrictionCone::exact ? "exact" : "polyhedral"; });

TEST(WarmStart, IsTurnedWithTheContactFrame) {
  // A ball rolls inside a tilted corner and around another ball, so that normals turn from step to step. A run that is
  // resumed from a stored state is the run itself.
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  scene.add_static(Sphere{0.3}, Transform{Mat3::Identity(), Vec3(0, 0, 0)});
  scene.add(Sphere{0.1}, 1, Vec3(0.02, 0, 0.4), Vec3(0.2, 0.1, 0));
  for (const FrictionCone cone : {FrictionCone::polyhedral, FrictionCone::exact}) {
    Simulation whole = scene.simulation(with_cone(cone, 0.005));
    for (int i = 0; i < 40; ++i) {
      const StepReport& report = whole.step();
      ASSERT_EQ(report.status, SolveStatus::solved);
      for (const ContactMemory& memory : whole.state().contacts) {
        const auto place = std::find_if(report.contacts.begin(), report.contacts.end(),
                                        [&](const ContactReport& c) { return c.id == memory.id; });
        ASSERT_NE(place, report.contacts.end());
        EXPECT_LT((place->R_WC * place->impulse - memory.impulse).norm(), 1e-15);
      }
    }
    Simulation rest(scene.model(), whole.method(), whole.state());
    for (int i = 0; i < 40; ++i) {
      const int iterations = whole.step().iterations;
      EXPECT_EQ(rest.step().iterations, iterations);
      ASSERT_TRUE(identical(whole.state(), rest.state())) << i;
    }
  }
}

}  // namespace
}  // namespace carom::exact_cone_test
