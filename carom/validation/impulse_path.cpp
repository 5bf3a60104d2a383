#include "carom/validation/impulse_path.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/error.h"

namespace carom {

using Eigen::Matrix3d;
using Eigen::Vector3d;

void ImpulsePath::add(const Vector3d& v, const Vector3d& p) {
  if (!normal.empty() && p[2] <= normal.back()) {  // no progress: the later state holds
    velocity.back() = v;
    impulse.back() = p;
    return;
  }
  normal.push_back(p[2]);
  velocity.push_back(v);
  impulse.push_back(p);
}

std::pair<Vector3d, Vector3d> ImpulsePath::at(double normal_impulse) const {
  const auto above = std::lower_bound(normal.begin(), normal.end(), normal_impulse);
  if (above == normal.begin()) return {velocity.front(), impulse.front()};
  if (above == normal.end()) return {velocity.back(), impulse.back()};
  const auto i = static_cast<std::size_t>(above - normal.begin());
  const double share = (normal_impulse - normal[i - 1]) / (normal[i] - normal[i - 1]);
  return {velocity[i - 1] + share * (velocity[i] - velocity[i - 1]),
          impulse[i - 1] + share * (impulse[i] - impulse[i - 1])};
}

double ImpulsePath::compression() const {
  // The normal velocity at the end of compression is zero to round-off, of either sign.
  const double rest = 1e-9 * std::abs(velocity.front()[2]);
  for (std::size_t i = 0; i < normal.size(); ++i) {
    const double after = velocity[i][2];
    if (after < -rest) continue;
    if (i == 0 || after <= rest) return normal[i];
    const double before = velocity[i - 1][2];
    return normal[i - 1] + (normal[i] - normal[i - 1]) * before / (before - after);
  }
  return normal.back();
}

int ImpulsePath::rolling_phase() const {
  if (rolls_at < 0) return 0;
  return rolls_at < compression() ? 1 : 2;
}

PathDistance distance(const ImpulsePath& a, const ImpulsePath& b) {
  PathDistance result;
  const double end = std::min(a.normal.back(), b.normal.back());
  for (const std::vector<double>* points : {&a.normal, &b.normal}) {
    for (const double normal : *points) {
      if (normal > end) break;
      const auto [v, p] = a.at(normal);
      const auto [w, q] = b.at(normal);
      result.velocity = std::max(result.velocity, (v - w).head<2>().norm());
      result.impulse = std::max(result.impulse, (p - q).head<2>().norm());
    }
  }
  return result;
}

ImpulsePath path_of(const PlusTrace& trace, const Eigen::VectorXd& u, int block, int row) {
  ImpulsePath path;
  Vector3d p = Vector3d::Zero();
  path.add(u.segment<3>(row), p);
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    if (path.rolls_at < 0 && trace.motion(i, block) == PlusMotion::rolling) path.rolls_at = p[2];
    p += trace.impulse_of(i).segment<3>(row);
    path.add(trace.velocity_after(i).segment<3>(row), p);
  }
  return path;
}

ImpulsePath path_of(const CompliantTrace& trace, int row, double rest) {
  ImpulsePath path;
  for (std::size_t i = 0; i < trace.time.size(); ++i) {
    const Vector3d v = trace.velocity_at(i).segment<3>(row), p = trace.impulse_at(i).segment<3>(row);
    if (path.rolls_at < 0 && v.head<2>().norm() < rest) path.rolls_at = p[2];
    path.add(v, p);
  }
  return path;
}

namespace {

/// Keller's flow of one contact.
struct Flow {
  Matrix3d A;
  double friction;

  Vector3d direction(const Vector3d& u) const {
    const double slip = u.head<2>().norm();
    return {-friction * u[0] / slip, -friction * u[1] / slip, 1};
  }
  /// Impulse of a step of the normal impulse h from the velocity u.
  Vector3d step(const Vector3d& u, double h) const {
    const Vector3d a = direction(u), b = direction(u + h / 2 * A * a), c = direction(u + h / 2 * A * b);
    return h / 6 * (a + 2 * b + 2 * c + direction(u + h * A * c));
  }
  /// Impulse per normal impulse that keeps the slip.
  Vector3d stick() const {
    Vector3d way(0, 0, 1);
    way.head<2>() = -A.topLeftCorner<2, 2>().inverse() * A.topRightCorner<2, 1>();
    if (way.head<2>().norm() > friction) {
      throw Error("the slip of this contact ends and begins again: Keller's equations need the new direction");
    }
    return way;
  }
};

}  // namespace

ImpulsePath keller_path(const Matrix3d& A, const Vector3d& u, double friction, double restitution, double fineness) {
  const Flow flow{A, friction};
  ImpulsePath path;
  Vector3d p = Vector3d::Zero(), v = u;
  path.add(v, p);
  double owed = INFINITY;  // normal impulse at the end; not known before compression has ended
  while (p[2] < owed) {
    const bool sticks = v.head<2>().norm() < 1e-10 * u.norm();
    if (sticks && path.rolls_at < 0) path.rolls_at = p[2];
    const Vector3d rate = A * (sticks ? flow.stick() : flow.direction(v));
    double h = sticks ? INFINITY : fineness * std::min(u.norm() / A(2, 2), v.head<2>().norm() / rate.head<2>().norm());
    h = std::min(h, owed - p[2]);
    const auto impulse = [&](double length) -> Vector3d {
      return sticks ? length * flow.stick() : flow.step(v, length);
    };
    if (std::isinf(owed)) {
      // Newton's method for the step on which the normal velocity ends at zero.
      double to_rest = -v[2] / rate[2];
      for (int i = 0; i < 4 && to_rest < 2 * h && !sticks; ++i)
        to_rest -= (v[2] + A.row(2) * impulse(to_rest)) / rate[2];
      if (to_rest <= h) {
        h = to_rest;
        owed = (1 + restitution) * (p[2] + h);
      }
    }
    const double end = p[2] + h;
    p += impulse(h);
    p[2] = end;
    v = u + A * p;
    path.add(v, p);
  }
  return path;
}

}  // namespace carom
