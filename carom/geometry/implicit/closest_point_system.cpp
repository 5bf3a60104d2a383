#include "carom/geometry/implicit/closest_point_system.h"

#include <algorithm>

#include "carom/geometry/implicit/surface_jet.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

using System = ClosestPointSystem;

/// A surface at a point of the world, with gradient and Hessian in the world frame.
SurfaceJet world_jet(const ImplicitSurface& surface, const Transform& X, const Vec3& x) {
  SurfaceJet jet = evaluate(surface, X.R.transpose() * (x - X.p));
  jet.gradient = X.R * jet.gradient;
  jet.hessian = X.R * jet.hessian * X.R.transpose();
  return jet;
}

double greatest(const ImplicitBody& body, const Vec3& x, std::size_t& which) {
  which = 0;
  double value = evaluate(body.surfaces[0], x).value;
  for (std::size_t i = 1; i < body.surfaces.size(); ++i) {
    const double other = evaluate(body.surfaces[i], x).value;
    if (other <= value) continue;
    value = other;
    which = i;
  }
  return value;
}

/// Length of the ray from the inner point along `direction` (body's frame) out of the body, to 1e-3 of it. Also gives
/// the inequality through which it leaves. About 1e3 m at most.
double way_out(const ImplicitBody& body, const Vec3& direction, std::size_t& which) {
  constexpr double farthest = 1e3;
  double inner = 0, outer = 1e-3;
  while (outer < farthest && greatest(body, body.inside + outer * direction, which) < 0) {
    inner = outer;
    outer *= 2;
  }
  while (outer - inner > 1e-3 * outer) {
    const double middle = (inner + outer) / 2;
    (greatest(body, body.inside + middle * direction, which) < 0 ? inner : outer) = middle;
  }
  greatest(body, body.inside + outer * direction, which);
  return outer;
}

}  // namespace

void ClosestPointSystem::residual(const Transform& X_WA, const Transform& X_WB, const Input& z,
                                  Eigen::Ref<VectorX> F) const {
  const Vec3 a1 = z.segment<3>(point_a), a2 = z.segment<3>(point_b), n = z.segment<3>(normal);
  F.segment<3>(0) = a1 - a2;
  if (level_ == Level::none) F.segment<3>(0) -= z[gap] * n;
  const double level_a = level_ == Level::of_a ? z[gap] : 0, level_b = level_ == Level::of_b ? z[gap] : 0;
  Vec3 sum_a = n, sum_b = n;
  for (std::size_t i = 0; i < a_->surfaces.size(); ++i) {
    const int row = multipliers_a + static_cast<int>(i);
    const SurfaceJet jet = world_jet(a_->surfaces[i], X_WA, a1);
    sum_a += z[row] * jet.gradient;
    F[row] = level_a - jet.value;
  }
  for (std::size_t i = 0; i < b_->surfaces.size(); ++i) {
    const int row = multipliers_b() + static_cast<int>(i);
    const SurfaceJet jet = world_jet(b_->surfaces[i], X_WB, a2);
    sum_b -= z[row] * jet.gradient;
    F[row] = level_b - jet.value;
  }
  F.segment<3>(3) = sum_a;
  F.segment<3>(6) = sum_b;
  F[9] = (n.squaredNorm() - 1) / 2;
}

void ClosestPointSystem::jacobian(const Transform& X_WA, const Transform& X_WB, const Input& z,
                                  Eigen::Ref<MatrixX> J) const {
  const Vec3 n = z.segment<3>(normal);
  const Mat3 one = Mat3::Identity();
  J.block<3, 3>(0, point_a) = one;
  J.block<3, 3>(0, point_b) = -one;
  if (level_ == Level::none) {
    J.block<3, 3>(0, normal) = -z[gap] * one;
    J.block<3, 1>(0, gap) = -n;
  } else {
    const auto count = static_cast<Eigen::Index>((level_ == Level::of_a ? a_ : b_)->surfaces.size());
    J.block(level_ == Level::of_a ? multipliers_a : multipliers_b(), gap, count, 1).setOnes();
  }
  J.block<3, 3>(3, normal) = one;
  J.block<3, 3>(6, normal) = one;
  J.block<1, 3>(9, normal) = n.transpose();
  const auto add_body = [&](const ImplicitBody& body, const Transform& X, int point, int first, int rows, double sign) {
    for (std::size_t i = 0; i < body.surfaces.size(); ++i) {
      const int column = first + static_cast<int>(i);
      const SurfaceJet jet = world_jet(body.surfaces[i], X, z.segment<3>(point));
      J.block<3, 3>(rows, point) += sign * z[column] * jet.hessian;
      J.block<3, 1>(rows, column) = sign * jet.gradient;
      J.block<1, 3>(column, point) = -jet.gradient.transpose();
    }
  };
  add_body(*a_, X_WA, point_a, multipliers_a, 3, 1);
  add_body(*b_, X_WB, point_b, multipliers_b(), 6, -1);
}

void ClosestPointSystem::pose_jacobian(const Transform& X_WA, const Transform& X_WB, const Input& z,
                                       Eigen::Ref<MatrixX> J) const {
  // In the world f(x) = f_body(Rᵀ(x − p)). Let r = x − p and g = ∇f. A body moved by (θ, p) has −δf = g·(δp + δθ × r) =
  // (r × g)·δθ + g·δp and  δg = δθ × g − H (δp + δθ × r).
  const auto add_body = [&](const ImplicitBody& body, const Transform& X, int point, int first, int rows, double sign,
                            int column) {
    const Vec3 x = z.segment<3>(point), r = x - X.p;
    for (std::size_t i = 0; i < body.surfaces.size(); ++i) {
      const int row = first + static_cast<int>(i);
      const SurfaceJet jet = world_jet(body.surfaces[i], X, x);
      J.block<3, 3>(rows, column) += sign * z[row] * (jet.hessian * skew(r) - skew(jet.gradient));
      J.block<3, 3>(rows, column + 3) -= sign * z[row] * jet.hessian;
      J.block<1, 3>(row, column) = r.cross(jet.gradient).transpose();
      J.block<1, 3>(row, column + 3) = jet.gradient.transpose();
    }
  };
  add_body(*a_, X_WA, point_a, multipliers_a, 3, 1, 0);
  add_body(*b_, X_WB, point_b, multipliers_b(), 6, -1, 6);
}

void ClosestPointSystem::start(const Transform& X_WA, const Transform& X_WB, const Vec3& direction,
                               Eigen::Ref<VectorX> z) const {
  z.setZero();
  const Vec3 n = direction.normalized();
  const auto place = [&](const ImplicitBody& body, const Transform& X, const Vec3& outwards, int point, int first) {
    std::size_t which = 0;
    const Vec3 along = X.R.transpose() * outwards;
    const Vec3 p = body.inside + way_out(body, along, which) * along;
    z.segment<3>(point) = X * p;
    const double slope = evaluate(body.surfaces[which], p).gradient.norm();
    z[first + static_cast<int>(which)] = 1 / std::max(slope, 1e-3);
  };
  place(*a_, X_WA, -n, point_a, multipliers_a);
  place(*b_, X_WB, n, point_b, multipliers_b());
  z.segment<3>(normal) = n;
  z[gap] = n.dot(z.segment<3>(point_a) - z.segment<3>(point_b));
}

}  // namespace carom
