#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace carom {

/// A mixed linear complementarity problem (Cottle, Pang and Stone, The Linear Complementarity Problem, 1992, section
/// 1.5) that owns its data: find z with w = M z + q and, row by row,
///
///     0 ≤ w_i ⊥ z_i ≥ 0  of complementary rows,      w_i = 0, z_i free  of equations
///
/// M: n × n, any; q, z, w: n. Without equations it is the linear complementarity problem (LCP). A problem with more
/// equations than free unknowns, or fewer, is filled up with unknowns that do nothing, or equations 0 = 0.
struct LinearProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
  std::vector<bool> complementary;   ///< n
  std::vector<int> unknown, row;     ///< where the file's unknowns and rows are in z and w
  std::vector<std::string> remarks;  ///< of reading, a sentence without its full stop each

  Eigen::Index size() const { return q.size(); }
  Eigen::Index pairs() const;
};

/// Quality of a solution z, from the problem and z alone. Dimensionless: w is relative to t, the largest |q_i| (1 where
/// that is zero), and z_i to its largest entry s or, if that is more, in what it does to w, max_j |M_ji| |z_i| / t:
/// unknowns that run away excuse no others. So where the residual is r the zeros of pairs are zero at the price of a
/// change of q by 2 n r of its largest entry.
struct LinearCertificate {
  double equations = 0;        ///< max |w_i| / t of equations
  double negative_z = 0;       ///< max (−z_i)₊, relative as above
  double negative_w = 0;       ///< max (−w_i)₊ / t
  double complementarity = 0;  ///< max min(|z_i|, |w_i|), relative as above
  double round_off = 0;  ///< max ε Σ_j |M_ij z_j| / t: how far w is known where it is a difference of large terms
  double residual = 0;   ///< the largest of them; infinite where a number is not finite
};

/// w: n, is written. O(n²).
LinearCertificate certify(const LinearProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& z,
                          Eigen::Ref<Eigen::VectorXd> w);

}  // namespace carom
