#include "carom/geometry/point_hull.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>

#include "carom/geometry/qhull.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {

PointHull point_hull(const Eigen::Ref<const Eigen::MatrixXd>& points, double tolerance, int largest_dimension) {
  PointHull hull;
  const Eigen::Index n = points.rows(), m = points.cols();
  hull.basis.resize(n, 0);
  if (m == 0) return hull;
  hull.center = points.rowwise().mean();
  const Eigen::MatrixXd around = points.colwise() - hull.center;
  hull.dimension = 0;
  hull.has_size = true;
  if (n == 0 || m == 1) return hull;
  const Eigen::MatrixXd directions = symmetric_spectrum(around * around.transpose()).vectors.rowwise().reverse();
  const Eigen::Index most = std::min(n, m - 1);
  while (hull.dimension < most &&
         (directions.col(hull.dimension).transpose() * around).cwiseAbs().maxCoeff() > tolerance) {
    ++hull.dimension;
  }
  hull.basis = directions.leftCols(hull.dimension);
  if (hull.dimension == 0) return hull;
  Eigen::MatrixXd flat = hull.basis.transpose() * around;
  if (hull.dimension == 1) {
    hull.size = flat.maxCoeff() - flat.minCoeff();
    return hull;
  }
  hull.has_size = hull.dimension <= largest_dimension;
  if (!hull.has_size) return hull;
  Qhull qhull;
  hull.has_size = qhull.run(hull.dimension, static_cast<int>(m), flat.data(), "qhull");
  if (!hull.has_size) return hull;
  qh_getarea(qhull.state(), qhull.state()->facet_list);
  hull.size = qhull.state()->totvol;
  return hull;
}

}  // namespace carom
