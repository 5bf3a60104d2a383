#include "carom/spatial/exponential_product.h"

#include <cmath>

namespace carom {

Transform exponential_of_twist(const Vec6& twist) {
  const Vec3 r = twist.head<3>(), v = twist.tail<3>();
  if (r.isZero(0)) return {Mat3::Identity(), v};
  // p = (1 + B [r] + C [r]²) v with B = (1 − cos θ)/θ² and C = (θ − sin θ)/θ³. This is Lynch and Park 2017, eq. 3.88,
  // with the turn θ = |r| taken into r. B and C come from their series where the quotients would lose digits.
  const double turn = r.norm();
  const bool small = turn < 1e-4;
  const double half = std::sin(0.5 * turn);
  const double B = small ? 0.5 - turn * turn / 24 : 2 * half * half / (turn * turn);
  const double C = small ? 1.0 / 6 - turn * turn / 120 : (turn - std::sin(turn)) / (turn * turn * turn);
  const Vec3 rv = r.cross(v);
  return {exponential(r).toRotationMatrix(), v + B * rv + C * r.cross(rv)};
}

ExponentialProduct exponential_product(const Twists& twists, Eigen::Ref<const VectorX> q) {
  ExponentialProduct product;
  product.S.resize(6, twists.cols());
  // From the last factor to the first: X holds what comes after factor k, through which its twist is seen.
  for (Eigen::Index k = twists.cols() - 1; k >= 0; --k) {
    product.S.col(k) = product.X.inverse_motion(twists.col(k));
    product.X = exponential_of_twist(twists.col(k) * q[k]) * product.X;
  }
  return product;
}

Vec6 exponential_product_bias(const Twists& S, Eigen::Ref<const VectorX> rates) {
  Vec6 bias = Vec6::Zero(), later = Vec6::Zero();  // motion of the factors after k
  for (Eigen::Index k = S.cols() - 1; k >= 0; --k) {
    const Vec6 own = S.col(k) * rates[k];
    bias += cross_motion(own, later);
    later += own;
  }
  return bias;
}

}  // namespace carom
