// Elements of URDF files, read one by one.

#include "carom/import/urdf_elements.h"

#include <gtest/gtest.h>

#include <numbers>

#include "carom/import/urdf_shapes.h"

namespace carom::urdf_elements_test {
namespace {

TEST(UrdfElements, OriginsTurnAboutFixedAxesOrByAQuaternionOfAnyLength) {
  XmlFaults faults("x.urdf");
  XmlNode angles = parse_xml("<link><origin xyz='1 2 3' rpy='0.3 0 1.5707963267948966'/></link>", "x.urdf");
  const Transform turned = read_origin(angles, faults);
  EXPECT_EQ(turned.p, Vec3(1, 2, 3));
  const Mat3 expected = (Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()) * Eigen::AngleAxisd(0.3, Vec3::UnitX()))
                            .toRotationMatrix();
  EXPECT_LT((turned.R - expected).norm(), 1e-15);
  XmlNode quaternion = parse_xml("<link><origin quat_xyzw='0 0 5 5'/></link>", "x.urdf");
  EXPECT_LT((read_origin(quaternion, faults).R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  XmlNode none = parse_xml("<link/>", "x.urdf");
  EXPECT_EQ(read_origin(none, faults).R, Mat3::Identity());
  EXPECT_TRUE(faults.empty());
}

TEST(UrdfElements, EqualChildrenAreOneAndOthersAFault) {
  XmlFaults faults("x.urdf");
  XmlNode twice = parse_xml("<link><mass value='2'/><mass value='2'/></link>", "x.urdf");
  ASSERT_NE(only_child(twice, "mass", faults), nullptr);
  EXPECT_TRUE(faults.empty());
  EXPECT_EQ(only_child(twice, "inertia", faults), nullptr);
  EXPECT_TRUE(faults.empty());
  XmlNode other = parse_xml("<link><mass value='2'/><mass value='3'/></link>", "x.urdf");
  only_child(other, "mass", faults);
  EXPECT_FALSE(faults.empty());
}

TEST(UrdfShapes, LengthsAreWholeAndHalvedHere) {
  XmlFaults faults("x.urdf");
  XmlNode box = parse_xml("<collision><geometry><box size='2 4 6'/></geometry></collision>", "x.urdf");
  XmlNode* shape = find_urdf_shape(box, faults);
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(std::get<Box>(*read_urdf_solid(*shape, faults)).half_extents, Vec3(1, 2, 3));
  XmlNode ball = parse_xml("<sphere radius='0.5'/>", "x.urdf");
  EXPECT_EQ(std::get<Sphere>(*read_urdf_solid(ball, faults)).radius, 0.5);
  EXPECT_TRUE(faults.empty());
  XmlNode negative = parse_xml("<sphere radius='-1'/>", "x.urdf");
  EXPECT_FALSE(read_urdf_solid(negative, faults));
  EXPECT_FALSE(faults.empty());
}

TEST(UrdfShapes, AMeshNamesItsFileAndAScaleWithoutZeros) {
  XmlFaults faults("x.urdf");
  XmlNode plain = parse_xml("<mesh filename='a.stl'/>", "x.urdf");
  const auto mesh = read_urdf_mesh(plain, faults);
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->uri, "a.stl");
  EXPECT_EQ(mesh->scale, Vec3::Ones());
  EXPECT_TRUE(faults.empty());
  XmlNode flat = parse_xml("<mesh filename='a.stl' scale='1 0 1'/>", "x.urdf");
  EXPECT_FALSE(read_urdf_mesh(flat, faults));
  EXPECT_FALSE(faults.empty());
}

}  // namespace
}  // namespace carom::urdf_elements_test
