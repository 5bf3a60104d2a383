#include "carom/import/sdf_state.h"
#include "sdf_text.h"

namespace carom::sdf_world_test {
namespace {

using namespace test;

TEST(SdfWorld, TakesGazebosSunAndGroundPlaneWhereTheyAreNotFound) {
  const ImportedModel read = world(
      "\n<include><uri>model://sun</uri></include>\n<include><uri>model://ground_plane</uri></include>"
      "<model name='m'>" +
      link("a", ball_shape("c")) + "</model>");
  ASSERT_EQ(read.colliders.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<HalfSpace>(read.colliders[1].shape));
  EXPECT_EQ(read.colliders[1].body, -1);
  expect_near(read.colliders[1].X_BS, Transform());
  ASSERT_EQ(read.warnings.size(), 1u);
  EXPECT_EQ(read.warnings[0].line, 3);
}

TEST(SdfWorld, JoinsTheModelsOfAWorld) {
  const std::string models = "<model name='m'><pose>1 0 0 0 0 0</pose>" + link("a") + "</model><model name='n'>" +
                             "<pose>2 0 0 0 0 0</pose>" + link("a") + link("c") + joint("fixed", "", "a", "c", "w") +
                             "</model>";
  const ImportedModel read = world("<gravity>0 0 -3</gravity>" + models +
                                   joint("revolute", "<pose>0 0 0.5 0 0 0</pose>" + axis("0 1 0"), "m::a", "n::a"));
  ASSERT_EQ(read.links.size(), 2u);
  EXPECT_EQ(read.links[0].name, "m::a");
  EXPECT_EQ(read.links[1].name, "n::a");
  ASSERT_TRUE(read.links[1].joint.has_value());
  EXPECT_EQ(read.links[1].joint->parent, 0);
  EXPECT_EQ(read.links[1].joint->type, JointType::revolute);
  EXPECT_LE((read.links[1].joint->X_PF.p - Vec3(1, 0, 0.5)).norm(), exact);
  EXPECT_EQ(read.gravity, Vec3(0, 0, -3));
  // Poses and frames relative to the world stay so.
  const ImportedModel placed = world("<model name='m'><pose relative_to='world'>1 0 0 0 0 0</pose>" + link("a") +
                                     "</model><frame name='f' attached_to='world'><pose>0 0 7 0 0 0</pose></frame>" +
                                     joint("revolute", axis("0 1 0"), "world", "m::a"));
  ASSERT_EQ(placed.links.size(), 1u);
  EXPECT_LE((at_rest(placed, 0).p - Vec3(1, 0, 0)).norm(), exact);
  ASSERT_EQ(placed.frames.size(), 1u);
  EXPECT_EQ(placed.frames[0].link, -1);
  // The same in one model with both nested in it.
  const ImportedModel nested =
      model(models + joint("revolute", "<pose>0 0 0.5 0 0 0</pose>" + axis("0 1 0"), "m::a", "n::a"));
  expect_near(at_rest(read, 1), at_rest(nested, 1));
  EXPECT_EQ(read.links[1].inertia.mass, nested.links[1].inertia.mass);
}

TEST(SdfWorld, ASavedStatePutsModelsWhereTheyStood) {
  const ImportedModel read =
      world("<model name='m'><pose>1 0 0 0 0 0</pose>" + link("a", "<pose>0 0 0.5 0 0 0</pose>") +
            "</model><model name='n'>" + "<pose>9 0 0 0 0 0</pose>" + link("a") +
            "</model>\n<state world_name='w'><sim_time>12 0</sim_time>" +
            "<model name='m'><pose>3 4 0 0 0 1.5707963267948966</pose><link name='a'><pose>3 4 0.5 0 0 "
            "0</pose></link></model>" +
            "<model name='gone'><pose>0 0 0 0 0 0</pose></model></state>");
  ASSERT_EQ(read.links.size(), 2u);
  EXPECT_LE((read.links[0].X_WB.p - Vec3(3, 4, 0.5)).norm(), exact);
  EXPECT_LE((read.links[0].X_WB.R.col(0) - Vec3(0, 1, 0)).norm(), exact);
  EXPECT_LE((read.links[1].X_WB.p - Vec3(9, 0, 0)).norm(), exact);
  ASSERT_EQ(read.warnings.size(), 2u);  // one for the model that is gone
  EXPECT_EQ(read.warnings[1].line, 2);
}

TEST(SdfWorld, ReadsWorldsWithGravityAndSeveralModels) {
  const ImportedModel read = world(
      "<gravity>0 0 -1.5</gravity><frame name='shelf'><pose>0 0 2 0 0 0</pose></frame><model name='p'><pose "
      "relative_to='shelf'>1 0 0 0 0 0</pose>" +
      link("a") + "</model><model name='q' placement_frame='top'><pose>0 5 0 0 0 0</pose>" + link("a") +
      "<frame name='top'><pose>0 0 1 0 0 0</pose></frame><model name='inner'><pose>0 0 3 0 0 0</pose>" + link("a") +
      "</model></model>");
  ASSERT_EQ(read.links.size(), 3u);
  EXPECT_EQ(*read.gravity, Vec3(0, 0, -1.5));
  EXPECT_EQ(read.name, "w");
  EXPECT_EQ(read.links[0].name, "p::a");
  EXPECT_EQ(read.links[1].name, "q::a");
  EXPECT_EQ(read.links[2].name, "q::inner::a");
  EXPECT_LE((read.links[0].X_WB.p - Vec3(1, 0, 2)).norm(), exact);
  EXPECT_LE((read.links[1].X_WB.p - Vec3(0, 5, -1)).norm(), exact);
  EXPECT_LE((read.links[2].X_WB.p - Vec3(0, 5, 2)).norm(), exact);
}

}  // namespace
}  // namespace carom::sdf_world_test
