#include "carom/problem_files/linear_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

Eigen::Index LinearProblem::pairs() const { return std::count(complementary.begin(), complementary.end(), true); }

LinearCertificate certify(const LinearProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& z,
                          Eigen::Ref<Eigen::VectorXd> w) {
  LinearCertificate certificate;
  const Eigen::Index n = problem.size();
  double s = 0, t = 0, terms = 0;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (problem.complementary[static_cast<std::size_t>(i)]) s = std::max(s, std::abs(z(i)));
    double sum = problem.q(i);
    t = std::max(t, std::abs(problem.q(i)));
    double row_terms = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
      sum += problem.M(i, j) * z(j);
      row_terms += std::abs(problem.M(i, j) * z(j));
    }
    terms = std::max(terms, row_terms);
    w(i) = sum;
  }
  if (!z.allFinite() || !w.allFinite()) {
    certificate.residual = std::numeric_limits<double>::infinity();
    return certificate;
  }
  if (s == 0) s = 1;
  if (t == 0) t = 1;
  certificate.round_off = std::numeric_limits<double>::epsilon() * terms / t;
  for (Eigen::Index i = 0; i < n; ++i) {
    if (!problem.complementary[static_cast<std::size_t>(i)]) {
      certificate.equations = std::max(certificate.equations, std::abs(w(i)) / t);
      continue;
    }
    const double size = std::max(std::abs(z(i)) / s, problem.M.col(i).cwiseAbs().maxCoeff() * std::abs(z(i)) / t);
    if (z(i) < 0) certificate.negative_z = std::max(certificate.negative_z, size);
    certificate.negative_w = std::max(certificate.negative_w, -w(i) / t);
    certificate.complementarity = std::max(certificate.complementarity, std::min(size, std::abs(w(i)) / t));
  }
  certificate.residual = std::max({certificate.equations, certificate.negative_z, certificate.negative_w,
                                   certificate.complementarity, certificate.round_off});
  return certificate;
}

}  // namespace carom
