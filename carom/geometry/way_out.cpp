#include "carom/geometry/way_out.h"

#include <cmath>

namespace carom {

double least_reach(const std::array<Reach, 3>& corners) {
  Mat3 G;  // rows: points; columns: directions
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) G(i, j) = corners[i].p.dot(corners[j].n);
  }
  double best = G.rowwise().minCoeff().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    const Vec3 from = G.row(i), turn = Vec3(G.row((i + 1) % 3)) - from;
    // The least of three straight lines over t from 0 to 1 is greatest where two of them cross.
    for (int j = 0; j < 3; ++j) {
      const int k = (j + 1) % 3;
      const double t = (from[k] - from[j]) / (turn[j] - turn[k]);
      if (t > 0 && t < 1) best = std::max(best, Vec3(from + t * turn).minCoeff());
    }
  }
  // wᵀ G = v (1 1 1): w is along the row of 2 × 2 minors that the differences of columns leave.
  const Vec3 u = G.col(1) - G.col(0), v = G.col(2) - G.col(0);
  Vec3 w = u.cross(v);
  const double sum = w.sum();
  if (sum == 0 || !((w / sum).minCoeff() > 0)) return best;
  w /= sum;
  return std::max(best, Vec3(G.transpose() * w).minCoeff());
}

}  // namespace carom
