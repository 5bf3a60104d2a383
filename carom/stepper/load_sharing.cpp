#include "carom/stepper/load_sharing.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

using Wrench = Eigen::Matrix<double, 9, 1>;
using Square = Eigen::Matrix<double, 9, 9>;

constexpr double rank_tolerance = 1e-10;  // of eigenvalues of W Wᵀ
constexpr double resultant_tolerance = 1e-14;

/// Force and torques about `center`, torques in units of `arm`.
Wrench wrench_of(const ConstraintRow& row, const Vec3& center, double arm) {
  Wrench wrench;
  wrench << row.direction, (row.point_a - center).cross(row.direction) / arm,
      (row.point_b - center).cross(row.direction) / arm;
  return wrench;
}

bool is_allowed(const Block& block, const Vec3& p, int directions) {
  if (!(p.z() >= 0)) return false;
  // Within the circle that the polygon holds, whatever its corners.
  const double rim = directions == 0 ? 1 : std::cos(std::numbers::pi / directions);
  Eigen::Vector2d share;
  for (int axis = 0; axis < 2; ++axis) {
    if (block.friction[axis] == 0 && p[axis] != 0) return false;
    share[axis] = block.friction[axis] > 0 ? p[axis] / block.friction[axis] : 0;
  }
  return share.norm() <= rim * p.z();
}

}  // namespace

bool LoadSharing::share(std::span<const SharedContact> pair, double still, int directions) {
  members_.clear();
  for (const SharedContact& contact : pair) {
    const Block& block = *contact.block;
    const bool pushes = contact.impulse[2] > 0;
    const bool closed = std::abs(contact.velocity[2] + block.offset) <= still;
    const bool sticks = std::hypot(contact.velocity[0], contact.velocity[1]) <= still;
    if (pushes && !(closed && sticks && block.friction.minCoeff() > 0)) return false;
    if (closed && sticks && block.friction.minCoeff() > 0) members_.push_back(contact);
  }
  if (members_.size() < 2) return false;
  Vec3 center = Vec3::Zero();
  for (const SharedContact& contact : members_) center += contact.rows->point_a / static_cast<double>(members_.size());
  double arm = 0;
  for (const SharedContact& contact : members_) arm = std::max(arm, (contact.rows->point_a - center).norm());
  if (!(arm > 0)) return false;

  Square product = Square::Zero();
  Wrench whole = Wrench::Zero();
  for (const SharedContact& contact : members_) {
    for (int i = 0; i < 3; ++i) {
      const Wrench wrench = wrench_of(contact.rows[i], center, arm);
      product += wrench * wrench.transpose();
      whole += contact.impulse[i] * wrench;
    }
  }
  const Eigen::SelfAdjointEigenSolver<Square> spectrum(product);
  const double least = rank_tolerance * spectrum.eigenvalues()[8];
  const auto solve = [&](const Wrench& b) {
    Wrench x = Wrench::Zero();
    for (int k = 0; k < 9; ++k) {
      const double value = spectrum.eigenvalues()[k];
      if (value > least) x += spectrum.eigenvectors().col(k) * (spectrum.eigenvectors().col(k).dot(b) / value);
    }
    return x;
  };
  const auto impulse_of = [&](const SharedContact& contact, const Wrench& multiplier) {
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = wrench_of(contact.rows[i], center, arm).dot(multiplier);
    return p;
  };
  Wrench multiplier = solve(whole);
  multiplier += solve(whole - product * multiplier);  // what round-off left
  if ((whole - product * multiplier).norm() >
      resultant_tolerance * static_cast<double>(members_.size()) * whole.norm()) {
    return false;
  }
  for (const SharedContact& contact : members_) {
    if (!is_allowed(*contact.block, impulse_of(contact, multiplier), directions)) return false;
  }
  for (const SharedContact& contact : members_) {
    Eigen::Map<Vec3>(contact.impulse) = impulse_of(contact, multiplier);
  }
  return true;
}

}  // namespace carom
