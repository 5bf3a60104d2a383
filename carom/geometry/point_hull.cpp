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
  // The widest direction of what is left, again and again: all at once would lose those narrower than the root of
  // round-off beside the widest.
  hull.basis.resize(n, std::min(n, m - 1));
  Eigen::MatrixXd left = around;
  for (; hull.dimension < hull.basis.cols(); ++hull.dimension) {
    Eigen::VectorXd widest = symmetric_spectrum(left * left.transpose()).vectors.col(n - 1);
    const auto found = hull.basis.leftCols(hull.dimension);
    for (int pass = 0; pass < 2; ++pass) widest = (widest - found * (found.transpose() * widest)).normalized();
    if (!((widest.transpose() * around).cwiseAbs().maxCoeff() > tolerance)) break;
    hull.basis.col(hull.dimension) = widest;
    left -= (widest * (widest.transpose() * left)).eval();
  }
  hull.basis.conservativeResize(Eigen::NoChange, hull.dimension);
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
