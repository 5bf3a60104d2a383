#include "carom/study/fit_statistics.h"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows that span the same space, each with a 1 where all others have 0, by pivots of greatest size.
MatrixXd reduced(MatrixXd rows) {
  std::vector<bool> taken(static_cast<std::size_t>(rows.cols()), false);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    Eigen::Index pivot = -1, row = i;
    for (Eigen::Index r = i; r < rows.rows(); ++r) {
      for (Eigen::Index c = 0; c < rows.cols(); ++c) {
        if (taken[static_cast<std::size_t>(c)]) continue;
        if (pivot < 0 || std::abs(rows(r, c)) > std::abs(rows(row, pivot))) {
          pivot = c;
          row = r;
        }
      }
    }
    taken[static_cast<std::size_t>(pivot)] = true;
    rows.row(i).swap(rows.row(row));
    rows.row(i) /= rows(i, pivot);
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
      if (r != i) rows.row(r) -= rows(r, pivot) * rows.row(i);
    }
  }
  return rows;
}

}  // namespace

LossMeans loss_means(Loss loss, const std::vector<double>& residuals) {
  if (loss == Loss::squares || residuals.empty()) return {};
  double slope = 0, square = 0;
  for (const double r : residuals) {
    const double weight = loss_at(loss, r * r).slope;
    square += weight * r * weight * r;
    // ψ′ = ρ′ + 2 r² ρ″: (1 + r²)^(−3/2) of soft_l1, and 0 where Huber's loss is linear.
    slope += loss == Loss::soft_l1 ? weight * weight * weight : weight < 1 ? 0 : 1;
  }
  const auto n = static_cast<double>(residuals.size());
  if (!(slope > 0) || !(square > 0)) return {};
  return {slope / n, slope / square};
}

double noise_of(const std::vector<double>& residuals, double part, Loss loss) {
  if (residuals.empty()) return 1;
  if (loss == Loss::squares) {
    double sum = 0;
    for (const double r : residuals) sum += r * r;
    return std::sqrt(sum / static_cast<double>(residuals.size()) / std::max(1 - part, 1e-3));
  }
  std::vector<double> sizes;
  for (const double r : residuals) sizes.push_back(std::abs(r));
  const auto middle = sizes.begin() + std::ssize(sizes) / 2;
  std::nth_element(sizes.begin(), middle, sizes.end());
  return 1.4826 * *middle / std::sqrt(std::max(1 - part, 1e-3));
}

double rise_at_95(bool noise_is_given, int degrees_left) {
  if (noise_is_given) return boost::math::quantile(boost::math::chi_squared(1), 0.95);
  const double t = boost::math::quantile(boost::math::students_t(std::max(1, degrees_left)), 0.975);
  return t * t;
}

Curvature curvature_of(const MatrixXd& J, const LossMeans& means, double rise) {
  const Eigen::Index n = J.cols();
  Curvature curvature{MatrixXd::Zero(n, n), {}, VectorXd::Zero(n)};
  if (n == 0) return curvature;
  const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeFullV);
  curvature.singular_values.head(svd.singularValues().size()) = svd.singularValues();
  const MatrixXd& V = svd.matrixV();
  std::vector<Eigen::Index> open;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double s = curvature.singular_values[i], unit = means.scale * s * s;
    // Half of the interval reaches as far as from the middle of the range to its end.
    const bool is_open = !(unit * 0.25 * std::pow(V.col(i).cwiseAbs().maxCoeff(), -2) > rise);
    if (is_open) {
      open.push_back(i);
    } else {
      curvature.covariance += V.col(i) * V.col(i).transpose() / (unit * means.slope);
    }
  }
  if (open.empty()) return curvature;
  MatrixXd rows(std::ssize(open), n);
  double largest = 0;
  for (std::size_t i = 0; i < open.size(); ++i) {
    rows.row(static_cast<Eigen::Index>(i)) = V.col(open[i]).transpose();
    largest = std::max(largest, curvature.singular_values[open[i]]);
  }
  rows = reduced(rows);
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    OpenDirection direction{{}, largest};
    const double unit = rows.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < n; ++k) {
      if (std::abs(rows(i, k)) > 0.02 * unit) direction.parts.emplace_back(static_cast<int>(k), rows(i, k) / unit);
    }
    curvature.open.push_back(std::move(direction));
  }
  return curvature;
}

}  // namespace carom
