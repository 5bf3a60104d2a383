#include "carom/stepper/model_size.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::model_size_test {
namespace {

TEST(ModelSize, IsThatOfTheSmallestShapeThatMoves) {
  test::SceneMaker scene(0.5);
  scene.add_static(Sphere{0.001});
  scene.add(Sphere{0.2}, 1, Vec3::Zero());
  scene.add(Box{Vec3(0.03, 0.04, 0.12)}, 1, Vec3(1, 0, 7));
  const ModelSize size(*scene.model());
  EXPECT_DOUBLE_EQ(size.least(), 0.13);
  EXPECT_DOUBLE_EQ(size.extent(), 0.2);
  EXPECT_DOUBLE_EQ(size.reach(*scene.model(), scene.q), 7.2);
  EXPECT_DOUBLE_EQ(size.speed(0.01), std::sqrt(9.81 * 0.13));
}

/// A bare body's is its radius of gyration, a point's its arm; a model of points alone has its longest arm.
TEST(ModelSize, OfBodiesWithoutShapesIsThatOfTheirMass) {
  const auto pendulum = [](const SpatialInertia& inertia, const Vec3& hinge) {
    ModelBuilder builder;
    builder.add_joint(builder.add_body("link", inertia), test::hinge_about_y(-1, hinge, "hinge"));
    return ModelSize(builder.build());
  };
  EXPECT_NEAR(pendulum({2, Vec3(0.3, 0, 0), 2 * 0.01 * Mat3::Identity()}, Vec3::Zero()).least(), std::sqrt(0.015),
              1e-15);
  const ModelSize point = pendulum({2, Vec3(0.3, 0, 0), Mat3::Zero()}, Vec3(5, 0, 0));
  EXPECT_DOUBLE_EQ(point.least(), 0.3);
  EXPECT_DOUBLE_EQ(point.extent(), 0.3) << "where its root hangs is not its own";
  EXPECT_DOUBLE_EQ(point.speed(0.01), 3) << "without gravity it is that of a tenth of the size in a step";
}

/// Links of one metre in a row. The last one's tip is as far as all of them. A point there is no smaller than a
/// thousandth of that distance.
TEST(ModelSize, ExtendsAlongChains) {
  ModelBuilder builder;
  const int surface = builder.add_material({"surface", Vec2::Zero(), 0.0});
  for (int i = 0; i < 10; ++i) {
    const int link = builder.add_body("link" + std::to_string(i), {1, Vec3(0.5, 0, 0), 0.01 * Mat3::Identity()});
    builder.add_joint(link,
                      test::hinge_about_y(i - 1, i == 0 ? Vec3::Zero() : Vec3(1, 0, 0), "hinge" + std::to_string(i)));
  }
  builder.add_collider({"tip", 9, Sphere{1e-6}, {Mat3::Identity(), Vec3(1, 0, 0)}, surface});
  builder.add_collider({"ground", -1, Box{Vec3(1e4, 1e4, 1)}, {Mat3::Identity(), Vec3(0, 0, -50)}, surface});
  const Model model = builder.build();
  const ModelSize size(model);
  EXPECT_NEAR(size.extent(), 10, 1e-5);
  EXPECT_NEAR(size.least(), 0.01, 1e-8);
  EXPECT_NEAR(size.reach(model, VectorX::Zero(10)), 10, 1e-5) << "the ground's size is none of the robot's";
  VectorX v = VectorX::Zero(10);
  v[3] = -0.5;
  EXPECT_NEAR(size.fastest(v), 5, 1e-5);
}

/// Rows, coordinates and gaps are measured by the size where they are lengths, by 1 rad where they are angles.
TEST(ModelSize, KnowsLengthsFromAngles) {
  ModelBuilder builder;
  const int link = builder.add_body("link", test::box(1, 0.3));
  Joint slot = test::coordinate_joint(JointType::slot, Vec3::UnitZ());
  builder.add_joint(link, slot);
  builder.add_body("free", test::box(1, 0.3));
  const Model model = builder.build();
  const ModelSize size(model);
  const int first = model.joints()[0].type == JointType::slot ? 0 : 1, v = model.joints()[first].v_index;
  const int turning = model.joints()[1 - first].v_index;
  EXPECT_EQ(size.of_coordinate(v), size.least());
  EXPECT_EQ(size.of_coordinate(v + 1), 1);
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(size.of_coordinate(turning + k), 1);
    EXPECT_EQ(size.of_coordinate(turning + 3 + k), size.least());
  }
  ConstraintRow row;
  row.direction = Vec3::UnitX();
  EXPECT_TRUE(size.is_length(row));
  row = {};
  row.moment = Vec3::UnitX();
  EXPECT_FALSE(size.is_length(row));
  EXPECT_EQ(size.of(row), 1);
  EXPECT_EQ(size.of(ContactId{ContactId::of_joint, v, ContactId::lower}), size.least());
  EXPECT_EQ(size.of(ContactId{ContactId::of_joint, v + 1, ContactId::lower}), 1);
  EXPECT_EQ(size.of(ContactId{0, 1, 0}), size.least());
  // Quaternions have the size 1, rates of turning that of speeds over the least size.
  const std::vector<double> sizes = size.of_state(model, 0.1);
  const auto positions = static_cast<std::size_t>(model.position_count());
  const auto q = static_cast<std::size_t>(model.joints()[1 - first].q_index);
  EXPECT_EQ(sizes[q], 1);
  EXPECT_EQ(sizes[q + 3], 1);
  EXPECT_EQ(sizes[q + 4], size.least());
  EXPECT_DOUBLE_EQ(sizes[positions + static_cast<std::size_t>(turning)], size.speed(0.1) / size.extent());
  EXPECT_DOUBLE_EQ(sizes[positions + static_cast<std::size_t>(turning) + 3], size.speed(0.1));
}

}  // namespace
}  // namespace carom::model_size_test
