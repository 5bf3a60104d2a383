#include "carom/validation/planar_impact_scores.h"

#include <Eigen/Dense>
#include <cmath>

namespace carom {
namespace {

double kinetic_norm(const Vec3& v, double k) { return Vec3(v[0], v[1], k * v[2]).norm(); }

/// One impact as the moment balance sees it.
struct Change {
  Vec3 velocity;              ///< Δv
  double normal_arm, height;  ///< r_x, −r_z
};

MomentBalance balance_of(const std::vector<Change>& changes, double k) {
  const auto n = static_cast<Eigen::Index>(changes.size());
  Eigen::MatrixX2d X(n, 2);
  Eigen::VectorXd y(n);
  MomentBalance balance;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Change& change = changes[static_cast<std::size_t>(i)];
    const Vec3& d = change.velocity;
    X.row(i) << change.normal_arm * d[1], change.height * d[0];
    y[i] = k * k * d[2];
    // Normal, in (v_x, v_z, k ω), to what impulses at the contact can do.
    const Vec3 normal(-change.height / k, -change.normal_arm / k, 1);
    const Vec3 scaled(d[0], d[1], k * d[2]);
    balance.unexplained += std::abs(normal.dot(scaled)) / (normal.norm() * scaled.norm() * static_cast<double>(n));
  }
  const Eigen::Matrix2d inverse = (X.transpose() * X).inverse();
  const Eigen::Vector2d arms = inverse * (X.transpose() * y);
  const double variance = (y - X * arms).squaredNorm() / static_cast<double>(n - 2);
  for (int i = 0; i < 2; ++i) {
    balance.arms[static_cast<std::size_t>(i)] = arms[i];
    balance.errors[static_cast<std::size_t>(i)] = std::sqrt(variance * inverse(i, i));
  }
  return balance;
}

}  // namespace

PlanarError planar_error(const PlanarImpact& impact, double gyration_radius, const Vec3& predicted) {
  const double k = gyration_radius;
  const Vec3 missed = predicted - impact.after;
  PlanarError error;
  error.kinetic = kinetic_norm(missed, k) / kinetic_norm(impact.after - impact.before, k);
  error.plain = missed.norm() / impact.after.norm();
  error.energy_grown = kinetic_norm(predicted, k) > kinetic_norm(impact.before, k) * (1 + 1e-9);
  return error;
}

double planar_objective(const PlanarImpacts& impacts, const std::vector<Vec3>& predicted) {
  double sum = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    sum += planar_error(impacts.impacts[i], impacts.gyration_radius, predicted[i]).kinetic;
  }
  return sum / static_cast<double>(predicted.size());
}

int planar_fold(std::int64_t number, int count) { return static_cast<int>(number / 2 % count); }

PlanarScore planar_score(const PlanarImpacts& impacts, const std::vector<Vec3>& predicted) {
  PlanarScore score;
  std::vector<double> plain;
  for (std::size_t i = 0; i < predicted.size(); ++i) {
    const PlanarError error = planar_error(impacts.impacts[i], impacts.gyration_radius, predicted[i]);
    score.kinetic.push_back(error.kinetic);
    plain.push_back(error.plain);
    score.energy_grown += error.energy_grown ? 1.0 / static_cast<double>(predicted.size()) : 0.0;
  }
  score.mean = bootstrap_mean(score.kinetic);
  score.median = bootstrap_median(score.kinetic);
  score.plain_median = bootstrap_median(plain);
  return score;
}

MomentBalance moment_balance(const PlanarImpacts& impacts) {
  std::vector<Change> changes;
  changes.reserve(impacts.impacts.size());
  for (const PlanarImpact& impact : impacts.impacts) {
    changes.push_back({impact.after - impact.before, impact.contact[0], -impact.contact[1]});
  }
  return balance_of(changes, impacts.gyration_radius);
}

MomentBalance printed_moment_balance(const PlanarImpacts& impacts) {
  std::vector<Change> changes;
  changes.reserve(impacts.printed.size());
  for (const PrintedImpact& impact : impacts.printed) {
    changes.push_back({impact.after - impact.before, impact.normal_arm, impact.tangential_arm});
  }
  return balance_of(changes, impacts.gyration_radius);
}

}  // namespace carom
