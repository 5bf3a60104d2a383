// Copies that <replicate> makes are those of the same file written out by hand.

#include <gtest/gtest.h>

#include "carom/import/mjcf.h"

namespace carom::replicate_test {
namespace {

TEST(Replicate, EqualsTheFileWrittenOutByHand) {
  const ImportedModel made = parse_mjcf(
      R"(<mujoco><worldbody><replicate count="2" sep="-" offset="0 0.5 0"><body name="b" pos="1 0 1"><joint name="j" damping="1"/><geom size="0.1"/></body></replicate></worldbody><actuator><position name="p" joint="j" kp="4"/></actuator></mujoco>)",
      "made.xml");
  const ImportedModel written = parse_mjcf(
      R"(<mujoco><worldbody><body name="b-0" pos="1 0 1"><joint name="j-0" damping="1"/><geom size="0.1"/></body><body name="b-1" pos="1 0.5 1"><joint name="j-1" damping="1"/><geom size="0.1"/></body></worldbody><actuator><position name="p-0" joint="j-0" kp="4"/><position name="p-1" joint="j-1" kp="4"/></actuator></mujoco>)",
      "written.xml");
  ASSERT_EQ(made.links.size(), written.links.size());
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    EXPECT_EQ(made.links[i].name, written.links[i].name);
    EXPECT_EQ(made.links[i].joint->name, written.links[i].joint->name);
    EXPECT_EQ(made.links[i].joint->X_PF.p, written.links[i].joint->X_PF.p);
    EXPECT_EQ(made.links[i].joint->X_PF.R, written.links[i].joint->X_PF.R);
    EXPECT_EQ(made.links[i].inertia.mass, written.links[i].inertia.mass);
    EXPECT_EQ(made.links[i].inertia.central, written.links[i].inertia.central);
  }
  ASSERT_EQ(made.drives.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(made.drives[i].name, written.drives[i].name);
}

}  // namespace
}  // namespace carom::replicate_test
