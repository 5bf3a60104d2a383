#pragma once

#include <Eigen/Core>

#include "carom/complementarity/contact_problem.h"

namespace carom::bench {

/// Stewart and Trinkle's problem of cones with isotropic friction μ > 0, written out for solvers of dense LCPs. The
/// unknowns are c_n of all contacts; then β, K per contact; then λ (theory as in
/// carom/complementarity/polyhedral/polyhedral.h).
struct StewartTrinkleLcp {
  Eigen::MatrixXd R;
  Eigen::VectorXd q;
  Eigen::MatrixXd D;  ///< 3 n × (n + K n): impulses p = D (c_n, β)
  Eigen::VectorXd impulse(const Eigen::VectorXd& z) const { return D * z.head(D.cols()); }
};

StewartTrinkleLcp stewart_trinkle_lcp(const ContactProblem& problem, int directions);

}  // namespace carom::bench
