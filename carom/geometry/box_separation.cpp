#include "carom/geometry/box_separation.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/sign.h"

namespace carom {
namespace {

/// Middle of the edge along axis k that lies farthest along d, in the box's frame.
Vec3 edge_middle(const Box& box, const Vec3& d, int k) {
  Vec3 middle;
  for (int i = 0; i < 3; ++i) middle[i] = i == k ? 0 : sign(d[i]) * box.half_extents[i];
  return middle;
}

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
      k = i;
      l = j;
    }
  }
  if (!found.by_edges) return found;

  const Vec3& n = found.pair.normal;
  const Vec3 of_a = line + X_WA.R * edge_middle(a, -(X_WA.R.transpose() * n), k);
  const Vec3 of_b = X_WB.R * edge_middle(b, X_WB.R.transpose() * n, l);
  const Vec3 u = X_WA.R.col(k), v = X_WB.R.col(l);
  // The place where of_a + s u and of_b + t v pass each other.
  const Vec3 w = of_b - of_a;
  const double cosine = u.dot(v), sine2 = u.cross(v).squaredNorm();
  const double s = (w.dot(u) - cosine * w.dot(v)) / sine2, t = (cosine * w.dot(u) - w.dot(v)) / sine2;
  found.touches = std::abs(s) <= a.half_extents[k] && std::abs(t) <= b.half_extents[l];
  const double reach = std::clamp(s, -a.half_extents[k], a.half_extents[k]);
  found.pair.p_WA = X_WB.p + of_a + reach * u;
  found.pair.p_WB = found.pair.p_WA - found.pair.gap * n;
  return found;
}

}  // namespace carom
