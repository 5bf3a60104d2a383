// Friction along axes that are fixed to a shape: ribs, treads, skates.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/error.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::friction_axis_test {
namespace {

constexpr double g = 9.81, along = 0.1, across = 0.4, half_height = 0.1;

Method exact_method(StepperKind stepper, double h = 2e-3) {
  Method method;
  method.stepper = stepper;
  method.step = h;
  if (!is_implicit_in_geometry(method)) method.cone = FrictionCone::exact;
  return method;
}

/// A block that slides at a speed on a floor, with axes of friction on either.
struct Sliding {
  Simulation simulation;

  Sliding(const Method& method, const Vec3& velocity, const std::optional<Vec3>& of_block,
          const std::optional<Vec3>& of_floor, bool floor_first = false)
      : simulation(make(method, velocity, of_block, of_floor, floor_first)) {}

  static Simulation make(const Method& method, const Vec3& velocity, const std::optional<Vec3>& of_block,
                         const std::optional<Vec3>& of_floor, bool floor_first) {
    test::SceneMaker scene(0);
    const int material = scene.builder.add_material({"ribs", Vec2(along, across), 0.0});
    Collider floor{"floor", -1, HalfSpace{}, {}, material};
    floor.friction_axis = of_floor;
    if (floor_first) scene.builder.add_collider(floor);
    const Box box{Vec3(0.2, 0.2, half_height)};
    const int body = scene.builder.add_body("block", test::solid(box, 3));
    Collider block{"block", body, box, {}, material};
    block.friction_axis = of_block;
    scene.builder.add_collider(block);
    if (!floor_first) scene.builder.add_collider(floor);
    State state;
    state.q.resize(7);
    state.q << 1, 0, 0, 0, Vec3(0, 0, half_height);
    state.v.resize(6);
    state.v << Vec3::Zero(), velocity;
    return {scene.model(), method, state};
  }
  Vec3 speed() const { return test::velocity(simulation, 0); }
};

class FrictionAxisSteppers : public testing::TestWithParam<StepperKind> {};

/// Two runners across each other would hold both: a force against the greatest dissipation, −m ∘ m ∘ v / |m ∘ v|.
Vec2 friction_of(const Vec2& velocity, double turn) {
  const Eigen::Rotation2Dd R(turn);
  const Vec2 m(along, across), slip = R.inverse() * velocity;
  const Vec2 stretched = m.cwiseProduct(slip);
  return R * Vec2(-m.cwiseProduct(stretched) / stretched.norm());
}

TEST_P(FrictionAxisSteppers, BlockOnRibsAtAnAngleIsTurnedAside) {
  // Ribs at 45°: the force is not against the velocity; to first order in the time the block moves by it.
  const double turn = std::numbers::pi / 4, h = 1e-3;
  Sliding sliding(exact_method(GetParam(), h), {2, 0, 0}, {}, Vec3(1, 1, 0));
  constexpr int steps = 200;
  for (int k = 0; k < steps; ++k) ASSERT_EQ(sliding.simulation.step().status, SolveStatus::solved);
  // Runge and Kutta's method on v̇ = g friction(v).
  Vec2 v(2, 0);
  for (int k = 0; k < steps; ++k) {
    const Vec2 k1 = g * friction_of(v, turn), k2 = g * friction_of(v + 0.5 * h * k1, turn),
               k3 = g * friction_of(v + 0.5 * h * k2, turn), k4 = g * friction_of(v + h * k3, turn);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_GT(v.y(), 0.2);  // it is turned along the ribs, where friction is least
  EXPECT_LT((sliding.speed().head<2>() - v).norm(), 2e-3);
  EXPECT_NEAR(sliding.simulation.state().v.head<3>().norm(), 0, 1e-9) << "no reason to turn";
}

TEST_P(FrictionAxisSteppers, AlongTheRibsAndAcrossThemItIsCoulombsLaw) {
  for (const bool crosswise : {false, true}) {
    const Vec3 direction = crosswise ? Vec3(-1, 1, 0) : Vec3(1, 1, 0);
    Sliding sliding(exact_method(GetParam()), 2 * direction.normalized(), {}, Vec3(1, 1, 0));
    for (int k = 0; k < 100; ++k) sliding.simulation.step();
    EXPECT_NEAR((2 - sliding.speed().norm()) / 0.2, g * (crosswise ? across : along), 1e-6);
    EXPECT_NEAR(sliding.speed().cross(direction).norm(), 0, 1e-6);
  }
}

TEST_P(FrictionAxisSteppers, TurnsWithTheScene) {
  // A ball with friction axes spins about the vertical while it slides. Its centre of mass lies where it touches, so
  // that nothing tips it over. Turned about gravity, the whole scene has the same motion, turned.
  const auto run = [&](double turn) {
    const Quaternion R(Eigen::AngleAxisd(turn, Vec3::UnitZ()));
    test::SceneMaker scene(0);
    const int material = scene.builder.add_material({"tread", Vec2(along, across), 0.0});
    const int body = scene.builder.add_body("ball", SpatialInertia{3, Vec3(0, 0, -0.1), 0.1 * Mat3::Identity()});
    Collider ball{"ball", body, Sphere{0.1}, {}, material};
    ball.friction_axis = Vec3(1, 2, 0);
    scene.builder.add_collider(ball);
    scene.builder.add_collider({"floor", -1, HalfSpace{}, {R.toRotationMatrix(), Vec3::Zero()}, material});
    State state;
    state.q.resize(7);
    state.q << R.w(), R.x(), R.y(), R.z(), Vec3(0, 0, 0.1);
    state.v.resize(6);
    state.v << Vec3(0, 0, 3), Vec3(1.5, 0.4, 0);
    return Simulation(scene.model(), exact_method(GetParam()), state);
  };
  const double turn = 0.83;
  Simulation before = run(0), after = run(turn);
  const Mat3 R = Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
  for (int k = 0; k < 150; ++k) {
    before.step();
    after.step();
    ASSERT_LT((R * test::velocity(before, 0) - test::velocity(after, 0)).norm(), 1e-8) << k;
    ASSERT_LT((R * test::position(before, 0) - test::position(after, 0)).norm(), 1e-8) << k;
  }
  const Vec3 end = test::velocity(before, 0);
  EXPECT_GT(std::abs(std::atan2(end.y(), end.x()) - std::atan2(0.4, 1.5)), 0.02) << "it has been turned aside";
}

TEST_P(FrictionAxisSteppers, OfTwoShapesTheFirstOfTheModelSays) {
  const Vec3 velocity(2, 0, 0), of_block(1, 0, 0), of_floor(0, 1, 0);
  for (const bool floor_first : {false, true}) {
    Sliding sliding(exact_method(GetParam()), velocity, of_block, of_floor, floor_first);
    for (int k = 0; k < 50; ++k) sliding.simulation.step();
    EXPECT_NEAR((2 - sliding.speed().x()) / 0.1, g * (floor_first ? across : along), 1e-6);
  }
}

TEST_P(FrictionAxisSteppers, AnAxisAlongTheNormalSaysNothing) {
  Sliding sliding(exact_method(GetParam()), {2, 0, 0}, {}, Vec3(0, 0, 1));
  for (int k = 0; k < 50; ++k) ASSERT_EQ(sliding.simulation.step().status, SolveStatus::solved);
  EXPECT_NEAR((2 - sliding.speed().x()) / 0.1, g * along, 1e-6) << "the world's x axis";
}

INSTANTIATE_TEST_SUITE_P(Steppers, FrictionAxisSteppers,
                         testing::Values(StepperKind::implicit_geometry, StepperKind::quasi_rigid,
                                         StepperKind::stewart_trinkle, StepperKind::anitescu_potra),
                         [](const auto& tested) {
                           std::string name = stepper_name(tested.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST(FrictionAxis, SkateGoesWhereItPoints) {
  // No friction along its edge, much across it: it spins about the vertical and so goes in a circle. Its centre of mass
  // lies where it touches, so that nothing tips it over.
  constexpr double radius = 0.05, speed = 1, spin = 2;
  test::SceneMaker scene(0);
  const int edge = scene.builder.add_material({"edge", Vec2(0, 5), 0.0});
  const int body = scene.builder.add_body("skate", SpatialInertia{3, Vec3(0, 0, -radius), 1e3 * Mat3::Identity()});
  Collider ball{"ball", body, Sphere{radius}, {}, edge};
  ball.friction_axis = Vec3::UnitX();
  scene.builder.add_collider(ball);
  scene.builder.add_collider({"floor", -1, HalfSpace{}, {}, edge});
  State state;
  state.q.resize(7);
  state.q << 1, 0, 0, 0, Vec3(0, 0, radius);
  state.v.resize(6);
  state.v << Vec3(0, 0, spin), Vec3(speed, 0, 0);
  Simulation simulation(scene.model(), exact_method(StepperKind::implicit_geometry, 1e-3), state);
  for (int k = 0; k < 1000; ++k) ASSERT_EQ(simulation.step().status, SolveStatus::solved);
  const Vec3 v = test::velocity(simulation, 0);
  EXPECT_NEAR(v.norm(), speed, 5e-3);
  EXPECT_NEAR(std::atan2(v.y(), v.x()), spin * 1.0, 0.01);
  EXPECT_NEAR((test::position(simulation, 0).head<2>() - Vec2(std::sin(2.0), 1 - std::cos(2.0)) * speed / spin).norm(),
              0, 0.01);
}

TEST(FrictionAxis, NoDirectionIsRefused) {
  test::SceneMaker scene(0.5);
  Collider floor{"floor", -1, HalfSpace{}, {}, scene.material};
  floor.friction_axis = Vec3::Zero();
  scene.builder.add_collider(floor);
  EXPECT_THROW((void)scene.builder.build(), Error);
}

}  // namespace
}  // namespace carom::friction_axis_test
