#include <gtest/gtest.h>

#include <algorithm>

#include "carom/import/mjcf.h"

namespace carom::mjcf_tendons_test {
namespace {

/// Two slides x and y, what ties them, a tendon "t" of 0.5 x + 2 y, and an actuator or nothing.
ImportedModel gripper(const std::string& equality, const std::string& tendon, const std::string& actuator) {
  return parse_mjcf(
      "<mujoco><worldbody><body><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\"/></body>"
      "<body><joint name=\"y\" type=\"slide\" axis=\"1 0 0\"/><geom size=\"0.1\"/></body></worldbody><equality>" +
          equality + "</equality><tendon><fixed name=\"t\" " + tendon +
          "><joint joint=\"x\" coef=\"0.5\"/><joint joint=\"y\" coef=\"2\"/></fixed></tendon><actuator>" + actuator +
          "</actuator></mujoco>",
      "gripper.xml");
}

/// y = 0.1 + 3 x, told in either order, so that the tendon's length is 6.5 x + 0.2.
const std::string y_by_x = "<joint joint1=\"y\" joint2=\"x\" polycoef=\"0.1 3 0 0 0\"/>";
const std::string x_by_y =
    "<joint joint1=\"x\" joint2=\"y\" polycoef=\"-0.03333333333333333 0.3333333333333333 0 0 0\"/>";

/// Forces of the drives on the coordinates of links 0 and 1.
Vec2 forces_at(const ImportedModel& model, const Vec2& q, const Vec2& v) {
  Vec2 force = Vec2::Zero();
  for (const Drive& drive : model.drives) {
    Vec2 ratio = Vec2::Zero();
    ratio[drive.body] = drive.ratio;
    for (const CoordinateShare& other : drive.others) ratio[other.body] = other.ratio;
    const double servo = drive.stiffness * (drive.value.at(0) - ratio.dot(q)) - drive.damping * ratio.dot(v);
    const double pull =
        drive.kind == DriveKind::force ? drive.value.at(0) : std::clamp(servo, -drive.limit, drive.limit);
    force += pull * ratio;
  }
  return force;
}

/// The force on x alone.
double force_at(const ImportedModel& model, double x, double rate) {
  const Vec2 force = forces_at(model, {x, 0}, {rate, 0});
  EXPECT_EQ(force.y(), 0);
  return force.x();
}

/// The generalized force on x of the mechanism whose y = 0.1 + 3 x follows it.
double tied_force_at(const ImportedModel& model, double x, double rate) {
  return forces_at(model, {x, 0.1 + 3 * x}, {rate, 3 * rate}).dot(Vec2(1, 3));
}

TEST(MjcfTendons, AnActuatorOnTiedJointsDoesTheWorkOfItsTendon) {
  for (const std::string& tie : {y_by_x, x_by_y}) {
    const ImportedModel model =
        gripper(tie, "",
                "<general tendon=\"t\" gear=\"4\" biastype=\"affine\" gainprm=\"7\" biasprm=\"1 -30 -2\" "
                "forcerange=\"-50 50\"/>");
    for (const double x : {-0.4, -0.1, 0.0, 0.03, 0.5}) {
      for (const double rate : {0.0, 0.3}) {
        // l = 4 (6.5 x + 0.2), and the power of the force over l̇ = 26 ẋ.
        const double l = 4 * (6.5 * x + 0.2), pull = std::clamp(1 - 30 * l - 2 * 26 * rate, -50.0, 50.0);
        EXPECT_NEAR(tied_force_at(model, x, rate), 26 * pull, 1e-10) << x << ' ' << rate;
      }
    }
  }
}

TEST(MjcfTendons, ASpringOnTiedJointsHasTheForceOfItsTendon) {
  const ImportedModel at_layout = gripper(y_by_x, "stiffness=\"20\" damping=\"3\"", "");
  const ImportedModel given = gripper(y_by_x, "stiffness=\"20\" damping=\"3\" springlength=\"0.7\"", "");
  for (const double x : {-0.2, 0.0, 0.4}) {
    // The spring is slack at x = y = 0, their springref, though the equality does not hold there.
    EXPECT_NEAR(tied_force_at(at_layout, x, 0.5), -6.5 * (20 * (6.5 * x + 0.2) + 3 * 6.5 * 0.5), 1e-10);
    EXPECT_NEAR(tied_force_at(given, x, 0.5), -6.5 * (20 * (6.5 * x + 0.2 - 0.7) + 3 * 6.5 * 0.5), 1e-10);
  }
}

/// A slide x with more attributes, and a fixed tendon of 2 x with more of its own.
ImportedModel slide(const std::string& joint, const std::string& tendon, const std::string& actuator) {
  return parse_mjcf(
      "<mujoco><compiler autolimits=\"true\"/><worldbody><body><joint name=\"x\" type=\"slide\" "
      "axis=\"1 0 0\" " +
          joint + "/><geom size=\"0.1\"/></body></worldbody><tendon><fixed name=\"t\" " + tendon +
          "><joint joint=\"x\" coef=\"2\"/></fixed></tendon><actuator>" + actuator + "</actuator></mujoco>",
      "slide.xml");
}

TEST(MjcfTendons, ASpringIsSlackWhereItsJointsAre) {
  const ImportedModel by_joint = slide("springref=\"0.5\"", "stiffness=\"3\"", "");
  const ImportedModel by_length = slide("", "stiffness=\"3\" springlength=\"-0.4\"", "");
  for (const double x : {-0.3, 0.0, 0.7}) {
    EXPECT_NEAR(force_at(by_joint, x, 0), -2 * 3 * (2 * x - 2 * 0.5), 1e-12);
    EXPECT_NEAR(force_at(by_length, x, 0), -2 * 3 * (2 * x + 0.4), 1e-12);
  }
}

TEST(MjcfTendons, ATendonsRangeOfForceHoldsForItsActuators) {
  const std::string pull = "<position tendon=\"t\" kp=\"100\"/>";
  EXPECT_NEAR(force_at(slide("", "actuatorfrcrange=\"-5 5\"", pull), 1, 0), -2 * 5, 1e-12);
  EXPECT_THROW(static_cast<void>(slide("", "actuatorfrcrange=\"-5 5\"", pull + pull)), ImportError);
  EXPECT_THROW(static_cast<void>(slide("", "actuatorfrcrange=\"-5 4\"", pull)), ImportError);
}

TEST(MjcfTendons, OneOfAnActuatorThatActsIsUsed) {
  const auto tells = [](const ImportedModel& model) {
    return std::any_of(model.unused.begin(), model.unused.end(),
                       [](const ImportNote& note) { return note.text.starts_with("<fixed>"); });
  };
  EXPECT_FALSE(tells(slide("", "", "<position tendon=\"t\" kp=\"100\"/>")));
  EXPECT_TRUE(tells(slide("", "", "<motor tendon=\"t\"/>")));
}

TEST(MjcfTendons, OneJointNeedsNoEquality) {
  const ImportedModel model = parse_mjcf(
      "<mujoco><worldbody><body><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/><geom "
      "size=\"0.1\"/></body></worldbody>"
      "<tendon><fixed name=\"t\"><joint joint=\"x\" coef=\"-3\"/></fixed></tendon>"
      "<actuator><position tendon=\"t\" kp=\"10\" kv=\"2\"/></actuator></mujoco>",
      "one.xml");
  EXPECT_NEAR(force_at(model, 0.2, 0.1), -3 * (10 * 0.6 + 2 * 0.3), 1e-12);
}

TEST(MjcfTendons, WithoutAnEqualityTheSumIsDriven) {
  EXPECT_TRUE(gripper("", "", "<motor tendon=\"t\"/>").drives.empty());
  // An equality that is not active ties nothing.
  for (const char* equality : {"", "<joint joint1=\"y\" joint2=\"x\" active=\"false\"/>"}) {
    const ImportedModel model =
        gripper(equality, "stiffness=\"20\" damping=\"3\" springlength=\"0.7\"",
                "<general tendon=\"t\" gear=\"4\" biastype=\"affine\" biasprm=\"1 -30 -2\" forcerange=\"-50 50\"/>");
    for (const Vec2& q : {Vec2(0.1, -0.2), Vec2(-0.5, 0.3)}) {
      const Vec2 v(0.3, 0.4), r(0.5, 2);
      // By virtual work of the length L = r · q: the spring's tension, and 4 times the actuator's force over l = 4 L.
      const double spring = 20 * (0.7 - r.dot(q)) - 3 * r.dot(v);
      const double pull = 4 * std::clamp(1 - 30 * 4 * r.dot(q) - 2 * 4 * r.dot(v), -50.0, 50.0);
      EXPECT_LT((forces_at(model, q, v) - (spring + pull) * r).norm(), 1e-10);
    }
  }
}

TEST(MjcfTendons, ARangeBoundsTheSum) {
  const ImportedModel model = gripper("", "limited=\"true\" range=\"-0.3 2\"", "");
  ASSERT_EQ(model.constraints.size(), 1u);
  const Constraint& limit = model.constraints[0];
  EXPECT_EQ(limit.kind, ConstraintKind::tendon);
  EXPECT_EQ(limit.lower, -0.3);
  EXPECT_EQ(limit.upper, 2);
  ASSERT_EQ(limit.shares.size(), 2u);
  EXPECT_EQ(limit.shares[0].ratio, 0.5);
  EXPECT_EQ(limit.shares[1].ratio, 2);
  EXPECT_THROW(static_cast<void>(gripper("", "limited=\"true\" range=\"2 2\"", "")), ImportError);
}

TEST(MjcfTendons, AnEqualityOfThreeJointsTiesTheirSum) {
  const ImportedModel model = parse_mjcf(
      "<mujoco><worldbody><body><joint name=\"x\" type=\"slide\" axis=\"1 0 0\" ref=\"0.1\"/><joint name=\"y\" "
      "type=\"slide\" axis=\"0 1 0\"/><joint name=\"z\" type=\"slide\" axis=\"0 0 1\" ref=\"-0.2\"/><geom "
      "size=\"0.1\"/></body></worldbody><tendon><fixed name=\"t\"><joint joint=\"x\" coef=\"2\"/><joint joint=\"y\" "
      "coef=\"-3\"/><joint joint=\"z\" coef=\"5\"/></fixed></tendon><equality><tendon tendon1=\"t\" "
      "polycoef=\"0.7\"/></equality></mujoco>",
      "three.xml");
  ASSERT_EQ(model.constraints.size(), 1u);
  const Constraint& tie = model.constraints[0];
  double q[3] = {0, 0.4, -0.6};
  double followed = tie.offset;
  ASSERT_EQ(tie.shares.size(), 2u);
  EXPECT_EQ(tie.coordinate_a, 0);
  for (const CoordinateShare& share : tie.shares) followed += share.ratio * q[share.coordinate];
  q[0] = followed;
  EXPECT_NEAR(2 * (q[0] - 0.1) - 3 * q[1] + 5 * (q[2] + 0.2), 0.7, 1e-13);
}

/// MuJoCo's documentation: no force between both lengths, k (l − longer) beyond, k (l − shorter) below, damping always.
TEST(MjcfTendons, AStraightTendonIsSlackBetweenItsTwoSpringlengths) {
  const auto tension = [](const std::string& lengths, double length, double rate) {
    const ImportedModel model = parse_mjcf(
        "<mujoco><worldbody><site name=\"a\"/><body pos=\"1 0 0\"><freejoint/><geom size=\"0.1\"/><site name=\"b\"/>"
        "</body></worldbody><tendon><spatial name=\"t\" stiffness=\"20\" damping=\"3\" springlength=\"" +
            lengths + "\"><site site=\"a\"/><site site=\"b\"/></spatial></tendon></mujoco>",
        "band.xml");
    double sum = 0;
    for (const Constraint& spring : model.constraints) {
      const double tension = spring.stiffness * (length - spring.length) + spring.damping * rate;
      const bool slack =
          (spring.side == SpringSide::pull && tension < 0) || (spring.side == SpringSide::push && tension > 0);
      sum += slack ? 0 : tension;
    }
    return sum;
  };
  for (const double rate : {0.0, 0.5}) {
    EXPECT_NEAR(tension("0.3 0.7", 0.5, rate), 3 * rate, 1e-12);
    EXPECT_NEAR(tension("0.3 0.7", 0.9, rate), 20 * 0.2 + 3 * rate, 1e-12);
    EXPECT_NEAR(tension("0.3 0.7", 0.2, rate), -20 * 0.1 + 3 * rate, 1e-12);
    EXPECT_NEAR(tension("0 0.7", 0.2, rate), 3 * rate, 1e-12);
    EXPECT_NEAR(tension("0.7", 0.2, rate), -20 * 0.5 + 3 * rate, 1e-12);
    EXPECT_NEAR(tension("-1", 0.9, rate), -20 * 0.1 + 3 * rate, 1e-12);  // 1 m in the layout
  }
  EXPECT_THROW(static_cast<void>(tension("0.7 0.3", 1, 0)), ImportError);
}

TEST(MjcfTendons, ARangeOfControlInheritedFromTheJointMovesTheTarget) {
  // Middle 0.75, half of the width 0.25 × 0.8: the control nearest to zero is 0.55.
  const ImportedModel model = parse_mjcf(
      "<mujoco><compiler autolimits=\"true\"/><worldbody><body><joint name=\"x\" type=\"slide\" axis=\"1 0 0\" "
      "range=\"0.5 1\"/><geom size=\"0.1\"/></body></worldbody>"
      "<actuator><position joint=\"x\" kp=\"10\" inheritrange=\"0.8\"/></actuator></mujoco>",
      "range.xml");
  EXPECT_NEAR(force_at(model, 0.9, 0), 10 * (0.55 - 0.9), 1e-12);
}

}  // namespace
}  // namespace carom::mjcf_tendons_test
