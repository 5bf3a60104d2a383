// A fast body does not pass through a thin one. Bodies thrown at a plate of 5 cm, at 30 to 1000 m/s, stay on their
// side. Otherwise the step says that it is not solved.

#include <gtest/gtest.h>

#include <random>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::fast_motion_test {
namespace {

std::vector<StepperKind> all_but_compliant() {
  std::vector<StepperKind> kinds = all_steppers();
  std::erase(kinds, StepperKind::compliant);  // its forces are not there to hold a bullet
  return kinds;
}

class FastMotion : public testing::TestWithParam<StepperKind> {};

TEST_P(FastMotion, DoesNotPassThroughAPlateUnseen) {
  std::mt19937_64 random(11);
  const auto draw = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); };
  const std::vector<Shape> shapes = {Sphere{0.05}, Box{Vec3(0.05, 0.03, 0.08)}, Capsule{0.03, 0.06},
                                     Cylinder{0.04, 0.05}};
  int through = 0, solved = 0;
  constexpr int throws = 40;
  for (int i = 0; i < throws; ++i) {
    test::SceneMaker scene(0.3);
    Transform plate;
    plate.p = Vec3(0, 0, -0.025);
    scene.add_static(Box{Vec3(2, 2, 0.025)}, plate);
    const Vec3 down = Vec3(draw(-0.7, 0.7), draw(-0.7, 0.7), -1).normalized();
    const double speed = std::exp(draw(std::log(30.0), std::log(1000.0)));
    const Quaternion turned = Quaternion(draw(-1, 1), draw(-1, 1), draw(-1, 1), draw(-1, 1)).normalized();
    const Vec3 spin(draw(-300, 300), draw(-300, 300), draw(-300, 300));
    const Vec3 start = Vec3(draw(-0.5, 0.5), draw(-0.5, 0.5), 0.15) - 0.3 * down;
    scene.add(shapes[static_cast<std::size_t>(i) % shapes.size()], 1, start, speed * down, turned, spin);
    Method method = test::with_step(1e-3, GetParam());
    if (has_impacts(method)) method.law = LawKind::plastic;
    Simulation simulation = scene.simulation(method);
    bool all_solved = true;
    for (int step = 0; step < 20; ++step) {
      all_solved = simulation.step().status == SolveStatus::solved && all_solved;
      const Vec3 center = test::position(simulation, 0);
      if (std::abs(center.x()) > 1.8 || std::abs(center.y()) > 1.8) break;  // over the edge
      if (center.z() > -0.05) continue;
      if (all_solved) {
        ++through;
        ADD_FAILURE() << "throw " << i << " at " << speed << " m/s passed through";
      }
      break;
    }
    solved += all_solved ? 1 : 0;
  }
  EXPECT_EQ(through, 0);
  EXPECT_GE(solved, throws * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(AllSteppers, FastMotion, testing::ValuesIn(all_but_compliant()),
                         [](const auto& kind) { return test::label(kind.param); });

}  // namespace
}  // namespace carom::fast_motion_test
