// Many contacts on few bodies: walls that stand still, and heaps that come to rest.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "carom/stepper/mass_operator.h"
#include "carom/stepper/test/mechanisms.h"
#include "testing/models/random_tree.h"

namespace carom::walls_test {
namespace {

using test::SceneMaker;

/// Bricks of 0.2 × 0.1 × 0.1 m and 2 kg, 2 mm apart. Each row is half a brick further than the one below it, with half
/// bricks at the ends.
SceneMaker wall(int rows, int bricks, double friction, double restitution = 0) {
  SceneMaker scene(friction, restitution);
  scene.add_static(HalfSpace{});
  const auto lay = [&](double x, int row, double length) {
    scene.add(Box{{length / 2 - 0.001, 0.05, 0.05}}, 2 * length / 0.2, {x, 0, 0.1 * row + 0.05});
  };
  for (int row = 0; row < rows; ++row) {
    const bool shifted = row % 2 == 1;
    if (shifted) lay(-0.05, row, 0.1);
    for (int i = 0; i < bricks - (shifted ? 1 : 0); ++i) lay(0.2 * i + (shifted ? 0.1 : 0), row, 0.2);
    if (shifted) lay(0.2 * bricks - 0.15, row, 0.1);
  }
  return scene;
}

Method with_cone(FrictionCone cone) {
  Method method;
  method.cone = cone;
  method.step = 0.005;
  return method;
}

TEST(Walls, StandStill) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    Simulation simulation = wall(6, 5, 0.5).simulation(with_cone(cone));
    const VectorX start = simulation.state().q;
    int iterations = 0;
    for (int step = 0; step < 200; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved) << step;
      EXPECT_LE(report.contact_certificate.normal_complementarity, 1e-8);
      EXPECT_LE(report.contact_certificate.dissipation_residual, 1e-8);
      EXPECT_LE(report.penetration, 1e-10);
      iterations += report.iterations;
    }
    // Joints of mortar would creep no less: 1 s moves nothing by a tenth of a nanometre.
    EXPECT_LE((simulation.state().q - start).cwiseAbs().maxCoeff(), 1e-10);
    // A wall at rest hardly needs a solver: in most steps the old impulses do.
    EXPECT_LE(iterations, 4 * 200);
  }
}

TEST(Walls, StandStillWhateverTheRestitution) {
  // An approach as slow as a solver's tolerance is no impact: nothing bounces, and no step is hard.
  for (const LawKind law : {LawKind::newton, LawKind::poisson}) {
    for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
      Method method = with_cone(cone);
      method.law = law;
      Simulation simulation = wall(5, 2, 0.5, 0.8).simulation(method);
      const VectorX start = simulation.state().q;
      int iterations = 0;
      for (int step = 0; step < 60; ++step) {
        const StepReport& report = simulation.step();
        ASSERT_EQ(report.status, SolveStatus::solved) << step;
        EXPECT_LE(report.contact_certificate.normal_complementarity, 1e-8);
        iterations += report.iterations;
      }
      EXPECT_LE((simulation.state().q - start).cwiseAbs().maxCoeff(), 1e-10);
      EXPECT_LE(iterations, 4 * 60);
    }
  }
}

TEST(Walls, CarryTheirWeightToTheGround) {
  Simulation simulation = wall(7, 4, 0.6).simulation(with_cone(FrictionCone::exact));
  const double weight = 9.81 * 2 * 7 * 4 * 0.005;
  for (int step = 0; step < 20; ++step) {
    const StepReport& report = simulation.step();
    double floor = 0;
    for (const ContactReport& contact : report.contacts) {
      if (contact.body_b < 0) floor += contact.impulse[2];
    }
    EXPECT_NEAR(floor, weight, 1e-7 * weight);
  }
}

/// Boxes and balls above one another in a box without a lid.
SceneMaker heap(int count, Random& random) {
  SceneMaker scene(0.5);
  for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)}) {
    const Vec3 point = normal.z() > 0 ? Vec3::Zero() : Vec3(-0.25 * normal);
    scene.add_static(HalfSpace{}, {contact_frame(normal), point});
  }
  for (int i = 0; i < count; ++i) {
    const int layer = i / 4;
    const Vec3 place(i % 2 == 0 ? -0.11 : 0.11, i / 2 % 2 == 0 ? -0.11 : 0.11, 0.15 + 0.18 * layer);
    const Quaternion turn(random.rotation());
    const double size = random.uniform(0.04, 0.07);
    const Shape shape = i % 2 == 0 ? Shape(Sphere{size}) : Shape(Box{{size, 0.8 * size, 0.6 * size}});
    scene.add(shape, random.uniform(0.5, 2), place + random.vector(0.01), Vec3::Zero(), turn);
  }
  return scene;
}

/// Few steps of many heaps are left unsolved. Long: eight heaps by both cones to their rest.
TEST(Heaps, AreSolvedButForAStepInAHundred) {
  const bool all = std::getenv("CAROM_LONG") != nullptr;
  int unsolved = 0, steps = 0;
  for (unsigned seed = 1; seed <= (all ? 8u : 1u); ++seed) {
    for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
      Random random(seed);
      Simulation simulation = heap(40, random).simulation(with_cone(cone));
      for (int i = 0; i < (all ? 300 : 110); ++i, ++steps) unsolved += simulation.step().status != SolveStatus::solved;
    }
  }
  EXPECT_LE(unsolved, steps / 100);
  if (all) std::printf("%d of %d steps unsolved\n", unsolved, steps);
}

/// With the looser tolerance: a step reports the tolerance it had, and its certificate is within ten times of that.
/// Another simulation from the state in the middle of a fall goes on with the same bits, since nothing else is
/// remembered.
TEST(Heaps, ToldATolerancePassItOnAndGoOnBitForBit) {
  Method method = with_cone(FrictionCone::exact);
  method.contact_tolerance = 1e-6;
  Random random(3);
  const SceneMaker scene = heap(28, random);
  Simulation simulation = scene.simulation(method);
  int loose = 0, unsolved = 0;
  for (int step = 0; step < 100; ++step) {
    const StepReport& report = simulation.step();
    loose += report.tolerance == method.contact_tolerance;
    unsolved += report.status != SolveStatus::solved;
    EXPECT_TRUE(report.tolerance == 1e-9 || report.tolerance == method.contact_tolerance) << step;
    if (report.status == SolveStatus::solved) {
      EXPECT_LE(report.contact_certificate.natural_map, 10 * report.tolerance);
    }
  }
  EXPECT_GT(loose, 10);
  EXPECT_LE(unsolved, 1);
  EXPECT_EQ(simulation.certificate().tolerance, method.contact_tolerance);
  Simulation again(scene.model(), method, simulation.state());
  for (int step = 0; step < 30; ++step) {
    simulation.step();
    again.step();
    ASSERT_EQ(simulation.state().q, again.state().q) << step;
    ASSERT_EQ(simulation.state().v, again.state().v) << step;
  }
}

/// A wall stays as firmly at rest with the looser tolerance.
TEST(Walls, StandStillWithALooserTolerance) {
  Method method = with_cone(FrictionCone::exact);
  method.contact_tolerance = 1e-6;
  Simulation simulation = wall(6, 5, 0.5).simulation(method);
  const VectorX start = simulation.state().q;
  for (int step = 0; step < 200; ++step) ASSERT_EQ(simulation.step().status, SolveStatus::solved) << step;
  EXPECT_LE((simulation.state().q - start).cwiseAbs().maxCoeff(), 1e-10);
}

/// In a heap at rest no contact that bears load goes, comes or jumps. Faces and edges touch in several directions at
/// once, and round-off decides which is the exact one.
TEST(Heaps, AtRestKeepTheirContacts) {
  int kept = 0;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    Simulation simulation = heap(16, random).simulation(with_cone(FrictionCone::exact));
    std::map<ContactId, Vec3> before;
    State last;
    for (int step = 0; step < 360; ++step) {
      const State start = simulation.state();
      const StepReport& report = simulation.step();
      // Contacts are reported half a step after the step's start: for both steps that is the same place.
      const auto stands = [&](int body) {
        return body < 0 || (start.v.segment<6>(6 * body).norm() < 1e-8 && last.v.segment<6>(6 * body).norm() < 1e-8 &&
                            (start.q - last.q).segment<7>(7 * body).norm() < 1e-9);
      };
      std::map<ContactId, Vec3> now;
      for (const ContactReport& contact : report.contacts) {
        now[contact.id] = contact.position;
        if (step < 320 || contact.impulse.z() < 1e-4) continue;
        if (!stands(contact.body_a) || !stands(contact.body_b)) continue;
        const auto found = before.find(contact.id);
        ASSERT_TRUE(found != before.end()) << "seed " << seed << " step " << step << " feature " << contact.id.feature;
        EXPECT_LT((found->second - contact.position).norm(), 1e-8) << "seed " << seed << " step " << step;
        ++kept;
      }
      before = std::move(now);
      last = start;
    }
  }
  EXPECT_GT(kept, 1000);
}

TEST(Heaps, FallWithoutGainingEnergyAndComeToRest) {
  for (const FrictionCone cone : {FrictionCone::exact, FrictionCone::polyhedral}) {
    const bool to_rest = cone == FrictionCone::exact;  // once is enough
    Random random(12);
    Simulation simulation = heap(28, random).simulation(with_cone(cone));
    int unsolved = 0, largest = 0;
    double kinetic = 0;
    for (int step = 0; step < (to_rest ? 300 : 130); ++step) {
      const StepReport& report = simulation.step();
      unsolved += report.status != SolveStatus::solved;
      largest = std::max(largest, report.contacts_considered);
      EXPECT_LE(report.energy.contact_work, 1e-9) << step;
      // In a step of first order a body that turns by ω h may overlap by (ω h)² r / 2. It never lies in another.
      EXPECT_LE(report.penetration, 0.01) << step;
      kinetic = report.energy.kinetic;
    }
    EXPECT_GE(largest, 50);  // so that the problems were left in factors
    EXPECT_LE(unsolved, 2);  // one in some hundred is, another by each compiler: the way of a heap is chaotic
    EXPECT_LE(kinetic, to_rest ? 0.05 : 20);
  }
}

TEST(MassOperator, FactorsAreTheMatrix) {
  Random random(77);
  for (int trial = 0; trial < 80; ++trial) {
    TreeOptions options;
    options.bodies = 12;
    options.new_root = 0.4;
    const Model model = random_tree(random, options);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, random_position(model, random), workspace);
    const DynamicsKind kind = trial % 2 == 0 ? DynamicsKind::articulated : DynamicsKind::divide_and_conquer;
    MassOperator mass(model, kind), factored(model, kind);
    const VectorX extra = VectorX::Zero(model.velocity_count());
    mass.factor(model, extra, workspace);
    std::vector<ConstraintRow> rows(20);
    for (ConstraintRow& row : rows) {
      row.body_a = random.index(12);
      row.body_b = random.index(13) - 1;
      row.point_a = random.vector(1);
      row.point_b = random.vector(1);
      row.direction = random.rotation().col(0);
      if (random.uniform(0, 1) < 0.3) row.compliance = random.uniform(0, 2);
    }
    mass.build(model, rows, workspace);
    factored.factor(model, extra, workspace);
    factored.build_factors(model, rows, 5, workspace);
    const MatrixX A = mass.delassus();
    MatrixX B(20, 20);
    factored.contact_operator().copy_to(B);
    const double scale = A.cwiseAbs().maxCoeff();
    EXPECT_LE((A - B).cwiseAbs().maxCoeff(), 1e-11 * scale) << trial;
    EXPECT_LE((factored.delassus() - A.topLeftCorner(5, 5)).cwiseAbs().maxCoeff(), 1e-12 * scale);
    for (int i = 0; i < 20; ++i) EXPECT_NEAR(factored.diagonal(i), A(i, i), 1e-11 * scale);
  }
}

}  // namespace
}  // namespace carom::walls_test
