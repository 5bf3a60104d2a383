#include "carom/dynamics/divide_and_conquer/handle_algebra.h"

#include <Eigen/Cholesky>
#include <cmath>

namespace carom {

Mat6 to_matrix(const ArticulatedInertia& I) {
  Mat6 P;
  P.topLeftCorner<3, 3>() << I.A.xx, I.A.xy, I.A.xz, I.A.xy, I.A.yy, I.A.yz, I.A.xz, I.A.yz, I.A.zz;
  P.bottomRightCorner<3, 3>() << I.L.xx, I.L.xy, I.L.xz, I.L.xy, I.L.yy, I.L.yz, I.L.xz, I.L.yz, I.L.zz;
  for (int i = 0; i < 3; ++i) {
    P.block<1, 3>(i, 3) = I.C[i].transpose();
    P.block<3, 1>(3, i) = I.C[i];
  }
  return P;
}

ArticulatedInertia to_articulated(const Mat6& P) {
  ArticulatedInertia I;
  I.A = {P(0, 0), P(1, 0), P(2, 0), P(1, 1), P(2, 1), P(2, 2)};
  I.L = {P(3, 3), P(4, 3), P(5, 3), P(4, 4), P(5, 4), P(5, 5)};
  for (int i = 0; i < 3; ++i) I.C[i] = P.block<3, 1>(3, i);
  return I;
}

Mat6 congruent(const Mat6& T, const Mat6& S) {
  const Mat6 ST = S * T;
  Mat6 product = T.transpose() * ST;
  for (int j = 1; j < 6; ++j) {
    for (int i = 0; i < j; ++i) product(i, j) = product(j, i);
  }
  return product;
}

Mat6 semidefinite_root(const Mat6& G, const Vec6& diagonal) {
  constexpr double round_off = 1e-15;
  Mat6 F = Mat6::Zero();
  Vec6 left = G.diagonal();  // diagonal of the remainder of G
  Vec6 unit;
  for (int i = 0; i < 6; ++i) unit[i] = diagonal[i] > 0 ? 1 / diagonal[i] : 0;
  for (int k = 0; k < 6; ++k) {
    int pivot = 0;
    const double size = left.cwiseProduct(unit).maxCoeff(&pivot);
    if (!(size > round_off)) break;
    Vec6 column = G.col(pivot);
    for (int m = 0; m < k; ++m) column -= F(pivot, m) * F.col(m);
    const double root = std::sqrt(left[pivot]);
    column /= root;
    column[pivot] = root;
    for (int i = 0; i < 6; ++i) {
      // Rows that were pivots are done: their part of the column is round-off.
      if (unit[i] == 0) column[i] = 0;
    }
    F.col(k) = column;
    left -= column.cwiseAbs2();
    unit[pivot] = 0;
  }
  return F;
}

Coupling::Coupling(const Mat6& F, const Mat6& P) {
  Mat6 C = congruent(F, P);
  C.diagonal().array() += 1;
  const Eigen::LLT<Mat6> factors(C);
  K = factors.matrixL().solve(F.transpose()).transpose();
  N.noalias() = P * K;
}

}  // namespace carom
