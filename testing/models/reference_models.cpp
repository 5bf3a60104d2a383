#include "testing/models/reference_models.h"

#include <string>

namespace carom {
namespace {

/// A rod with the given half-axes, as an ellipsoid.
SpatialInertia ellipsoid(double mass, const Vec3& half_axes, const Vec3& center) {
  const Vec3 squares = half_axes.cwiseProduct(half_axes);
  SpatialInertia inertia;
  inertia.mass = mass;
  inertia.center = center;
  inertia.central = (mass / 5 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
  return inertia;
}

Mat3 z_along(const Vec3& axis) { return Quaternion::FromTwoVectors(Vec3::UnitZ(), axis).toRotationMatrix(); }

/// Hangs a body on `parent` by a revolute joint at `point` of the parent, which is the origin of the new body.
int add_link(ModelBuilder& builder, int parent, const std::string& name, const Vec3& point, const Vec3& axis,
             const SpatialInertia& inertia) {
  const int body = builder.add_body(name, inertia);
  Joint joint;
  joint.type = JointType::revolute;
  joint.parent = parent;
  joint.X_PF = {z_along(axis), point};
  joint.X_BM.R = joint.X_PF.R;
  builder.add_joint(body, joint);
  return body;
}

const Vec3 x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);

void add_leg(ModelBuilder& builder, int pelvis, const std::string& side, double sign) {
  const SpatialInertia knuckle = ellipsoid(0.8, {0.05, 0.04, 0.04}, {0.01, 0, -0.01});
  int body = add_link(builder, pelvis, side + " hip yaw", {0, 0.1 * sign, -0.05}, z, knuckle);
  body = add_link(builder, body, side + " hip roll", {0, 0, -0.04}, x, knuckle);
  body = add_link(builder, body, side + " thigh", {0, 0, 0}, y, ellipsoid(6, {0.08, 0.08, 0.22}, {0.01, 0, -0.19}));
  body = add_link(builder, body, side + " shin", {0, 0, -0.4}, y, ellipsoid(3, {0.05, 0.05, 0.21}, {0.005, 0, -0.18}));
  body = add_link(builder, body, side + " ankle", {0, 0, -0.4}, y, ellipsoid(0.5, {0.03, 0.03, 0.03}, {0, 0.002, 0}));
  add_link(builder, body, side + " foot", {0, 0, 0}, x, ellipsoid(1, {0.13, 0.05, 0.03}, {0.05, 0, -0.05}));
}

void add_arm(ModelBuilder& builder, int torso, const std::string& side, double sign) {
  const SpatialInertia knuckle = ellipsoid(0.5, {0.04, 0.04, 0.03}, {0, 0.01 * sign, 0});
  int body = add_link(builder, torso, side + " shoulder pitch", {0, 0.18 * sign, 0.4}, y, knuckle);
  body = add_link(builder, body, side + " shoulder roll", {0, 0.03 * sign, 0}, x, knuckle);
  body =
      add_link(builder, body, side + " upper arm", {0, 0, -0.02}, z, ellipsoid(2, {0.05, 0.05, 0.15}, {0, 0, -0.13}));
  body =
      add_link(builder, body, side + " forearm", {0, 0, -0.28}, y, ellipsoid(1.2, {0.04, 0.04, 0.14}, {0.01, 0, -0.1}));
  add_link(builder, body, side + " hand", {0, 0, -0.25}, z, ellipsoid(0.5, {0.02, 0.04, 0.08}, {0, 0, -0.07}));
}

}  // namespace

Model revolute_chain(int links) {
  const Vec3 axes[] = {x, y, z, Vec3(1, -2, 2) / 3};
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  int parent = -1;
  for (int i = 0; i < links; ++i) {
    const Vec3 point = parent < 0 ? Vec3::Zero() : Vec3(0, 0, -0.2);
    const SpatialInertia inertia = ellipsoid(1, {0.03, 0.04, 0.11}, {0.01, -0.005, -0.09});
    parent = add_link(builder, parent, "link" + std::to_string(i), point, axes[i % 4], inertia);
  }
  return builder.build();
}

Model humanoid() {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  const int pelvis = builder.add_body("pelvis", ellipsoid(10, {0.1, 0.15, 0.1}, {0.01, 0, 0.03}));
  const int torso = add_link(builder, pelvis, "torso", {0, 0, 0.1}, z, ellipsoid(20, {0.12, 0.18, 0.3}, {0, 0, 0.22}));
  add_link(builder, torso, "head", {0, 0, 0.48}, y, ellipsoid(4, {0.09, 0.08, 0.12}, {0.02, 0, 0.1}));
  add_leg(builder, pelvis, "left", 1);
  add_leg(builder, pelvis, "right", -1);
  add_arm(builder, torso, "left", 1);
  add_arm(builder, torso, "right", -1);
  return builder.build();
}

}  // namespace carom
