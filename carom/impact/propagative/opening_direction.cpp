#include "carom/impact/propagative/opening_direction.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/linear/nonnegative_least_squares.h"

namespace carom {

OpeningDirection opening_direction(const NormalImpact& impact) {
  OpeningDirection opening;
  const Eigen::Index k = impact.size(), r = impact.rank();
  if (k == 0) {
    opening.exists = true;
    opening.margin = 1;
    opening.weights.resize(0);
    return opening;
  }
  Eigen::MatrixXd B(r + 1, k);
  B.topRows(r) = impact.factor.transpose();
  B.row(r).setOnes();
  Eigen::VectorXd b = Eigen::VectorXd::Zero(r + 1);
  b(r) = 1;
  opening.weights = Eigen::VectorXd::Zero(k);
  nonnegative_least_squares(B, b, {}, NonnegativeOptions{}, opening.weights);
  opening.weights /= opening.weights.sum();  // > 0: any one normal alone brings the residual below 1
  // Judged by the matrix itself, not by what the solver minimized.
  const Eigen::VectorXd product = impact.cosine * opening.weights;
  const double norm = std::sqrt(std::max(0.0, opening.weights.dot(product)));
  const double least = product.minCoeff();
  opening.exists = norm > 1e-6 && least > 1e-6 * norm;
  if (opening.exists) opening.margin = least / norm;
  return opening;
}

}  // namespace carom
