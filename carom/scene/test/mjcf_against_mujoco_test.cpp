// Motion of the bodies of an MJCF file here and in MuJoCo itself: poses, velocities, mass matrices, inverse dynamics,
// passive forces, limits, servos and keyframes.
#ifdef CAROM_WITH_MUJOCO

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/recursions.h"
#include "mujoco_compare.h"
#include "random_mjcf.h"
#include "testing/folders.h"

namespace carom::mjcf_against_mujoco_test {
namespace {

namespace fs = std::filesystem;
using test::Both;
using test::compare;
using test::Disagreement;
using test::random_mjcf;

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

fs::path mujoco_models() { return data_folder() / "models" / "mujoco"; }

void expect_agreement(const std::string& text, Random& random, double inertia_tolerance) {
  Both both(text);
  const Disagreement d = compare(both, random, 3);
  EXPECT_LT(d.pose, 1e-9) << text;
  EXPECT_LT(d.velocity, 1e-9) << text;
  EXPECT_LT(d.passive, 1e-9) << text;
  EXPECT_LT(d.mass, inertia_tolerance) << text;
  EXPECT_LT(d.force, inertia_tolerance) << text;
}

TEST(MjcfAgainstMujoco, RandomTreesWithGivenInertia) {
  Random random(1);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(10), false, false}), random, 1e-9);
  }
}

TEST(MjcfAgainstMujoco, RandomTreesOfSingleShapes) {
  Random random(2);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(8), true, false}), random, 1e-9);
  }
}

/// MuJoCo finds the principal axes of a sum to some seven digits.
TEST(MjcfAgainstMujoco, RandomTreesOfSeveralShapes) {
  Random random(3);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_mjcf(random, {1 + random.index(8), true, true}), random, 1e-6);
  }
}

TEST(MjcfAgainstMujoco, TheHumanoid) {
  const fs::path path = mujoco_models() / "humanoid.xml";
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  Random random(4);
  expect_agreement(read_file(path), random, 1e-6);
  const Both both(read_file(path));
  const mjModel* m = both.theirs.m;
  ASSERT_EQ(both.imported.keyframes.size(), static_cast<std::size_t>(m->nkey));
  for (int key = 0; key < m->nkey; ++key) {
    VectorX q(both.model.position_count());
    for (std::size_t i = 0; i < both.order.size(); ++i) {
      const Joint& joint = both.model.joints()[both.order[i]];
      const ImportedModel::Keyframe& ours = both.imported.keyframes[key];
      const VectorX& as_said = ours.asked[i].size() > 0 ? ours.asked[i] : ours.position[i];
      q.segment(joint.q_index, position_size(joint)) = as_said;
    }
    VectorX theirs = VectorX::Map(m->key_qpos + key * m->nq, m->nq);
    theirs.segment<4>(3).normalize();
    EXPECT_LT((both.positions(q) - theirs).norm(), 1e-12) << both.imported.keyframes[key].name;
  }
}

/// MuJoCo's own ranges, and whether there are any.
TEST(MjcfAgainstMujoco, LimitsAndStart) {
  Random random(5);
  for (int i = 0; i < 30 && !HasFailure(); ++i) {
    const Both both(random_mjcf(random, {1 + random.index(8), false, false}));
    const mjModel* m = both.theirs.m;
    for (std::size_t link = 0; link < both.order.size(); ++link) {
      const Joint& joint = both.model.joints()[both.order[link]];
      if (!has_scalar_coordinates(joint.type)) continue;
      const int first = m->body_jntadr[both.theirs.body(both.imported.links[link].name)];
      for (int k = 0; k < velocity_size(joint); ++k) {
        const bool limited = m->jnt_limited[first + k] != 0;
        EXPECT_EQ(limited, std::isfinite(joint.lower[k]));
        const ImportedModel::Link& ours = both.imported.links[link];
        const VectorX& as_said = ours.asked.size() > 0 ? ours.asked : ours.position;
        EXPECT_NEAR(as_said[k], m->qpos0[m->jnt_qposadr[first + k]], 1e-14);
        if (!limited) continue;
        EXPECT_NEAR(joint.lower[k], m->jnt_range[2 * (first + k)], 1e-12);
        EXPECT_NEAR(joint.upper[k], m->jnt_range[2 * (first + k) + 1], 1e-12);
      }
    }
  }
}

/// A random state of a model without quaternions, at which MuJoCo has evaluated everything.
std::pair<VectorX, VectorX> forward_somewhere(const Both& both, Random& random) {
  const mjModel* m = both.theirs.m;
  mjData* d = both.theirs.d;
  const VectorX q = random.vector(m->nq, 1), v = random.vector(m->nv, 1);
  VectorX::Map(d->qpos, m->nq) = q;
  VectorX::Map(d->qvel, m->nv) = v;
  mj_forward(m, d);
  return {q, v};
}

/// The force on every coordinate from actuators at zero control, where no velocity and where one is.
TEST(MjcfAgainstMujoco, ActuatorsWithoutControl) {
  Both both(R"(<mujoco><compiler autolimits="true"/><worldbody>
    <body name="a"><joint name="x" axis="1 0 0"/><joint name="y" type="slide"/><geom size="0.1"/>
      <body name="b" pos="1 0 0"><joint name="z" axis="0 1 0" ref="10"/><geom size="0.1"/></body></body></worldbody>
    <default><position kp="7"/></default>
    <actuator><position joint="x" gear="2" forcerange="-3 3"/><velocity joint="y" kv="4" gear="0.5"/>
      <motor joint="x" gear="100"/><position joint="y" kp="2" ctrlrange="0.3 0.5"/>
      <general joint="z" gear="-3" gainprm="5" biastype="affine" biasprm="0.7 -2 -0.4"/>
      <general joint="z" gainprm="1" biastype="affine" biasprm="0.9 0 0" forcerange="-0.8 0.8"/></actuator></mujoco>)");
  const mjModel* m = both.theirs.m;
  const mjData* d = both.theirs.d;
  Random random(6);
  ASSERT_EQ(m->nv, 3);
  for (int i = 0; i < 50; ++i) {
    const auto [q, v] = forward_somewhere(both, random);
    VectorX tau = VectorX::Zero(3);
    for (const Drive& drive : both.model.drives()) {
      const int at = both.model.joints()[drive.body].v_index + drive.coordinate;
      const double value = drive.value.at(0);
      tau[at] += drive.kind == DriveKind::force
                     ? value
                     : std::clamp(drive.stiffness * (value - q[at]) - drive.damping * v[at], -drive.limit, drive.limit);
    }
    EXPECT_LT((tau - VectorX::Map(d->qfrc_actuator, 3)).norm(), 1e-12);
  }
}

/// Springs, dampers and actuators on tendons over several joints, ranges of their lengths, and an equality of three.
TEST(MjcfAgainstMujoco, FixedTendonsOverSeveralJoints) {
  Both both(R"(<mujoco><compiler autolimits="true" angle="radian"/><worldbody>
    <body><joint name="x" axis="1 0 0" springref="0.3"/><joint name="y" type="slide"/><geom size="0.1"/>
      <body pos="1 0 0"><joint name="z" axis="0 1 0" ref="0.4"/><geom size="0.1"/>
        <body pos="0 1 0"><joint name="w" axis="0 1 1"/><geom size="0.1"/></body></body></body></worldbody>
    <tendon><fixed name="a" stiffness="20" damping="3"><joint joint="x" coef="0.5"/><joint joint="z" coef="-2"/>
        <joint joint="y" coef="1.5"/></fixed>
      <fixed name="b" stiffness="9" springlength="0.2" range="-0.3 0.7"><joint joint="w" coef="3"/>
        <joint joint="x" coef="1"/></fixed>
      <fixed name="c"><joint joint="y" coef="1"/><joint joint="z" coef="-1"/><joint joint="w" coef="2"/></fixed></tendon>
    <equality><tendon tendon1="c" polycoef="0.1 0 0 0 0"/></equality>
    <actuator><position tendon="a" kp="7" gear="2" forcerange="-3 3"/><velocity tendon="b" kv="4"/>
      <position tendon="c" kp="2" ctrlrange="0.3 0.5"/></actuator></mujoco>)");
  const mjModel* m = both.theirs.m;
  const mjData* d = both.theirs.d;
  Random random(16);
  ASSERT_EQ(m->nv, 4);
  ASSERT_EQ(both.model.constraints().size(), 2u);
  const Constraint& range = both.model.constraints()[1];
  EXPECT_EQ(range.lower, m->tendon_range[2]);
  EXPECT_EQ(range.upper, m->tendon_range[3]);
  DynamicsWorkspace workspace(both.model);
  ConstraintEquations equations;
  for (int i = 0; i < 50; ++i) {
    const auto [q, v] = forward_somewhere(both, random);
    VectorX tau = VectorX::Zero(4);
    for (std::size_t k = 0; k < both.model.drives().size(); ++k) {
      const Drive& drive = both.model.drives()[k];
      const double rate = coordinate_row(both.model.drive_terms(k)).sum(v), value = drive.value.at(0);
      const double servo = drive.stiffness * (value - driven_position(both.model, drive, q)) - drive.damping * rate;
      const double force = drive.kind == DriveKind::force ? value : std::clamp(servo, -drive.limit, drive.limit);
      for (const RowTerm& term : both.model.drive_terms(k)) tau[term.coordinate] += term.coefficient * force;
    }
    EXPECT_LT((tau - VectorX::Map(d->qfrc_actuator, 4) - VectorX::Map(d->qfrc_passive, 4)).norm(), 1e-12);
    EXPECT_NEAR(sum_of_shares(both.model, range.shares, q), d->ten_length[1], 1e-14);
    forward_kinematics(both.model, q, workspace);
    constraint_equations(both.model, q, 0, ConstraintLevel::velocity, workspace, equations);
    EXPECT_NEAR(equations.errors[0], d->efc_pos[0], 1e-13);  // the first joint's coefficient is 1
  }
}

TEST(MjcfAgainstMujoco, WhatTheCompilerDoesToMasses) {
  Random random(7);
  for (const std::string compiler :
       {"settotalmass=\"14\"", "boundmass=\"3\" boundinertia=\"0.5\"", "balanceinertia=\"true\"",
        "inertiafromgeom=\"true\"",
        "inertiafromgeom=\"true\" inertiagrouprange=\"1 2\" boundmass=\"1\" boundinertia=\"1\""}) {
    expect_agreement("<mujoco><compiler " + compiler + R"(/><worldbody><body name="a"><joint/><joint type="slide"/>
      <inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.3 0.4 0.7"/><geom size="0.2" group="2" mass="1.5"/>
      <geom type="box" size="0.1 0.2 0.3" pos="1 0 0"/><body pos="0 1 0"><geom size="0.1"/></body>
      <body name="b" pos="0 0 1"><joint axis="1 0 0"/><inertial pos="1 0 0" mass="2" diaginertia="0.3 0.4 0.2"/></body>
      <body name="c" euler="20 30 40"><joint axis="1 0 0"/><geom type="capsule" size="0.1 0.3" group="1"/></body></body>
      </worldbody></mujoco>)",
                     random, 1e-6);
  }
}

/// Without gravity, as the weight of armature is carried by forces beside inverse dynamics.
TEST(MjcfAgainstMujoco, ArmatureOfFreeJointsAndBalls) {
  Random random(9);
  for (const std::string joint : {R"(type="free" armature="0.7")", R"(type="free" armature="2" damping="0.3")",
                                  R"(type="ball" armature="0.7")", R"(type="ball" armature="0.7" stiffness="2")"}) {
    expect_agreement(
        R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="a" pos="1 2 3" euler="10 20 30"><joint )" + joint +
            R"(/><inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.3 0.4 0.5"/>
      <body name="b" pos="0 0 1"><joint axis="1 0 0" armature="0.2"/>
      <inertial pos="1 0 0" mass="2" diaginertia="0.3 0.4 0.2"/></body></body></worldbody></mujoco>)",
        random, 1e-9);
  }
}

/// MuJoCo sees no violation where a constraint made of an equality holds.
TEST(MjcfAgainstMujoco, EqualitiesHoldTogether) {
  Random random(8);
  for (const std::string equality :
       {"<connect body1=\"a\" body2=\"b\" anchor=\"0.1 0.2 0.3\"/>", "<weld body1=\"a\" body2=\"b\"/>",
        "<weld body1=\"b\" body2=\"a\" relpose=\"0.1 0.2 0.3 1 2 3 4\"/>",
        "<joint joint1=\"x\" joint2=\"y\" polycoef=\"0.1 2 0 0 0\"/>", "<joint joint1=\"x\" polycoef=\"0.1 0 0 0 0\"/>",
        "<tendon tendon1=\"t\" polycoef=\"0.1 0 0 0 0\"/>",
        "<tendon tendon1=\"one\" tendon2=\"two\" polycoef=\"0.1 2 0 0 0\"/>",
        "<tendon tendon1=\"one\" polycoef=\"0.1 0 0 0 0\"/>"}) {
    const Both both(
        R"(<mujoco><option gravity="0 0 0"/><worldbody><body name="a" pos="1 2 3" euler="10 20 30"><freejoint/>
      <geom size="0.1"/></body><body name="b" pos="-1 0 1" euler="40 10 5"><freejoint/><geom size="0.1"/></body>
      <body name="c"><joint name="x" ref="20"/><geom size="0.1"/><body name="d"><joint name="y" type="slide" ref="0.3"/>
      <geom size="0.1"/></body></body></worldbody><tendon><fixed name="t"><joint joint="x" coef="1.5"/>
      <joint joint="y" coef="-2"/></fixed><fixed name="one"><joint joint="x" coef="3"/></fixed>
      <fixed name="two"><joint joint="y" coef="-0.5"/></fixed></tendon><equality>)" +
        equality + "</equality></mujoco>");
    const Constraint& own = both.imported.constraints.at(0);
    Transform X_W[2];
    const bool of_bodies = own.kind == ConstraintKind::ball || own.kind == ConstraintKind::weld;
    const int a = of_bodies ? own.body_a : 0, b = of_bodies ? own.body_b : 1;
    X_W[a] = random.transform(1);
    X_W[b] = X_W[a] * own.X_AF * own.X_BG.inverse();
    VectorX q(16);
    for (int i = 0; i < 2; ++i) {
      const Quaternion turn(X_W[i].R);
      q.segment<7>(7 * i) << X_W[i].p, turn.w(), turn.vec();
    }
    q[15] = random.uniform(-1, 1);
    const bool follows = own.kind == ConstraintKind::coupler;
    q[14] = follows ? own.shares[0].ratio * q[15] + own.offset : own.target.at(0);
    const mjModel* m = both.theirs.m;
    mjData* d = both.theirs.d;
    VectorX::Map(d->qpos, 16) = q;
    mj_forward(m, d);
    ASSERT_GT(d->ne, 0) << equality;
    EXPECT_LT(VectorX::Map(d->efc_pos, d->ne).norm(), 1e-12) << equality;
  }
}

}  // namespace
}  // namespace carom::mjcf_against_mujoco_test

#else

#include <gtest/gtest.h>

TEST(MjcfAgainstMujoco, NeedsMujoco) {
  GTEST_SKIP() << "built without MuJoCo: install libmujoco-dev and configure again";
}

#endif
