#include "carom/geometry/half_space_pairs.h"

namespace carom {
namespace {

void ball_half_space(const Vec3& center, double radius, const Transform& X_WB, double margin, int feature,
                     std::vector<ContactPoint>& points) {
  const Vec3 normal = X_WB.R.col(2);
  const double height = normal.dot(center - X_WB.p);
  if (!(height - radius <= margin)) return;
  points.push_back({center - radius * normal, center - height * normal, normal, height - radius, feature});
}

}  // namespace

void sphere_half_space(const Sphere& a, const Transform& X_WA, const Transform& X_WB, double margin,
                       std::vector<ContactPoint>& points) {
  ball_half_space(X_WA.p, a.radius, X_WB, margin, 0, points);
}

void capsule_half_space(const Capsule& a, const Transform& X_WA, const Transform& X_WB, double margin,
                        std::vector<ContactPoint>& points) {
  const Vec3 arm = a.half_length * X_WA.R.col(2);
  ball_half_space(X_WA.p - arm, a.radius, X_WB, margin, 0, points);
  // Without a length both ends are one ball, which must not count twice.
  if (a.half_length > 0) ball_half_space(X_WA.p + arm, a.radius, X_WB, margin, 1, points);
}

void box_half_space(const Box& a, const Transform& X_WA, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  const Vec3& h = a.half_extents;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 vertex(corner & 1 ? h.x() : -h.x(), corner & 2 ? h.y() : -h.y(), corner & 4 ? h.z() : -h.z());
    ball_half_space(X_WA * vertex, 0, X_WB, margin, corner, points);
  }
}

}  // namespace carom
