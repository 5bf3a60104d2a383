#include "carom/stepper/variational/tree_groups.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "random_scenes.h"

namespace carom::tree_groups_test {
namespace {

constexpr int count = 4;

/// Balls of 1, 4, 16 and 64 kg on the floor, apart, that rise at 1 m/s: kinetic norms of 1, 2, 4 and 8.
test::SceneMaker balls() {
  test::SceneMaker scene(0.5, 0);
  for (int i = 0; i < count; ++i) scene.add(Sphere{0.1}, std::pow(4, i), Vec3(i, 0, 0.1), Vec3(0, 0, 1));
  scene.add_static(HalfSpace{}, Transform{});
  return scene;
}

VectorX norms_of(const test::SceneMaker& scene, const std::vector<Contact>& contacts) {
  const auto model = scene.model();
  DynamicsWorkspace workspace(*model);
  forward_kinematics(*model, scene.q, workspace);
  forward_velocity(*model, scene.q, scene.v, workspace);
  VectorX momentum, norms;
  multiply_mass(*model, scene.v, workspace, momentum);
  TreeGroups groups(*model);
  groups.tie(contacts);
  groups.norms(momentum, scene.v, norms);
  return norms;
}

Contact between(int body_a, int body_b) {
  Contact contact;
  contact.body_a = body_a;
  contact.body_b = body_b;
  return contact;
}

void expect_near(const VectorX& actual, const VectorX& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  EXPECT_LT((actual - expected).lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(TreeGroups, BodiesThatTouchNothingAreGroupsOfTheirOwn) {
  expect_near(norms_of(balls(), {}), Eigen::Vector4d(1, 2, 4, 8));
}

TEST(TreeGroups, ContactsTieInAChainAndTheWorldTiesNothing) {
  const std::vector<Contact> chain{between(3, 2), between(0, 2), between(0, -1), between(-1, 1)};
  expect_near(norms_of(balls(), chain), Eigen::Vector4d(std::sqrt(1 + 16 + 64), 2, 0, 0));
}

TEST(TreeGroups, ConstraintsTieWithoutAContact) {
  test::SceneMaker scene = balls();
  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::rod;
  rod.body_a = 1;
  rod.body_b = 2;
  rod.length = 1;
  scene.builder.add_constraint(rod);
  expect_near(norms_of(scene, {}), Eigen::Vector3d(1, std::sqrt(4 + 16), 8));
}

}  // namespace
}  // namespace carom::tree_groups_test
