// Impacts on linkages and chains beside stiff compliant contacts: the table of docs/notes/lzb.md, printed with
// CAROM_LONG. The tests assert what theory promises: lzb is the limit of stiff layers, however many contacts there are.
// PLUS is that limit where one contact strikes and its slip does not turn; elsewhere its distance is a fact, not a
// fault.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/lzb.h"
#include "carom/impact/plus.h"
#include "carom/impact/test/random_mechanisms.h"

namespace carom::loop_impacts_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using impacts::Impact;
using impacts::World;

/// Rods in the plane y = 0, joined in pairs, and points of them that strike.
struct Linkage {
  World world;
  std::vector<Vector3d> middle;

  /// A rod of 1 kg per metre between two points, which moves as a whole by `velocity`.
  int add_rod(const Vector3d& from, const Vector3d& to, const Vector3d& velocity) {
    const Vector3d along = (to - from).normalized();
    const double length = (to - from).norm();
    impacts::Body rod;
    rod.mass = length;
    rod.inertia = rod.mass * length * length / 12 * (Matrix3d::Identity() - along * along.transpose()) +
                  1e-3 * rod.mass * Matrix3d::Identity();
    rod.linear = velocity;
    world.bodies.push_back(rod);
    middle.emplace_back(0.5 * (from + to));
    return static_cast<int>(middle.size()) - 1;
  }
  /// b: −1 the world.
  void pin(int a, int b, const Vector3d& at) {
    impacts::join(world, a, b, at - middle[a], b < 0 ? Vector3d::Zero() : Vector3d(at - middle[b]));
  }
  void strike(int body, const Vector3d& at, const Vector3d& normal, double friction) {
    impacts::Touch touch;
    touch.a = body;
    touch.r_a = at - middle[body];
    touch.frame.col(2) = normal;
    touch.frame.col(1) = Vector3d::UnitY();
    touch.frame.col(0) = Vector3d::UnitY().cross(normal);
    touch.friction = friction;
    touch.kind = friction > 0 ? BlockKind::cone : BlockKind::unilateral;
    touch.restitution = ConstantRestitution{1};
    world.touches.push_back(touch);
  }
};

const Vector3d up = Vector3d::UnitZ();

/// Two cranks of unlike length hang from the ceiling, both leaning back. They carry a coupler whose ends strike the
/// floor as it swings forth. There is one freedom.
Linkage four_bar(int points, double friction) {
  const Vector3d a(0, 0, 1), b(0.8, 0, 1), c(-0.3, 0, 0), d(0.4, 0, 0);
  Linkage linkage;
  const int left = linkage.add_rod(a, c, Vector3d(1, 0, -1)), right = linkage.add_rod(b, d, Vector3d(1, 0, -1));
  const int coupler = linkage.add_rod(c, d, Vector3d(1, 0, -1));
  linkage.pin(left, -1, a);
  linkage.pin(right, -1, b);
  linkage.pin(coupler, left, c);
  linkage.pin(coupler, right, d);
  linkage.strike(coupler, c, up, friction);
  if (points > 1) linkage.strike(coupler, d, up, friction);
  return linkage;
}

/// A ring of four pinned rods, thrown at the floor with its lower rod flat or, of one point, on a corner.
Linkage ring(int points, double friction) {
  const Vector3d corners[] = {{0, 0, 0}, {1, 0, points > 1 ? 0 : 0.1}, {1.2, 0, 0.9}, {0.1, 0, 1.1}};
  Linkage linkage;
  for (int i = 0; i < 4; ++i) linkage.add_rod(corners[i], corners[(i + 1) % 4], Vector3d(0.6, 0, -2));
  for (int i = 0; i < 4; ++i) linkage.pin(i, (i + 3) % 4, corners[i]);
  linkage.strike(0, corners[0], up, friction);
  if (points > 1) linkage.strike(0, corners[1], up, friction);
  return linkage;
}

/// A chain that hangs along a wall; the joints below all but the first strike it, or the last end alone.
Linkage pendulums(int points, double friction) {
  Linkage linkage;
  const int rods = std::max(points, 3);
  for (int i = 0; i < rods; ++i) {
    linkage.add_rod(Vector3d(0, 0, -0.5 * i), Vector3d(0, 0, -0.5 * (i + 1)), Vector3d(-1 - i, 0, 0));
    linkage.pin(i, i - 1, Vector3d(0, 0, -0.5 * i));
  }
  for (int i = rods - points; i < rods; ++i) {
    linkage.strike(i, Vector3d(0, 0, -0.5 * (i + 1)), Vector3d::UnitX(), friction);
  }
  return linkage;
}

/// Largest difference of the contacts' velocities from those of stiff compliant contacts, relative to the largest speed
/// before the impact.
struct Distance {
  double plus = 0, lzb = 0;
};

double worst(const Impact& impact, const VectorXd& one, const VectorXd& other) {
  return (one - other).cwiseAbs().maxCoeff() / impact.u.cwiseAbs().maxCoeff();
}

Distance distance(const Impact& impact, double transition_speed) {
  CompliantImpact compliant;
  CompliantOptions fine;
  fine.accuracy = 1e-9;
  fine.transition_speed = transition_speed;
  PlusLaw plus;
  LzbLaw lzb;
  LzbOptions accurate;
  accurate.accuracy = 1e-9;
  VectorXd p(impact.u.size()), stiff(impact.u.size()), u(impact.u.size());
  EXPECT_EQ(compliant.solve(impact.problem(), fine, p, stiff).status, ImpactStatus::resolved);
  Distance result;
  EXPECT_EQ(plus.solve(impact.problem(), {}, p, u).status, ImpactStatus::resolved);
  result.plus = worst(impact, u, stiff);
  EXPECT_EQ(lzb.solve(impact.problem(), accurate, p, u).status, ImpactStatus::resolved);
  result.lzb = worst(impact, u, stiff);
  return result;
}

struct Case {
  const char* name;
  Linkage (*make)(int points, double friction);
  int points;
};
constexpr Case cases[] = {{"four-bar linkage", four_bar, 1}, {"four-bar linkage", four_bar, 2},
                          {"ring of four rods", ring, 1},    {"ring of four rods", ring, 2},
                          {"chain at a wall", pendulums, 1}, {"chain at a wall", pendulums, 2},
                          {"chain at a wall", pendulums, 3}};

TEST(LoopImpacts, StiffContactsAreTheLimitOfLzbAndOfPlusAtOneContact) {
  const bool prints = std::getenv("CAROM_LONG") != nullptr;
  for (const Case& each : cases) {
    for (const double friction : {0.0, 0.1, 0.25}) {
      SCOPED_TRACE(std::string(each.name) + ", " + std::to_string(each.points) + ", " + std::to_string(friction));
      const Impact impact = each.make(each.points, friction).world.impact();
      const Distance far = distance(impact, 1e-2), near = distance(impact, 1e-3);
      if (friction == 0) {
        EXPECT_LE(near.lzb, 1e-6);
        if (each.points == 1) {
          EXPECT_LE(near.plus, 1e-6);
        }
      } else {
        // The rest is the creep of the smooth friction, which falls with its transition speed.
        EXPECT_LE(near.lzb, std::max(1e-6, 0.3 * far.lzb));
        EXPECT_LE(near.lzb, 1e-2);
      }
      if (prints) {
        std::printf("| %s | %d | %g | %.1e | %.1e |\n", each.name, each.points, friction, near.plus, near.lzb);
      }
    }
  }
}

}  // namespace
}  // namespace carom::loop_impacts_test
