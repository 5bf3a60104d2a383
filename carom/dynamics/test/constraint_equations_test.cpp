#include "carom/dynamics/constraint_equations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/dynamics/recursions.h"

namespace carom::constraint_equations_test {
namespace {

using Engine = std::mt19937_64;

constexpr ConstraintKind bilateral_kinds[] = {
    ConstraintKind::ball,   ConstraintKind::weld,           ConstraintKind::hinge,
    ConstraintKind::rod,    ConstraintKind::point_on_plane, ConstraintKind::coupler,
    ConstraintKind::motion, ConstraintKind::blade,          ConstraintKind::rolling};

double uniform(Engine& random, double low, double high) {
  return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
}

Vec3 vector(Engine& random, double size) {
  const double x = uniform(random, -size, size), y = uniform(random, -size, size);
  return {x, y, uniform(random, -size, size)};
}

Transform frame(Engine& random, double size) {
  const Vec3 turn = vector(random, 2);
  return {exponential(turn).toRotationMatrix(), vector(random, size)};
}

SpatialInertia inertia(Engine& random) {
  const Vec3 center = vector(random, 0.2);
  return {uniform(random, 0.5, 2), center, Vec3(0.02, 0.03, 0.04).asDiagonal()};
}

/// Two trees: a free body with an arm of a revolute and a prismatic joint, and another free body. Constraints act
/// between them, to the world and within the arm.
Model tangle(Engine& random, ConstraintKind kind, bool to_world, bool moving = false) {
  ModelBuilder builder;
  const int trunk = builder.add_body("trunk", inertia(random)), arm = builder.add_body("arm", inertia(random));
  const int hand = builder.add_body("hand", inertia(random)), other = builder.add_body("other", inertia(random));
  Joint elbow;
  elbow.type = JointType::revolute;
  elbow.parent = trunk;
  elbow.X_PF = frame(random, 0.5);
  elbow.X_BM = frame(random, 0.3);
  builder.add_joint(arm, elbow);
  Joint wrist = elbow;
  wrist.type = JointType::prismatic;
  wrist.parent = arm;
  builder.add_joint(hand, wrist);
  Constraint constraint;
  constraint.name = constraint_name(kind);
  constraint.kind = kind;
  constraint.target.polynomial = {0.1, -0.7, 0.4};
  constraint.path.moves = moving;
  for (TimeFunction& position : constraint.path.position) {
    position.sinusoids = {{uniform(random, 0.1, 0.5), uniform(random, 0.2, 2), uniform(random, 0, 6)}};
  }
  constraint.path.axis = vector(random, 1).normalized();
  constraint.path.angle.polynomial = {0.3, uniform(random, -2, 2)};
  constraint.body_a = hand;
  constraint.body_b = to_world ? -1 : other;
  constraint.X_AF = frame(random, 0.4);
  constraint.X_BG = frame(random, 0.4);
  constraint.length = 0.7;
  constraint.radius = 0.3;
  if (kind == ConstraintKind::coupler) constraint.shares = {{arm, 0, -1.7}};
  constraint.offset = 0.2;
  builder.add_constraint(constraint);
  return builder.build();
}

struct Posture {
  VectorX q, v;
};

Posture posture(const Model& model, Engine& random) {
  Posture p{model.neutral_position(), VectorX(model.velocity_count())};
  for (double& rate : p.v) rate = uniform(random, -1, 1);
  const VectorX step = p.v;
  integrate(model, p.q, step, 0.8, p.q);
  for (double& rate : p.v) rate = uniform(random, -1, 1);
  return p;
}

struct Evaluated {
  VectorX errors, rates;  ///< g and J v − ∂g/∂t
};

Evaluated evaluate(const Model& model, const VectorX& q, const VectorX& v, ConstraintLevel level, double time = 0) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  factor_mass(model, VectorX(), workspace);
  ConstraintEquations equations;
  constraint_equations(model, q, time, level, workspace, equations);
  Delassus delassus;
  delassus.build(model, equations.rows, workspace);
  const auto k = static_cast<Eigen::Index>(equations.rows.size());
  Evaluated result{Eigen::Map<VectorX>(equations.errors.data(), k), VectorX(k)};
  delassus.apply(v, result.rates);
  result.rates -= Eigen::Map<VectorX>(equations.rates.data(), k);
  return result;
}

class EachConstraint : public testing::TestWithParam<std::tuple<ConstraintKind, bool>> {};

TEST_P(EachConstraint, RatesAreThoseOfItsErrors) {
  const auto [kind, to_world] = GetParam();
  Engine random(5);
  const bool can_move =
      kind != ConstraintKind::coupler && kind != ConstraintKind::motion && kind != ConstraintKind::blade;
  for (int trial = 0; trial < 50; ++trial) {
    const Model model = tangle(random, kind, to_world, can_move && trial % 2 == 1);
    const Posture p = posture(model, random);
    const double time = uniform(random, 0, 3), h = 1e-6;
    const Evaluated here = evaluate(model, p.q, p.v, ConstraintLevel::position, time);
    VectorX before, after;
    integrate(model, p.q, p.v, -h, before);
    integrate(model, p.q, p.v, h, after);
    const VectorX rate = (evaluate(model, after, p.v, ConstraintLevel::position, time + h).errors -
                          evaluate(model, before, p.v, ConstraintLevel::position, time - h).errors) /
                         (2 * h);
    // The rates of angles are those of the error along itself alone (see the header): judge them there.
    const bool angular = kind == ConstraintKind::weld || kind == ConstraintKind::hinge;
    const Eigen::Index points = angular ? 3 : rate.size();
    EXPECT_LE((rate - here.rates).head(points).norm(), 1e-7 * (1 + here.rates.norm())) << trial;
    if (!angular) continue;
    const auto turn = here.errors.tail(rate.size() - 3);
    EXPECT_NEAR(turn.dot(rate.tail(turn.size())), turn.dot(here.rates.tail(turn.size())), 1e-6) << trial;
  }
}

TEST(ConstraintEquations, ImpulsesBetweenBodiesChangeNoMomentumOfTheWhole) {
  Engine random(6);
  for (int trial = 0; trial < 160; ++trial) {
    const Model model = tangle(random, bilateral_kinds[trial % std::size(bilateral_kinds)], false);
    const Posture p = posture(model, random);
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, p.q, workspace);
    factor_mass(model, VectorX(), workspace);
    ConstraintEquations equations;
    constraint_equations(model, p.q, 0, ConstraintLevel::velocity, workspace, equations);
    Delassus delassus;
    delassus.build(model, equations.rows, workspace);
    VectorX impulse(static_cast<Eigen::Index>(equations.rows.size())), v = VectorX::Zero(model.velocity_count());
    for (double& value : impulse) value = uniform(random, -1, 1);
    delassus.add_response(impulse, v);
    forward_velocity(model, p.q, v, workspace);
    Vec6 momentum = Vec6::Zero();
    double size = 0;
    for (int i = 0; i < model.body_count(); ++i) {
      const Vec6 own = workspace.X_WB[i].force(model.bodies()[i].inertia * workspace.V[i]);
      momentum += own;
      size += own.norm();
    }
    EXPECT_LE(momentum.norm(), 1e-12 * size) << trial;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachConstraint, testing::Combine(testing::ValuesIn(bilateral_kinds), testing::Bool()),
                         [](const auto& info) {
                           const bool to_world = std::get<1>(info.param);
                           return constraint_name(std::get<0>(info.param)) + (to_world ? "_world" : "_body");
                         });

TEST(ConstraintEquations, NonHolonomicRowsHaveNoPositionLevel) {
  Engine random(7);
  const Model blade = tangle(random, ConstraintKind::blade, false),
              disc = tangle(random, ConstraintKind::rolling, true);
  const Posture of_blade = posture(blade, random), of_disc = posture(disc, random);
  EXPECT_EQ(evaluate(blade, of_blade.q, of_blade.v, ConstraintLevel::position).errors.size(), 0);
  EXPECT_EQ(evaluate(blade, of_blade.q, of_blade.v, ConstraintLevel::velocity).errors.size(), 1);
  EXPECT_EQ(evaluate(disc, of_disc.q, of_disc.v, ConstraintLevel::position).errors.size(), 1);
  EXPECT_EQ(evaluate(disc, of_disc.q, of_disc.v, ConstraintLevel::velocity).errors.size(), 3);
}

TEST(ConstraintEquations, AreFiniteWhereTheyHaveNoDirection) {
  ModelBuilder builder;
  const int body = builder.add_body("body", {1, Vec3::Zero(), Mat3::Identity()});
  Constraint rod;
  rod.kind = ConstraintKind::rod;
  rod.body_a = body;
  rod.length = 1;
  builder.add_constraint(rod);
  Constraint disc;
  disc.kind = ConstraintKind::rolling;  // it lies flat: the axle is the normal
  disc.body_a = body;
  disc.radius = 1;
  builder.add_constraint(disc);
  Constraint hinge;
  hinge.kind = ConstraintKind::hinge;  // turned over
  hinge.body_a = body;
  hinge.X_BG.R = Vec3(1, -1, -1).asDiagonal();
  builder.add_constraint(hinge);
  const Model model = builder.build();
  const Evaluated found = evaluate(model, model.neutral_position(), VectorX::Ones(6), ConstraintLevel::velocity);
  EXPECT_TRUE(found.errors.allFinite());
  EXPECT_TRUE(found.rates.allFinite());
  EXPECT_EQ(found.errors[0], -1);
  EXPECT_NEAR(found.errors.tail<2>().norm(), std::acos(-1.0), 1e-12);
}

}  // namespace
}  // namespace carom::constraint_equations_test
