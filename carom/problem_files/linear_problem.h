#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace carom {

/// A mixed linear complementarity problem that owns its data (Cottle, Pang and Stone, The Linear Complementarity
/// Problem, 1992, section 1.5). Find z with w = M z + q and, row by row,
///
///     0 ≤ w_i ⊥ z_i ≥ 0  of complementary rows,      w_i = 0, z_i free  of equations
///
/// M: n × n, any; q, z, w: n. Without equations it is the linear complementarity problem (LCP). A problem with more
/// equations than free unknowns is filled up with unknowns that do nothing; one with fewer, with equations 0 = 0.
struct LinearProblem {
  Eigen::MatrixXd M;
  Eigen::VectorXd q;
  std::vector<bool> complementary;   ///< n
  std::vector<int> unknown, row;     ///< where the file's unknowns and rows are in z and w
  std::vector<std::string> remarks;  ///< of reading, a sentence without its full stop each

  Eigen::Index size() const { return q.size(); }
  Eigen::Index pairs() const;
};

/// Quality of a solution z, from the problem and z alone, dimensionless. All w are relative to t, the largest |q_i| (1
/// if that is zero). Each z_i is measured in two ways, and the larger one counts. One is |z_i| / s, with s the largest
/// |z_j| of pairs. The other is the effect on w, max_j |M_ji| |z_i| / t. So unknowns that run away excuse no others. At
/// a residual r the zeros of pairs become exact if q changes by 2 n r of its largest entry.
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
