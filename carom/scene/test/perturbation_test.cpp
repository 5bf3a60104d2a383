// An impact is set off by touching contacts, and everything within `proximity` takes part. So gaps smaller than that
// make no difference to how an impact goes. Law plus keeps its rounds, intervals, roles and motions, and the outcome
// moves as much as the start was moved. The scenes of the paper of PLUS, through the impact handler and both steppers
// that use it.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/impact_handler.h"
#include "carom/stepper/simulation.h"
#include "testing/folders.h"

namespace carom::perturbation_test {
namespace {

/// A scene of the paper with another restitution of its material, and law plus as Carom has it by default.
Scene scene_of(const std::string& name, double restitution, StepperKind stepper = StepperKind::event_driven) {
  const std::string path = source_folder() + "/scenes/uchida2015/" + name + ".yaml";
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t at = text.find("    restitution: "), end = text.find('\n', at);
  if (at == std::string::npos) throw std::runtime_error(path + " has no restitution");
  text.replace(at, end - at, "    restitution: " + std::to_string(restitution));
  if (name == "brick_on_vertex") {  // what nothing uses any more is refused
    const std::size_t parameter = text.find("  restitution: \"");
    text.erase(parameter, text.find('\n', parameter) + 1 - parameter);
  }
  SceneOverrides overrides;
  overrides.stepper = stepper;
  overrides.law = LawKind::plus;
  overrides.cone = FrictionCone::exact;
  Scene scene = parse_scene(text, path, overrides);
  scene.method.plus = {};
  return scene;
}

/// Trace of law plus, interval by interval and contact by contact, and the velocity that it left.
struct Told {
  int contacts = 0, rounds = 0, intervals = 0;
  std::vector<int> labels;
  VectorX after;
};

Told tell(const StepReport& report, const ImpactReport& impact, const VectorX& after) {
  Told told{static_cast<int>(impact.contacts), impact.outcome.rounds, impact.outcome.intervals, {}, after};
  for (std::size_t i = 0; i < impact.intervals; ++i) {
    const ImpactInterval& interval = report.intervals[impact.first_interval + i];
    for (std::size_t k = 0; k < interval.contacts; ++k) {
      const IntervalContact& contact = report.interval_contacts[interval.first_contact + k];
      told.labels.push_back(10 * static_cast<int>(contact.role) + static_cast<int>(contact.motion));
    }
  }
  return told;
}

void expect_same_way(const Told& one, const Told& other) {
  EXPECT_EQ(one.contacts, other.contacts);
  EXPECT_EQ(one.rounds, other.rounds);
  EXPECT_EQ(one.intervals, other.intervals);
  EXPECT_EQ(one.labels, other.labels);
}

/// An impact of all that is within proximity, set off by what touches.
Told strike(const Scene& scene, const State& state) {
  const Model& model = *scene.model;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  ContactFinder finder(model);
  const double proximity = scene.method.proximity;
  const std::vector<Contact>& near = finder.find(model, state.q, workspace.X_WB, proximity, proximity);
  std::vector<char> strikes;
  strikes.reserve(near.size());
  for (const Contact& contact : near) {
    strikes.push_back(contact.gap <= 1e-4 * proximity && gap_rate(contact, state.v, workspace) < 0 ? 1 : 0);
  }
  ImpactHandler handler(model, scene.method);
  MassOperator mass(model, scene.method.dynamics);
  StepReport report;
  VectorX v = state.v;
  handler.strike(model, 0, state.q, near, strikes, 0, workspace, mass, v, report);
  return tell(report, report.impacts.at(0), v);
}

/// The first impact of a run, and the velocity `later` after it.
Told run(const Scene& scene, const State& start) {
  Simulation simulation(scene.model, scene.method, start);
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved);
    if (report.impacts.empty()) continue;
    EXPECT_EQ(report.impacts.size(), 1u);
    return tell(report, report.impacts.front(), simulation.state().v);
  }
  ADD_FAILURE() << scene.file << ": nothing strikes";
  return {};
}

using Random = std::mt19937_64;
double uniform(Random& random) { return 2 * std::generate_canonical<double, 53>(random) - 1; }
VectorX direction(Random& random, int size) {
  VectorX result(size);
  for (double& entry : result) entry = uniform(random);
  return result;
}

/// q moved by `change`, as a velocity for 1 s.
State moved(const Scene& scene, const VectorX& change) {
  State state = scene.initial;
  integrate(*scene.model, scene.initial.q, change, 1, state.q);
  return state;
}

double least_gap(const Scene& scene, const State& state) {
  DynamicsWorkspace workspace(*scene.model);
  forward_kinematics(*scene.model, state.q, workspace);
  ContactFinder finder(*scene.model);
  double least = INFINITY;
  for (const Contact& contact : finder.find(*scene.model, state.q, workspace.X_WB, 0.01)) {
    least = std::min(least, contact.gap);
  }
  return least;
}

/// The brick, its lowest corner on the ground and the highest of the four below `size` above it.
State tilted(const Scene& scene, const VectorX& turn, double size) {
  VectorX change = VectorX::Zero(6);
  change.head<2>() = size / (0.6 * std::abs(turn[0]) + 0.8 * std::abs(turn[1])) * turn;  // of 0.8 × 0.6 m
  State state = moved(scene, change);
  state.q[6] -= least_gap(scene, state);
  const Quaternion turned(state.q[0], state.q[1], state.q[2], state.q[3]);
  state.v.tail<3>() = turned.conjugate() * Vec3(scene.initial.v.tail<3>());  // in the world as it was
  return state;
}

/// Distances of outcomes for a start moved by `size`, and by half of it: twice as far.
template <typename Outcome>
void expect_linear(Outcome&& outcome, double size, double round_off) {
  const Told exact = outcome(0.0), far = outcome(size), near = outcome(size / 2);
  expect_same_way(far, exact);
  expect_same_way(near, exact);
  const double moved = (far.after - exact.after).norm(), half = (near.after - exact.after).norm();
  EXPECT_NEAR(moved, 2 * half, 0.05 * moved + round_off);
}

TEST(Perturbation, ABrickWhoseCornersAreNearlyLevelIsStruckOnAll) {
  for (int kind = 0; kind < 6; ++kind) {  // sliding, and straight down, where friction holds the corners
    const double restitution = std::vector<double>{0, 0.4, 1}[kind % 3];
    Scene scene = scene_of("brick_on_face", restitution);
    if (kind >= 3) scene.initial.v[3] = 0;
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
      SCOPED_TRACE("kind " + std::to_string(kind) + ", trial " + std::to_string(trial));
      const VectorX turn = direction(random, 2);
      expect_linear([&](double size) { return strike(scene, tilted(scene, turn, size)); },
                    0.99 * scene.method.proximity, 1e-9);
      EXPECT_EQ(strike(scene, tilted(scene, turn, 0.99 * scene.method.proximity)).contacts, 4);
    }
  }
}

TEST(Perturbation, ABrickThatFallsFlatButForLessThanProximityRisesStraight) {
  for (const StepperKind stepper : {StepperKind::semi_explicit, StepperKind::event_driven}) {
    constexpr double e = 0.5;
    const Scene scene = scene_of("brick_on_face", e, stepper);
    Random random(2);
    for (int trial = 0; trial < 10; ++trial) {
      SCOPED_TRACE(stepper_name(stepper) + ", trial " + std::to_string(trial));
      const VectorX turn = direction(random, 2);
      const auto spin_of = [&](double size) {
        State start = tilted(scene, turn, size);
        start.v = VectorX::Zero(6);
        start.q[6] += 0.2;
        Simulation simulation(scene.model, scene.method, start);
        while (simulation.certificate().impacts == 0) simulation.step();
        const double speed = std::sqrt(2 * 9.81 * 0.2);
        if (size <= scene.method.proximity) {
          EXPECT_NEAR(simulation.state().v[5], e * speed, 9.81 * scene.method.step + 1e-6);
        }
        return simulation.state().v.head<3>().norm();
      };
      // Corners that far from level turn it by as little; ten times further, the impact is that of one corner or two.
      EXPECT_LE(spin_of(0.99 * scene.method.proximity), 100 * scene.method.proximity);
      EXPECT_GE(spin_of(10 * scene.method.proximity), 0.1);
    }
  }
}

TEST(Perturbation, ARowOfBallsThatNearlyTouchIsOneRow) {
  const Scene scene = scene_of("row_of_balls", 1);
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    SCOPED_TRACE("trial " + std::to_string(trial));
    const VectorX across = direction(random, 30);
    std::vector<double> gaps(4);
    for (double& gap : gaps) gap = 0.5 * (1 + uniform(random));
    expect_linear(
        [&](double size) {
          // Gaps along the row, but for the first, and offsets across it; without turns, which balls do not notice.
          VectorX change = VectorX::Zero(30);
          double along = 0;
          for (int i = 0; i < 5; ++i) {
            if (i >= 2) along -= 0.9 * size * gaps[i - 1];
            change[6 * i + 3] = along;
            change.segment<2>(6 * i + 4) = 0.1 * size * across.segment<2>(6 * i + 4);
          }
          State state = moved(scene, change);
          // The striking ball touches: it moves onto the second, whatever their offset.
          state.q[4] -= (state.q.segment<3>(4) - state.q.segment<3>(11)).norm() - 0.5;
          Told told = strike(scene, state);
          EXPECT_EQ(told.contacts, 4);
          EXPECT_NEAR(told.after[27], -2, 1e-4);  // the last ball has it all
          return told;
        },
        scene.method.proximity, 1e-9);
  }
}

/// The same impacts, met on the way: the balls apart by gaps below proximity, and round-off in every velocity.
TEST(Perturbation, RoundOffInVelocitiesChangesNothingElse) {
  for (const StepperKind stepper : {StepperKind::semi_explicit, StepperKind::event_driven}) {
    for (const char* name : {"brick_on_face", "brick_on_vertex", "row_of_balls"}) {
      const Scene scene = scene_of(name, 0.5, stepper);
      const Told exact = run(scene, scene.initial);
      Random random(4);
      for (int trial = 0; trial < 10; ++trial) {
        SCOPED_TRACE(stepper_name(stepper) + " " + name + ", trial " + std::to_string(trial));
        State start = scene.initial;
        start.v += 1e-13 * direction(random, static_cast<int>(start.v.size()));
        const Told told = run(scene, start);
        expect_same_way(told, exact);
        EXPECT_LE((told.after - exact.after).norm(), 1e-9);
      }
    }
  }
}

TEST(Perturbation, TheTriplePendulumStrikesAsFarAsideAsItStarts) {
  for (const StepperKind stepper : {StepperKind::semi_explicit, StepperKind::event_driven}) {
    const Scene scene = scene_of("triple_pendulum", 0.5, stepper);
    Random random(5);
    for (int trial = 0; trial < 5; ++trial) {
      SCOPED_TRACE(stepper_name(stepper) + ", trial " + std::to_string(trial));
      const VectorX way = direction(random, 3), faster = direction(random, 3);
      expect_linear(
          [&](double size) {
            State start = moved(scene, size * way);
            start.v += size * faster;
            return run(scene, start);
          },
          1e-6, 1e-9);
    }
  }
}

}  // namespace
}  // namespace carom::perturbation_test
