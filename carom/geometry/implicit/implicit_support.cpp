#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

constexpr int most_active = 3, most_newton_steps = 40, most_rounds = 12, most_turns = 500;

using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3 + most_active, 1>;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 + most_active, 3 + most_active>;

/// The inequalities that hold the farthest point, and their multipliers.
struct Active {
  int count = 0;
  std::array<int, most_active> which{};
  std::array<double, most_active> multiplier{};

  bool has(int i) const { return std::find(which.begin(), which.begin() + count, i) != which.begin() + count; }
  void drop(int place) {
    for (int k = place; k + 1 < count; ++k) {
      which[k] = which[k + 1];
      multiplier[k] = multiplier[k + 1];
    }
    --count;
  }
};

/// Newton's method on d = Σ λᵢ ∇fᵢ(x), fᵢ(x) = 0. False if it does not settle.
bool settle(const ImplicitSolid& solid, const Vec3& d, Active& active, Vec3& x) {
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_newton_steps; ++step) {
    const int n = 3 + active.count;
    Square A = Square::Zero(n, n);
    Column r(n);
    Vec3 left = d;
    for (int k = 0; k < active.count; ++k) {
      const SurfaceJet jet = evaluate(solid.body.surfaces[active.which[k]], x);
      A.topLeftCorner<3, 3>() += active.multiplier[k] * jet.hessian;
      A.block<3, 1>(0, 3 + k) = jet.gradient;
      A.block<1, 3>(3 + k, 0) = jet.gradient.transpose();
      left -= active.multiplier[k] * jet.gradient;
      r[3 + k] = -jet.value;
    }
    r.head<3>() = left;
    const double missed = std::max(left.norm(), r.tail(active.count).cwiseAbs().maxCoeff() / solid.radius);
    if (!std::isfinite(missed)) return false;
    if (missed <= 1e-15 || (missed <= 1e-12 && missed >= 0.5 * last)) return true;
    last = missed;
    // A flat surface leaves directions without a slope: a little of one settles as well.
    A.topLeftCorner<3, 3>() += 1e-9 / solid.radius * Mat3::Identity();
    Column change = A.fullPivLu().solve(r);
    const double most = 0.25 * solid.radius, length = change.head<3>().norm();
    if (length > most) change *= most / length;
    x += change.head<3>();
    for (int k = 0; k < active.count; ++k) active.multiplier[k] += change[3 + k];
  }
  return false;
}

/// Takes in what is violated, lets go what pulls. True if the set has changed.
bool exchange(const ImplicitSolid& solid, const Vec3& x, Active& active, bool& failed) {
  const auto* least = std::min_element(active.multiplier.begin(), active.multiplier.begin() + active.count);
  if (*least < -1e-12) {
    active.drop(static_cast<int>(least - active.multiplier.begin()));
    failed = active.count == 0;
    return true;
  }
  int worst = -1;
  double value = 1e-13 * solid.radius;
  for (int i = 0; i < static_cast<int>(solid.body.surfaces.size()); ++i) {
    if (active.has(i)) continue;
    const double f = evaluate(solid.body.surfaces[i], x).value;
    if (!(f > value)) continue;
    value = f;
    worst = i;
  }
  if (worst < 0) return false;
  failed = active.count == most_active;
  if (failed) return true;
  active.which[active.count] = worst;
  active.multiplier[active.count++] = 0;
  return true;
}

/// T (Tᵀ Σ λᵢ ∇²fᵢ T)⁻¹ Tᵀ, T the directions that leave every active inequality as it is.
Mat3 hessian_of(const ImplicitSolid& solid, const Active& active, const Vec3& x) {
  Mat3 bend = Mat3::Zero();
  std::array<Vec3, most_active> slopes;
  for (int k = 0; k < active.count; ++k) {
    const SurfaceJet jet = evaluate(solid.body.surfaces[active.which[k]], x);
    bend += active.multiplier[k] * jet.hessian;
    slopes[k] = jet.gradient;
  }
  const double least = 1e-10 / solid.radius;  // flatter than that counts as that
  if (active.count == 1) {
    const Vec3 u = slopes[0].unitOrthogonal(), v = slopes[0].normalized().cross(u);
    Mat2 across;
    across << u.dot(bend * u), u.dot(bend * v), v.dot(bend * u), v.dot(bend * v);
    across += least * Mat2::Identity();
    Eigen::Matrix<double, 3, 2> T;
    T << u, v;
    return T * across.inverse() * T.transpose();
  }
  if (active.count > 2) return Mat3::Zero();
  const Vec3 t = slopes[0].cross(slopes[1]).normalized();
  return t * t.transpose() / std::max(least, t.dot(bend * t));
}

/// Finds by rays turned by less and less what no Newton's method finds.
Vec3 climb(const ImplicitSolid& solid, const Vec3& d, const Vec3& start) {
  Vec3 ray = (start - solid.body.inside).normalized(), best = start;
  double turn = 0.05;
  for (int step = 0; step < most_turns && turn > 1e-9; ++step) {
    bool risen = false;
    const Vec3 u = ray.unitOrthogonal(), v = ray.cross(u);
    for (int k = 0; k < 8; ++k) {
      const double angle = k * std::numbers::pi / 4;
      const Vec3 next = (ray + turn * (std::cos(angle) * u + std::sin(angle) * v)).normalized();
      const Vec3 point = solid.body.inside + ray_length(solid.body, next) * next;
      if (!(point.dot(d) > best.dot(d) + 1e-15 * solid.radius)) continue;
      best = point;
      ray = next;
      risen = true;
      break;
    }
    if (!risen) turn *= 0.5;
  }
  return best;
}

}  // namespace

Support implicit_support(const ImplicitSolid& solid, const Vec3& direction) {
  const Vec3 d = direction.normalized();
  std::size_t best = 0;
  double reach = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < solid.points.size(); ++i) {
    const double here = d.dot(solid.points[i]);
    if (here <= reach) continue;
    reach = here;
    best = i;
  }
  Active active;
  active.count = 1;
  active.which[0] = solid.ends[best];
  active.multiplier[0] = 1;
  Vec3 x = solid.points[best];
  bool failed = false;
  for (int round = 0; round < most_rounds && !failed; ++round) {
    if (!settle(solid, d, active, x)) break;
    if (!exchange(solid, x, active, failed)) return {x, hessian_of(solid, active, x)};
  }
  return {climb(solid, d, solid.points[best]), Mat3::Zero()};
}

}  // namespace carom
