#include "carom/import/visual_shape.h"

#include <gtest/gtest.h>

#include "carom/model/appearance.h"

namespace carom::visual_shape_test {
namespace {

TEST(VisualShape, ShapesThatOnlyCollideAreNotDrawn) {
  const auto drawn = visual_shape(Shape(Box{Vec3(1, 2, 3)}));
  ASSERT_TRUE(drawn);
  EXPECT_EQ(std::get<Box>(*drawn).half_extents, Vec3(1, 2, 3));
  EXPECT_TRUE(visual_shape(Shape(Ellipsoid{Vec3(1, 2, 3)})));
  EXPECT_FALSE(visual_shape(Shape(HalfSpace{})));
}

TEST(VisualShape, ColoursAreBroughtBetweenZeroAndOne) {
  EXPECT_EQ(color_of(Eigen::Vector4d(-1, 0.25, 2, 1)), (Rgba{0, 0.25, 1, 1}));
}

TEST(VisualShape, AMeshThatIsNotThereIsAFaultAndNamedAsTheFileHasIt) {
  XmlFaults faults("x.urdf");
  const XmlNode node = parse_xml("<mesh filename='gone.stl'/>", "x.urdf");
  EXPECT_EQ(find_visual_mesh("gone.stl", node, ImportOptions(), faults), "gone.stl");
  EXPECT_FALSE(faults.empty());
  std::vector<ImportNote> notes;
  add_undrawn("visual", faults, notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].text.find("gone.stl"), std::string::npos) << notes[0].text;
}

}  // namespace
}  // namespace carom::visual_shape_test
