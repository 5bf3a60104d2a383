#include "carom/dynamics/twists_joint.h"

#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

using JointMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

}  // namespace

/// With D = E C E and C of unit diagonal, D⁺ is E⁻¹ C⁺ E⁻¹. Among the accelerations that answer a force it gives the
/// one with least Σ D_kk v̇_k², which does not depend on units.
void factor_twists(const TreeNode& node, const double* extra, JointColumn* columns, ArticulatedInertia& I,
                   Mat6& D_inverse) {
  constexpr double singular = 1e-12;  // of C's eigenvalues, whose mean is 1: closer to a lock than about 1e-6 rad
  const int size = node.velocity_size;
  JointMatrix D(size, size);
  for (int k = 0; k < size; ++k) {
    columns[k].U = I * columns[k].S;
    for (int l = 0; l <= k; ++l) D(l, k) = D(k, l) = dot(columns[k].U, columns[l].S);
  }
  for (int k = 0; k < size; ++k) D(k, k) += columns[k].reflected_inertia + (extra ? extra[k] : 0.0);
  const JointVector e = D.diagonal().cwiseSqrt().cwiseInverse();
  const SmallSpectrum C = small_spectrum(e.asDiagonal() * D * e.asDiagonal());
  D_inverse.setZero();
  for (int m = 0; m < size; ++m) {
    if (C.values[m] <= singular) continue;
    const double weight = 1 / C.values[m];
    const JointVector t = e.cwiseProduct(C.vectors.col(m));
    D_inverse.topLeftCorner(size, size) += weight * t * t.transpose();
    Force U;
    for (int k = 0; k < size; ++k) U += {t[k] * columns[k].U.moment, t[k] * columns[k].U.force};
    I.eliminate(U, weight);
  }
}

void gather_twists(const TreeNode& node, const JointColumn* columns, const Mat6& D_inverse, double* x, Force& f) {
  const int size = node.velocity_size;
  for (int k = 0; k < size; ++k) x[k] -= dot(f, columns[k].S);
  for (int k = 0; k < size; ++k) {
    double acceleration = 0;
    for (int l = 0; l < size; ++l) acceleration += D_inverse(k, l) * x[l];
    f += {acceleration * columns[k].U.moment, acceleration * columns[k].U.force};
  }
}

void spread_twists(const TreeNode& node, const JointColumn* columns, const Mat6& D_inverse, double* x, Motion& a) {
  const int size = node.velocity_size;
  JointVector u(size);
  for (int k = 0; k < size; ++k) u[k] = x[k] - dot(columns[k].U, a);
  Eigen::Map<Eigen::VectorXd>(x, size).noalias() = D_inverse.topLeftCorner(size, size) * u;
  for (int k = 0; k < size; ++k) a += {x[k] * columns[k].S.angular, x[k] * columns[k].S.linear};
}

}  // namespace carom
