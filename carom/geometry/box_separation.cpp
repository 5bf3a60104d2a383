#include "carom/geometry/box_separation.h"

#include "carom/geometry/feature.h"

namespace carom {
namespace {

double sign(double x) { return x < 0 ? -1 : 1; }

}  // namespace

BoxSeparation box_separation(const Box& a, const Transform& X_WA, const Box& b, const Transform& X_WB) {
  const Vec3 line = X_WA.p - X_WB.p;
  const Mat3 C = X_WA.R.transpose() * X_WB.R;  // axes of B (columns) in A
  const Mat3 size = C.cwiseAbs();
  const Vec3 line_A = X_WA.R.transpose() * line, line_B = X_WB.R.transpose() * line;
  const Vec3 faces_b = line_B.cwiseAbs() - b.half_extents - size.transpose() * a.half_extents;
  const Vec3 faces_a = line_A.cwiseAbs() - a.half_extents - size * b.half_extents;
  const double round_off = 1e-14 * (a.half_extents.sum() + b.half_extents.sum());

  int k = 0, l = 0;
  BoxSeparation found;
  found.pair.gap = faces_b.maxCoeff(&k);
  found.pair.normal = sign(line_B[k]) * X_WB.R.col(k);
  if (faces_a.maxCoeff(&l) > found.pair.gap + round_off) {
    found.pair.gap = faces_a[l];
    found.pair.normal = sign(line_A[l]) * X_WA.R.col(l);
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      Vec3 n_A = Vec3::Unit(i).cross(C.col(j));
      const double sine = n_A.norm();
      if (sine < 1e-6) continue;
      n_A /= sine;
      const double along = n_A.dot(line_A);
      const Vec3 n_B = C.transpose() * n_A;
      const double gap = std::abs(along) - n_A.cwiseAbs().dot(a.half_extents) - n_B.cwiseAbs().dot(b.half_extents);
      if (!(gap > found.pair.gap + round_off)) continue;
      found.by_edges = true;
      found.pair.gap = gap;
      found.pair.normal = sign(along) * (X_WA.R * n_A);
    }
  }
  if (!found.by_edges) return found;

  const Vec3& n = found.pair.normal;
  const SupportSet of_a(a, {X_WA.R, line}, -n), of_b(b, {X_WB.R, Vec3::Zero()}, n);
  const Vec3 apart = found.pair.gap * n, on_a = meeting_point(of_a, of_b, apart);
  found.touches = (on_a - apart - of_b.nearest(on_a - apart)).norm() <= round_off;
  found.pair.p_WA = X_WB.p + on_a;
  found.pair.p_WB = found.pair.p_WA - apart;
  return found;
}

}  // namespace carom
