// Equalities of fixed tendons are those of joints, said another way; armature of free joints adds to the mass matrix
// what MuJoCo adds.

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "carom/import/mjcf.h"
#include "carom/spatial/test/random_spatial.h"

namespace carom::mjcf_ties_test {
namespace {

std::string shown(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

ImportedModel tied(const std::string& tendons, const std::string& equality, double ref) {
  return parse_mjcf(
      R"(<mujoco><compiler angle="radian"/><worldbody><body name="a"><joint name="x" type="slide" ref=")" + shown(ref) +
          R"("/><geom size="0.1"/></body><body name="b"><joint name="y"/><geom size="0.1"/></body></worldbody><tendon>)" +
          tendons + "</tendon><equality>" + equality + "</equality></mujoco>",
      "test.xml");
}

std::string fixed(const std::string& name, double of_x, double of_y) {
  return "<fixed name=\"" + name + "\"><joint joint=\"x\" coef=\"" + shown(of_x) + "\"/><joint joint=\"y\" coef=\"" +
         shown(of_y) + "\"/></fixed>";
}

// c (x − ref) + d y = a₀ holds at any y where the coupler says x is.
TEST(MjcfTies, AnEqualityOfATendonTiesItsTwoJoints) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const double c = random.between(0.5, 2), d = random.between(-2, -0.5), a0 = random.between(-1, 1),
                 ref = random.between(-1, 1);
    const ImportedModel one = tied(fixed("t", c, d), "<tendon tendon1=\"t\" polycoef=\"" + shown(a0) + "\"/>", ref);
    ASSERT_EQ(one.constraints.size(), 1u);
    const Constraint& coupler = one.constraints[0];
    EXPECT_EQ(coupler.kind, ConstraintKind::coupler);
    for (const double at : {-1.0, 0.3}) {
      double q[2];  // by link
      q[coupler.shares[0].body] = at;
      q[coupler.body_a] = coupler.shares[0].ratio * at + coupler.offset;
      EXPECT_NEAR(c * (q[0] - ref) + d * q[1], a0, 1e-13);
    }
    // The same by two tendons of one joint each, and by the joints themselves.
    const ImportedModel two =
        tied(fixed("t", c, 0) + fixed("s", 0, 1),
             "<tendon tendon1=\"t\" tendon2=\"s\" polycoef=\"" + shown(a0) + " " + shown(-d) + "\"/>", ref);
    const ImportedModel joints =
        tied("", "<joint joint1=\"x\" joint2=\"y\" polycoef=\"" + shown(a0 / c) + " " + shown(-d / c) + "\"/>", ref);
    for (const ImportedModel* other : {&two, &joints}) {
      ASSERT_EQ(other->constraints.size(), 1u);
      EXPECT_NEAR(other->constraints[0].shares[0].ratio, coupler.shares[0].ratio, 1e-14);
      EXPECT_NEAR(other->constraints[0].offset, coupler.offset, 1e-14);
    }
  }
}

TEST(MjcfTies, AnEqualityOfATendonOnOneJointHoldsIt) {
  const ImportedModel model = tied(fixed("t", 4, 0), "<tendon tendon1=\"t\" polycoef=\"2\"/>", 0.25);
  ASSERT_EQ(model.constraints.size(), 1u);
  EXPECT_EQ(model.constraints[0].kind, ConstraintKind::motion);
  EXPECT_EQ(model.constraints[0].target.at(0), 0.75);
}

// MuJoCo adds armature to the diagonal of the mass matrix: velocity of the body's origin, and angular velocity.
TEST(MjcfTies, ArmatureOfAFreeJointAddsToTheDiagonalAndWeighsNothing) {
  const auto read = [](const std::string& armature) {
    return parse_mjcf("<mujoco><worldbody><body name=\"a\" pos=\"0 0 1\"><joint type=\"free\"" + armature +
                          "/><geom size=\"0.1\" pos=\"0.2 0.1 0.3\" mass=\"2\"/></body></worldbody></mujoco>",
                      "test.xml");
  };
  const ImportedModel bare = read(""), armed = read(" armature=\"0.7\"");
  const Mat6 added = armed.links.at(0).inertia.matrix() - bare.links.at(0).inertia.matrix();
  EXPECT_LT((added - 0.7 * Mat6::Identity()).norm(), 1e-14);
  ASSERT_EQ(armed.lifts.size(), 1u);
  EXPECT_EQ(wrench_of(armed.lifts[0], Vec3(0, 0, -10)).force, Vec3(0, 0, 7));
  EXPECT_EQ(armed.lifts[0].point, Vec3(Vec3::Zero()));
  EXPECT_EQ(armed.warnings.size(), bare.warnings.size() + 1);
}

}  // namespace
}  // namespace carom::mjcf_ties_test
