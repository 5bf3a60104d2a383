// <attach> gives the same as the file written out by hand, bit for bit, with its own defaults and settings.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "carom/import/mjcf.h"

namespace carom::attach_test {
namespace {

namespace fs = std::filesystem;

class Attach : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / ("carom_attach_" + std::string(test->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_ / "sub/meshes");
    std::ofstream(folder_ / "sub/meshes/tip.obj")
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  }
  void TearDown() override { fs::remove_all(folder_); }
  ImportedModel read(const std::string& name, const std::string& text) const {
    write(name, text);
    return read_mjcf((folder_ / name).string());
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  fs::path folder_;
};

void expect_same(const Transform& a, const Transform& b) {
  EXPECT_EQ(a.R, b.R);
  EXPECT_EQ(a.p, b.p);
}

void expect_same(const ImportedModel& made, const ImportedModel& written) {
  ASSERT_EQ(made.links.size(), written.links.size());
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    const ImportedModel::Link &a = made.links[i], &b = written.links[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.inertia.mass, b.inertia.mass);
    EXPECT_EQ(a.inertia.central, b.inertia.central);
    ASSERT_EQ(a.joint.has_value(), b.joint.has_value());
    if (!a.joint) continue;
    EXPECT_EQ(a.joint->name, b.joint->name);
    EXPECT_EQ(a.joint->parent, b.joint->parent);
    expect_same(a.joint->X_PF, b.joint->X_PF);
    expect_same(a.joint->X_BM, b.joint->X_BM);
    EXPECT_EQ(a.joint->damping, b.joint->damping);
    EXPECT_EQ(a.joint->lower, b.joint->lower);
    EXPECT_EQ(a.joint->upper, b.joint->upper);
  }
  ASSERT_EQ(made.colliders.size(), written.colliders.size());
  for (std::size_t i = 0; i < made.colliders.size(); ++i) {
    EXPECT_EQ(made.colliders[i].name, written.colliders[i].name);
    EXPECT_EQ(made.colliders[i].body, written.colliders[i].body);
    expect_same(made.colliders[i].X_BS, written.colliders[i].X_BS);
  }
  ASSERT_EQ(made.drives.size(), written.drives.size());
  for (std::size_t i = 0; i < made.drives.size(); ++i) {
    EXPECT_EQ(made.drives[i].name, written.drives[i].name);
    EXPECT_EQ(made.drives[i].body, written.drives[i].body);
    EXPECT_EQ(made.drives[i].stiffness, written.drives[i].stiffness);
  }
  ASSERT_EQ(made.frames.size(), written.frames.size());
  for (std::size_t i = 0; i < made.frames.size(); ++i) EXPECT_EQ(made.frames[i].name, written.frames[i].name);
  EXPECT_EQ(made.excluded, written.excluded);
  EXPECT_EQ(made.constraints.size(), written.constraints.size());
}

// The part's angles are radians and its classes its own: the outer default of 9 does not reach it.
const std::string part = R"(<mujoco><compiler angle="radian" meshdir="meshes"/>
  <default><joint damping="2"/><default class="c"><geom size="0.2"/></default></default>
  <asset><mesh file="tip.obj"/></asset>
  <worldbody><body name="base"><geom size="5"/></body><body name="arm" pos="0 0 0.3"><joint name="j" range="-1 1"/>
    <geom name="g" class="c"/><site name="s"/>
    <body name="tip" euler="0.5 0 0"><joint name="k" axis="0 1 0" damping="3"/><geom type="mesh" mesh="tip"/></body></body>
  </worldbody>
  <contact><exclude body1="arm" body2="tip"/><exclude body1="base" body2="tip"/></contact>
  <tendon><fixed name="t"><joint joint="k" coef="2"/></fixed></tendon>
  <actuator><position name="p" joint="j" kp="5"/><position name="q" tendon="t" kp="7"/></actuator></mujoco>)";

std::string outer(const std::string& asset, const std::string& inside, const std::string& rest) {
  return "<mujoco><default><joint damping=\"9\"/><geom size=\"0.7\"/></default>" + asset +
         R"(<worldbody><body name="torso" pos="0 0 1"><freejoint/><geom/><body name="own" pos="1 0 0"><joint name="h" range="-90 90"/><geom/></body><frame pos="0 1 0" euler="0 0 90">)" +
         inside + "</frame></body></worldbody>" + rest + "</mujoco>";
}

TEST_F(Attach, EqualsTheFileWrittenOutByHand) {
  write("sub/part.xml", part);
  const ImportedModel made = read("made.xml", outer("<asset><model name=\"m\" file=\"sub/part.xml\"/></asset>",
                                                    "<attach model=\"m\" body=\"arm\" prefix=\"l_\"/>", ""));
  const ImportedModel written = read(
      "written.xml",
      outer(
          R"(<asset><mesh name="l_tip" file="sub/meshes/tip.obj"/></asset>)",
          R"(<body name="l_arm" pos="0 0 0.3"><joint name="l_j" damping="2" range="-57.29577951308232 57.29577951308232"/>
        <geom name="l_g" size="0.2"/><site name="l_s"/><body name="l_tip" euler="28.64788975654116 0 0">
        <joint name="l_k" axis="0 1 0" damping="3"/><geom type="mesh" mesh="l_tip"/></body></body>)",
          R"(<contact><exclude body1="l_arm" body2="l_tip"/></contact><tendon><fixed name="l_t"><joint joint="l_k" coef="2"/></fixed></tendon><actuator><position name="l_p" joint="l_j" kp="5"/><position name="l_q" tendon="l_t" kp="7"/></actuator>)"));
  ASSERT_EQ(made.links.size(), 4u);
  expect_same(made, written);
}

TEST_F(Attach, TwoCopiesHaveNamesOfTheirOwn) {
  write("sub/part.xml", part);
  const ImportedModel made = read(
      "made.xml", outer("<asset><model name=\"m\" file=\"sub/part.xml\"/></asset>",
                        R"(<attach model="m" body="arm" prefix="l_"/><attach model="m" body="arm" prefix="r_"/>)", ""));
  EXPECT_EQ(made.links.size(), 6u);
  EXPECT_EQ(made.drives.size(), 4u);
}

/// The outermost classes of both files are called main.
TEST_F(Attach, WithoutAPrefixBothFilesKeepTheirDefaults) {
  write(
      "sub/arm.xml",
      R"(<mujoco><default><geom density="100" friction="0.2"/><joint damping="7"/></default><worldbody><body name="arm"><joint name="j"/><geom name="g" size="0.2"/></body></worldbody></mujoco>)");
  for (const char* prefix : {"", "prefix=\"\""}) {
    const ImportedModel made = read(
        "made.xml",
        R"(<mujoco><default><geom density="500" friction="0.9"/><joint damping="1"/></default><asset><model name="m" file="sub/arm.xml"/></asset><worldbody><body name="base"><joint name="s" type="slide"/><geom size="0.1"/><attach model="m" body="arm" )" +
            std::string(prefix) + "/></body></worldbody></mujoco>");
    const ImportedModel written = read(
        "written.xml",
        R"(<mujoco><worldbody><body name="base"><joint name="s" type="slide" damping="1"/><geom size="0.1" density="500" friction="0.9"/><body name="arm"><joint name="j" damping="7"/><geom name="g" size="0.2" density="100" friction="0.2"/></body></body></worldbody></mujoco>)");
    expect_same(made, written);
    ASSERT_EQ(made.colliders.size(), 2u);
    EXPECT_NE(made.materials[made.colliders[0].material].friction, made.materials[made.colliders[1].material].friction);
  }
}

TEST_F(Attach, WithoutABodyAllOfTheOtherWorldComes) {
  write(
      "sub/ball.xml",
      R"(<mujoco><worldbody><geom name="floor" size="1"/><body name="b"><joint name="j"/><geom size="0.1"/></body></worldbody></mujoco>)");
  const std::string asset = R"(<mujoco><asset><model name="m" file="sub/ball.xml"/></asset><worldbody>)";
  const ImportedModel made =
      read("made.xml", asset + R"(<frame pos="1 2 3"><attach model="m" prefix="x-"/></frame></worldbody></mujoco>)");
  const ImportedModel written = read(
      "written.xml",
      R"(<mujoco><worldbody><frame pos="1 2 3"><geom name="x-floor" size="1"/><body name="x-b"><joint name="x-j"/><geom size="0.1"/></body></frame></worldbody></mujoco>)");
  expect_same(made, written);
}

TEST_F(Attach, AFileThatIsAttachedMayAttachAnother) {
  write(
      "sub/inner.xml",
      R"(<mujoco><default><geom size="0.3"/></default><worldbody><body name="b"><joint name="j"/><geom/></body></worldbody></mujoco>)");
  write(
      "sub/middle.xml",
      R"(<mujoco><default><geom size="0.2"/></default><asset><model name="i" file="inner.xml"/></asset><worldbody><body name="m"><joint name="j"/><geom/><attach model="i" body="b" prefix="i_"/></body></worldbody></mujoco>)");
  const ImportedModel made = read(
      "made.xml",
      R"(<mujoco><default><geom size="0.1"/></default><asset><model name="m" file="sub/middle.xml"/></asset><worldbody><attach model="m" body="m" prefix="m_"/></worldbody></mujoco>)");
  const ImportedModel written = read(
      "written.xml",
      R"(<mujoco><worldbody><body name="m_m"><joint name="m_j"/><geom size="0.2"/><body name="m_i_b"><joint name="m_i_j"/><geom size="0.3"/></body></body></worldbody></mujoco>)");
  ASSERT_EQ(made.links.size(), 2u);
  expect_same(made, written);
}

TEST_F(Attach, BringsSensorsOfWhatIsAttached) {
  write("arm.xml", R"(<mujoco><worldbody><body name="arm"><geom size="0.1"/><site name="tip" pos="0 0 1"/></body>
    <body name="other"><geom size="0.1"/><site name="far"/></body></worldbody>
    <sensor><gyro name="rate" site="tip"/><gyro name="unseen" site="far"/></sensor></mujoco>)");
  const ImportedModel made = read("whole.xml", R"(<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody>
    <body name="trunk"><freejoint/><geom size="0.2"/><attach model="arm" body="arm" prefix="left_"/></body>
    </worldbody></mujoco>)");
  ASSERT_EQ(made.sensors.size(), 1u);
  EXPECT_EQ(made.sensors[0].name, "left_rate");
  EXPECT_EQ(made.sensors[0].X_BS.p, Vec3(0, 0, 1));
}

}  // namespace
}  // namespace carom::attach_test
