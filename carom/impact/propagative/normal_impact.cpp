#include "carom/impact/propagative/normal_impact.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "carom/error.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {

namespace {

constexpr double rank_tolerance = 1e-12;
constexpr double symmetry_tolerance = 1e-9;

std::string row(Eigen::Index i) { return "contact " + std::to_string(i); }

void check(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u) {
  if (A.rows() != A.cols()) {
    throw Error("the matrix A of an impact has " + std::to_string(A.rows()) + " rows and " + std::to_string(A.cols()) +
                " columns; it would be square, J M⁻¹ Jᵀ of the normals");
  }
  if (u.size() != A.rows()) {
    throw Error("an impact has " + std::to_string(A.rows()) + " contacts in A and " + std::to_string(u.size()) +
                " velocities; one per contact would be right");
  }
  if (!A.allFinite() || !u.allFinite()) throw Error("an impact has an entry of A or u that is not finite");
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (!(A(i, i) > 0)) throw Error("no impulse moves " + row(i) + ": A has no positive entry on its diagonal there");
  }
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      if (std::abs(A(i, j) - A(j, i)) > symmetry_tolerance * std::sqrt(A(i, i)) * std::sqrt(A(j, j))) {
        throw Error("A of an impact is not symmetric at " + row(i) + " and " + row(j) + "; A = J M⁻¹ Jᵀ would be");
      }
    }
  }
}

}  // namespace

NormalImpact normal_impact(const Eigen::Ref<const Eigen::MatrixXd>& A, const Eigen::Ref<const Eigen::VectorXd>& u) {
  check(A, u);
  NormalImpact impact;
  const Eigen::Index k = u.size();
  impact.length = A.diagonal().cwiseSqrt();
  impact.approach = u.cwiseQuotient(impact.length);
  impact.cosine.resize(k, k);
  for (Eigen::Index j = 0; j < k; ++j) {
    for (Eigen::Index i = 0; i < j; ++i) {
      impact.cosine(i, j) = impact.cosine(j, i) = 0.5 * (A(i, j) + A(j, i)) / (impact.length(i) * impact.length(j));
    }
    impact.cosine(j, j) = 1;
  }
  impact.factor.resize(k, 0);
  if (k == 0) return impact;
  const Spectrum eigen = symmetric_spectrum(impact.cosine);
  const double threshold = rank_tolerance * eigen.values(k - 1);
  if (eigen.values(0) < -symmetry_tolerance) {
    throw Error(
        "A of an impact is not positive semidefinite: some impulses would gain energy; A = J M⁻¹ Jᵀ never is so");
  }
  Eigen::Index null = 0;
  while (eigen.values(null) <= threshold) ++null;
  const Eigen::MatrixXd basis = eigen.vectors.rightCols(k - null);
  impact.factor = basis * eigen.values.tail(k - null).cwiseSqrt().asDiagonal();
  if (impact.approach.norm() > 0) {
    impact.outside = (impact.approach - basis * (basis.transpose() * impact.approach)).norm() / impact.approach.norm();
  }
  return impact;
}

double NormalImpact::reachable_energy() const {
  // The columns of the factor are orthogonal: factor = V √Λ, so p = Λ^−½ Vᵀ w in the basis.
  double energy = 0;
  for (Eigen::Index j = 0; j < rank(); ++j) {
    const double part = factor.col(j).dot(approach) / factor.col(j).squaredNorm();
    energy += 0.5 * part * part;
  }
  return energy;
}

double NormalImpact::scale() const {
  return size() == 0 ? 0 : std::max(std::sqrt(2 * reachable_energy()), approach.cwiseAbs().maxCoeff());
}

}  // namespace carom
