#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/complementarity/mixed/mixed_ncp.h"

namespace carom {

/// Place where a Jacobian disagrees most with differences of its function.
struct JacobianReport {
  bool agrees = true;
  double error = 0;        ///< of the worst entry, see check_jacobian
  int row = -1;            ///< of the worst entry; −1 if there is none
  int column = -1;         ///< of the worst entry; −1 if there is none
  double given = 0;        ///< what the Jacobian says there
  double difference = 0;   ///< what differences say there
  double uncertainty = 0;  ///< of the difference: round-off and curvature
  int unchecked = 0;       ///< columns about which the function is not defined in the box, and of fixed unknowns
  std::string sentence;
};

/// Compares the Jacobian of a problem at x with differences of its function, entry by entry:
///
///     D_ij = (F_i(x + h e_j) − F_i(x − h e_j)) / 2h,    h = ∛ε max(|x_j|, s_j),   ε = 2.2e-16,
///
/// where s are the problem's sizes (ones if none). Near a bound D is the one-sided difference of second order from two
/// points within, and h is shorter in a narrow box. So F is only called in the box. The uncertainty of D is U = 2 |D(h)
/// − D(h/2)| plus 10 ε |F_i| / h. The error of an entry is (|J_ij − D_ij| − U)₊ / max(|J_ij|, |D_ij|, 1e-8 of the
/// largest entry of the row). The entries of that row are compared in sizes of their unknowns. The report agrees if no
/// error is above `tolerance`. At kinks of F the uncertainty covers anything; choose points apart from them. If F or J
/// is not defined at x itself, agrees is false and the sentence says so. Cost: four function calls per unknown.
/// Allocates.
JacobianReport check_jacobian(const MixedNcp& problem, const Eigen::Ref<const Eigen::VectorXd>& x,
                              double tolerance = 1e-5);

}  // namespace carom
