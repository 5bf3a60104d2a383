#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "carom/stepper/test/mechanisms.h"

// Lattices of touching spheres: columns that bear their weight, and as many contacts between them that bear none, so
// that the contacts' state is undecided everywhere.
namespace carom::lattice_test {
namespace {

constexpr double radius = 0.05;

test::SceneMaker lattice(int across, int along, int up) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  const double mass = 4.0 / 3 * M_PI * std::pow(radius, 3) * 1000;
  for (int i = 0; i < across; ++i) {
    for (int j = 0; j < along; ++j) {
      for (int k = 0; k < up; ++k) {
        scene.add(Sphere{radius}, mass, {2 * radius * i, 2 * radius * j, radius + 2 * radius * k});
      }
    }
  }
  return scene;
}

TEST(Lattices, StandAndBearTheirWeightInFewIterations) {
  struct Size {
    int across, along, up;
  };
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    for (const Size& size : {Size{5, 5, 5}, Size{7, 7, 7}, Size{9, 4, 3}}) {
      Method method;
      method.cone = cone;
      method.step = 0.005;
      Simulation simulation = lattice(size.across, size.along, size.up).simulation(method);
      const VectorX start = simulation.state().q;
      const int count = size.across * size.along * size.up;
      const double weight = count * simulation.model().bodies()[0].inertia.mass * 9.81 * method.step;
      for (int step = 0; step < 20; ++step) {
        const StepReport& report = simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved) << cone_name(cone) << " " << count << " " << step;
        EXPECT_TRUE(borne_out(report)) << cone_name(cone) << " " << count << " " << step;
        EXPECT_LE(report.iterations, 60) << cone_name(cone) << " " << count << " " << step;
        double load = 0;
        for (const ContactReport& contact : report.contacts) {
          if (contact.body_a < 0 || contact.body_b < 0) load += contact.impulse[2];
        }
        EXPECT_NEAR(load, weight, 1e-7 * weight);
      }
      EXPECT_LE((simulation.state().q - start).cwiseAbs().maxCoeff(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace carom::lattice_test
