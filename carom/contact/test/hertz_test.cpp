#include "carom/contact/hertz.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/recursions.h"
#include "carom/geometry/polyhedron.h"

namespace carom::hertz_test {
namespace {

/// One shape above another, which stands still; contacts as steps find them.
struct Touch {
  Touch(const Shape& above, const Vec3& position, const Quaternion& orientation, const Shape& below,
        const Transform& X_WB = {}) {
    ModelBuilder builder;
    Material soft{"soft", Vec2(0.3, 0.3), 0}, hard{"hard", Vec2(0.3, 0.3), 0};
    soft.contact_radius = of_above;
    hard.contact_radius = of_below;
    soft.youngs_modulus = hard.youngs_modulus = modulus;
    soft.poisson_ratio = hard.poisson_ratio = poisson;
    builder.add_material(soft);
    builder.add_material(hard);
    builder.add_collider({"below", -1, below, X_WB, 1});
    const int body = builder.add_body("body", {1, Vec3::Zero(), Mat3::Identity()});
    builder.add_collider({"above", body, above, {}, 0});
    const Model model = builder.build();
    VectorX q = model.neutral_position();
    q << orientation.w(), orientation.x(), orientation.y(), orientation.z(), position;
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, q, workspace);
    ContactFinder finder(model);
    contacts = finder.find(model, q, workspace.X_WB, 1e-3);
  }
  static constexpr double of_above = 0.003, of_below = 0.02;
  static constexpr double modulus = 2e11, poisson = 0.25;
  std::vector<Contact> contacts;
};

Quaternion about(const Vec3& axis, double angle) { return Quaternion(Eigen::AngleAxisd(angle, axis.normalized())); }

constexpr double right_angle = 1.5707963267948966;

TEST(Hertz, SpheresAddTheirCurvatures) {
  const Touch spheres(Sphere{0.2}, {0, 0, 0.5}, Quaternion::Identity(), Sphere{0.3});
  ASSERT_EQ(spheres.contacts.size(), 1u);
  EXPECT_NEAR(spheres.contacts[0].radius, 0.2 * 0.3 / 0.5, 1e-15);
  const Touch plane(Sphere{0.2}, {0, 0, 0.2}, Quaternion::Identity(), HalfSpace{});
  ASSERT_EQ(plane.contacts.size(), 1u);
  EXPECT_NEAR(plane.contacts[0].radius, 0.2, 1e-15);
}

TEST(Hertz, RimsOfConesAreSharpAndTheirBasesFlat) {
  const Cone cone{0.2, 0.4, 0.01};
  // On its base beside the floor's own curvature, none: the radius that flat faces have.
  const Touch standing(cone, {0, 0, 0}, Quaternion::Identity(), Sphere{0.3}, {Mat3::Identity(), Vec3(0, 0, -0.3)});
  ASSERT_EQ(standing.contacts.size(), 1u);
  EXPECT_NEAR(standing.contacts[0].radius, 0.3, 1e-12);
  const double tilt = 0.3;
  const Quaternion tilted = about(Vec3::UnitY(), tilt);
  const Touch rim(cone, {0, 0, 0.2 * std::sin(tilt)}, tilted, HalfSpace{});
  ASSERT_GE(rim.contacts.size(), 1u);
  EXPECT_NEAR(rim.contacts[0].radius, Touch::of_above, 1e-15);
}

TEST(Hertz, StiffnessIsThatOfTheCircleOfContact) {
  // Johnson, eqs. 4.22 and 4.23: a³ = 3 P R / (4 E*) and δ = a²/R of the same load P.
  const Touch plane(Sphere{0.2}, {0, 0, 0.2}, Quaternion::Identity(), HalfSpace{});
  const Contact& contact = plane.contacts.at(0);
  const double E = Touch::modulus / (2 * (1 - Touch::poisson * Touch::poisson));
  EXPECT_NEAR(contact.surface.modulus, E, 1e-15 * E);
  for (const double load : {1.0, 1e4}) {
    const double a = std::cbrt(3 * load * contact.radius / (4 * E)), depth = a * a / contact.radius;
    EXPECT_NEAR(hertz_stiffness(contact) * std::pow(depth, 1.5), load, 1e-12 * load);
  }
}

TEST(Hertz, EllipsoidsHaveTheGeometricMeanOfTheirPrincipalRadii) {
  const Vec3 axes(0.3, 0.2, 0.5);
  const Ellipsoid ellipsoid{axes};
  // On its poles: across the axis a the radii of the two principal sections are b²/a and c²/a.
  const struct {
    Quaternion orientation;
    double height, expected;
  } poles[] = {{Quaternion::Identity(), axes.z(), axes.x() * axes.y() / axes.z()},
               {about(Vec3::UnitY(), right_angle), axes.x(), axes.y() * axes.z() / axes.x()},
               {about(Vec3::UnitX(), right_angle), axes.y(), axes.x() * axes.z() / axes.y()}};
  for (const auto& pole : poles) {
    const Touch touch(ellipsoid, {0, 0, pole.height}, pole.orientation, HalfSpace{});
    ASSERT_EQ(touch.contacts.size(), 1u);
    EXPECT_NEAR(touch.contacts[0].radius, pole.expected, 1e-14);
  }
  // A spheroid on its equator: its own radius and that of the meridian's ellipse, c²/a.
  const Touch equator(Ellipsoid{{0.2, 0.2, 0.1}}, {0, 0, 0.2}, about(Vec3(1, 1, 0), right_angle), HalfSpace{});
  EXPECT_NEAR(equator.contacts.at(0).radius, std::sqrt(0.2 * 0.1 * 0.1 / 0.2), 1e-14);
}

TEST(Hertz, EllipsoidsAnywhereHaveTheirGaussianCurvature) {
  // K = 1 / (abc Σ xᵢ²/aᵢ⁴)² at the surface point x.
  const Vec3 axes(0.3, 0.2, 0.5);
  for (const double angle : {0.3, 0.9, 2.0}) {
    const Quaternion orientation = about(Vec3(1, 2, -1), angle);
    const Vec3 position(0.1, -0.2, (axes.asDiagonal() * (orientation.conjugate() * Vec3::UnitZ())).norm());
    const Touch touch(Ellipsoid{axes}, position, orientation, HalfSpace{});
    const Contact& contact = touch.contacts.at(0);
    EXPECT_NEAR(contact.gap, 0, 1e-15);
    const Vec3 x = orientation.conjugate() * (contact.p_WA - position);
    const double sum = x.cwiseQuotient(axes.cwiseProduct(axes)).squaredNorm();
    EXPECT_NEAR(contact.radius, axes.prod() * sum, 1e-14);
    // Beside a ball as large as that radius it is halved.
    const double ball = contact.radius;
    const Touch on_ball(Ellipsoid{axes}, position + Vec3(0, 0, ball) - contact.p_WA, orientation, Sphere{ball});
    EXPECT_NEAR(on_ball.contacts.at(0).radius, 0.5 * ball, 1e-9);
  }
}

TEST(Hertz, RoundSidesHaveTheirRadiusAndSharpOnesTheMaterials) {
  const auto radius = [](const Shape& shape, double height, const Quaternion& orientation) {
    const Touch touch(shape, {0, 0, height}, orientation, HalfSpace{});
    EXPECT_FALSE(touch.contacts.empty());
    for (const Contact& contact : touch.contacts) EXPECT_EQ(contact.radius, touch.contacts[0].radius);
    return touch.contacts.empty() ? 0 : touch.contacts[0].radius;
  };
  const Quaternion upright = Quaternion::Identity(), lying = about(Vec3::UnitX(), right_angle);
  const Quaternion tilted = about(Vec3::UnitX(), 0.5);
  EXPECT_EQ(radius(Capsule{0.1, 0.3}, 0.4, upright), 0.1);
  EXPECT_EQ(radius(Capsule{0.1, 0.3}, 0.1, lying), 0.1);
  EXPECT_EQ(radius(Cylinder{0.1, 0.3}, 0.1, lying), 0.1);
  EXPECT_EQ(radius(Cylinder{0.1, 0.3}, 0.3, upright), Touch::of_above) << "the rim of a cap";
  EXPECT_EQ(radius(Cylinder{0.1, 0.3}, 0.1 * std::sin(0.5) + 0.3 * std::cos(0.5), tilted), Touch::of_above);
  EXPECT_EQ(radius(Sphere{0}, 0, upright), Touch::of_above) << "a point";
  EXPECT_EQ(radius(Box{{0.1, 0.2, 0.3}}, 0.3, upright), Touch::of_above) << "the corners of a face";
  EXPECT_EQ(radius(Box{{0.1, 0.2, 0.3}}, 0.2 * std::sin(0.5) + 0.3 * std::cos(0.5), tilted), Touch::of_above);
}

TEST(Hertz, FacesAreFlatAndCornersOnThemSharp) {
  const Quaternion upright = Quaternion::Identity();
  const Box block{{0.5, 0.5, 0.5}};
  const ConvexMesh mesh{std::make_shared<const Polyhedron>(convex_hull(
      {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}}))};
  EXPECT_EQ(Touch(Sphere{0.1}, {0.2, 0, 0.6}, upright, block).contacts.at(0).radius, 0.1);
  EXPECT_EQ(Touch(Sphere{0.1}, {0.2, 0, 1.1}, upright, mesh).contacts.at(0).radius, 0.1);
  // Over an edge the curvatures of ball and edge add up.
  const double both = 1 / (1 / 0.1 + 1 / Touch::of_below), aside = 0.1 / std::sqrt(2);
  EXPECT_NEAR(Touch(Sphere{0.1}, {0.5 + aside, 0, 0.5 + aside}, upright, block).contacts.at(0).radius, both, 1e-15);
  EXPECT_NEAR(Touch(Sphere{0.1}, {1 + aside, 0, 1 + aside}, upright, mesh).contacts.at(0).radius, both, 1e-15);
  const double mean = 0.5 * (Touch::of_above + Touch::of_below);
  for (const Contact& contact : Touch(Box{{0.1, 0.1, 0.1}}, {0, 0, 0.6}, upright, block).contacts) {
    EXPECT_EQ(contact.radius, mean) << "whose corner it is does not show";
  }
  EXPECT_EQ(Touch(mesh, {0, 0, 1}, upright, HalfSpace{}).contacts.at(0).radius, Touch::of_above);
}

}  // namespace
}  // namespace carom::hertz_test
