#include "carom/spatial/rotation.h"

#include <cmath>

namespace carom {

Quaternion exponential(const Vec3& r) {
  const double angle = r.norm();
  // sin(angle/2)/angle by its series where the quotient would lose digits.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48 : std::sin(0.5 * angle) / angle;
  return Quaternion(std::cos(0.5 * angle), scale * r.x(), scale * r.y(), scale * r.z());
}

Vec3 logarithm(const Quaternion& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const Vec3 vector = sign * q.vec();
  const double sine = vector.norm();
  const double cosine = sign * q.w();
  if (sine < 1e-9) return vector * (2 / cosine);
  return vector * (2 * std::atan2(sine, cosine) / sine);
}

Mat3 contact_frame(const Vec3& normal) {
  return contact_frame(normal, normal.x() * normal.x() > 0.5 ? Vec3::UnitY() : Vec3::UnitX());
}

Mat3 contact_frame(const Vec3& normal, const Vec3& reference) {
  Mat3 frame;
  frame.col(0) = (reference - reference.dot(normal) * normal).normalized();
  frame.col(1) = normal.cross(frame.col(0));
  frame.col(2) = normal;
  return frame;
}

}  // namespace carom
