// Springs and dampers that MJCF gives by a time constant and a damping ratio become MuJoCo's own numbers.
#ifdef CAROM_WITH_MUJOCO

#include "mujoco_compare.h"

namespace carom::spring_dampers_against_mujoco_test {
namespace {

TEST(SpringDampers, AreThoseOfMujoco) {
  const std::string text = R"(<mujoco><worldbody>
    <body name="base" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0" springdamper="0.2 0.7"/>
      <geom type="box" size="0.1 0.2 0.05" mass="2"/>
      <body name="arm" pos="0.1 0 0.1"><joint name="hinge" axis="0 1 0.3" springdamper="0.05 1.2" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" mass="0.8"/>
        <body name="hand" pos="0.3 0 0"><joint name="wrist" axis="0 1 0" stiffness="3" damping="0.2"/>
          <geom type="sphere" size="0.05" mass="0.3"/>
          <body name="eye" pos="0.1 0 0"><joint type="ball" armature="0.02" springdamper="0.1 0.8" pos="0 0.1 0"/>
            <geom type="box" size="0.03 0.05 0.04" mass="0.2"/></body></body></body></body>
    <body name="raft" pos="0 1 0" euler="10 20 30"><joint type="free" springdamper="0.3 0.9"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0.1 0 0" mass="2"/></body></worldbody></mujoco>)";
  test::Both both(text);
  for (std::size_t i = 0; i < both.imported.links.size(); ++i) {
    const Joint& joint = both.model.joints()[static_cast<std::size_t>(both.order[i])];
    const mjModel* m = both.theirs.m;
    const int id = m->body_jntadr[both.theirs.body(both.imported.links[i].name)];
    const double damping = m->dof_damping[m->jnt_dofadr[id]];
    for (int k = 0; k < velocity_size(joint); ++k) {
      EXPECT_NEAR(joint.stiffness[k], m->jnt_stiffness[id], 1e-9 * m->jnt_stiffness[id]) << joint.name;
      EXPECT_NEAR(joint.damping[k], damping, 1e-9 * damping) << joint.name;
    }
  }
}

/// Straight tendons between two sites, rest lengths given or those of the layout.
TEST(SpringDampers, BetweenSitesPullAsInMujoco) {
  const std::string text = R"(<mujoco><worldbody><site name="nail" pos="0.2 0.1 1.3"/>
    <body name="base" pos="0 0 1"><freejoint/><geom type="box" size="0.1 0.2 0.05" mass="2"/>
      <site name="corner" pos="0.1 0.2 0.05"/><site name="edge" pos="-0.1 0 0.05"/>
      <body name="arm" pos="0.1 0 0.1"><joint name="hinge" axis="0 1 0.3"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.04" mass="0.8"/><site name="tip" pos="0.3 0 0"/></body></body>
    <body name="other" pos="0.4 0 0.8"><joint type="ball"/><geom type="sphere" size="0.05" mass="0.3"/>
      <site name="eye" pos="0 0.05 0.02"/></body></worldbody>
    <tendon><spatial name="a" stiffness="40" damping="3"><site site="nail"/><site site="corner"/></spatial>
      <spatial name="b" stiffness="25" springlength="0.1"><site site="tip"/><site site="eye"/></spatial>
      <spatial name="c" stiffness="90" damping="2" springlength="0.6"><site site="edge"/><site site="tip"/></spatial>
      <spatial name="d" damping="5"><site site="edge"/><site site="eye"/></spatial></tendon></mujoco>)";
  test::Both both(text);
  EXPECT_EQ(both.model.constraints().size(), 4u);
  Random random(5);
  const test::Disagreement worst = test::compare(both, random, 200);
  EXPECT_LT(worst.passive, 1e-9);
  EXPECT_LT(worst.force, 1e-9);
}

}  // namespace
}  // namespace carom::spring_dampers_against_mujoco_test

#endif
