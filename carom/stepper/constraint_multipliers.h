#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/linear/complete_orthogonal.h"
#include "carom/model/model.h"

namespace carom {

/// Multipliers of constraints that may be redundant: λ with A λ = b, A = J M⁻¹ Jᵀ. In general λ makes ‖A λ − b‖ least
/// and, among all that do, Σ A_ii λ_i² least. In these units every row alone moves the mechanism as much. So neither
/// the rank nor the result depends on the units of lengths and angles, and rows that repeat share the load alike.
///
/// A Cholesky factorization row by row finds the rows that depend on those before them: less than 1e-9 of A_ii is left.
/// A complete orthogonal factorization follows only if there are any. O(k³). Keeps its buffers: no allocation for sizes
/// within what was reserved.
class ConstraintMultipliers {
 public:
  void reserve(int rows);

  /// A: k × k, symmetric positive semidefinite. Returns how many rows depend on others.
  int factor(const Eigen::Ref<const Eigen::MatrixXd>& A);
  /// True if the row depended on others in the last factor().
  bool depends(int row) const { return depends_[row] != 0; }
  /// b, lambda: k. lambda may be b.
  void solve(const Eigen::Ref<const Eigen::VectorXd>& b, Eigen::Ref<Eigen::VectorXd> lambda);

 private:
  double* row(int i) { return factor_.data() + static_cast<std::size_t>(i) * rows_; }
  int factor_rows();

  int rows_ = 0, dependent_ = 0;
  std::vector<char> depends_;
  std::vector<double> scaled_, factor_, scale_, right_, left_;
  CompleteOrthogonal factorization_;
};

/// A constraint some of whose rows say nothing that the others do not say.
struct Redundancy {
  int constraint = 0;  ///< index in Model::constraints()
  int rows = 0;        ///< how many of its rows depend on its own and on those of the constraints before it
};

/// By the rank of J at q, which may differ from place to place. Empty where the constraints are independent.
std::vector<Redundancy> redundant_constraints(const Model& model, const VectorX& q, double time);

}  // namespace carom
