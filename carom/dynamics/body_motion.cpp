#include "carom/dynamics/body_motion.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

/// Root mean square over the body's mass of the length of a + D r, r from the centre of mass, in the body frame.
double mass_rms(const Body& body, const Vec3& a, const Mat3& D) {
  const SpatialInertia& inertia = body.inertia;
  if (!(inertia.mass > 0)) return 0;
  const Mat3 second = 0.5 * inertia.central.trace() * Mat3::Identity() - inertia.central;
  return std::sqrt(a.squaredNorm() + std::max(0.0, (D * second * D.transpose()).trace()) / inertia.mass);
}

/// Rate of the centre of mass.
Vec3 center_velocity(const Body& body, const BodyMotion& motion) {
  return motion.velocity + motion.angular_velocity.cross(motion.orientation * body.inertia.center);
}

/// Rate of the rotation matrix.
Mat3 rotation_rate(const BodyMotion& motion) {
  return skew(motion.angular_velocity) * motion.orientation.toRotationMatrix();
}

}  // namespace

void body_motions(const Model& model, const VectorX& q, const VectorX& v, DynamicsWorkspace& workspace,
                  std::vector<BodyMotion>& motions) {
  forward_kinematics(model, q, workspace);
  forward_velocity(model, q, v, workspace);
  motions.resize(model.bodies().size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Transform& X_WB = workspace.X_WB[i];
    const Vec6& V = workspace.V[i];
    Quaternion orientation(X_WB.R);
    if (orientation.w() < 0) orientation.coeffs() *= -1;
    motions[i] = {X_WB.p, orientation, X_WB.R * V.tail<3>(), X_WB.R * V.head<3>()};
  }
}

std::vector<BodyMotion> body_motions(const Model& model, const State& state) {
  DynamicsWorkspace workspace(model);
  std::vector<BodyMotion> motions;
  body_motions(model, state.q, state.v, workspace, motions);
  return motions;
}

double body_distance(const Body& body, const BodyMotion& first, const BodyMotion& second) {
  const Vec3& c = body.inertia.center;
  const Vec3 apart = first.position + first.orientation * c - second.position - second.orientation * c;
  return mass_rms(body, apart, first.orientation.toRotationMatrix() - second.orientation.toRotationMatrix());
}

double body_speed_difference(const Body& body, const BodyMotion& first, const BodyMotion& second) {
  return mass_rms(body, center_velocity(body, first) - center_velocity(body, second),
                  rotation_rate(first) - rotation_rate(second));
}

double largest_gyration(const Model& model) {
  double size = 0;
  for (const Body& body : model.bodies()) {
    const SpatialInertia& inertia = body.inertia;
    if (inertia.mass > 0) size = std::max(size, std::sqrt(inertia.central.trace() / inertia.mass));
  }
  return size;
}

double body_speed(const Body& body, const BodyMotion& motion) {
  return mass_rms(body, center_velocity(body, motion), rotation_rate(motion));
}

}  // namespace carom
