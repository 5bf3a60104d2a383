#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "carom/complementarity/contact_operator.h"
#include "carom/dynamics/delassus.h"
#include "carom/dynamics/divide_and_conquer/divide_and_conquer.h"
#include "carom/dynamics/divide_and_conquer/wrench_columns.h"
#include "carom/dynamics/workspace.h"
#include "carom/numerics/cholesky.h"
#include "carom/stepper/method.h"

namespace carom {

/// Rows above which A is left in its factors: as a matrix it would take more room and time than all the rest.
inline constexpr std::size_t most_dense_rows = 48;

/// Applies (M + diag(extra))⁻¹ in a step, by one of three means. The first is the O(n) recursion. Divide and conquer,
/// the second, leaves the same factors, but finds them and solves level by level, and carries contact columns along its
/// tree. Cholesky factors of the whole matrix know nothing of the others and serve as their reference. Keeps its
/// buffers: no allocation for sizes seen before.
class MassOperator {
 public:
  MassOperator(const Model& model, DynamicsKind kind);

  /// True if build_factors is there.
  bool takes_factors() const { return kind_ != DynamicsKind::dense; }
  /// Needs forward_kinematics in the workspace, which is also what later calls use. `extra`: nv entries.
  void factor(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace);
  /// x = (M + diag(extra))⁻¹ b. x may be b.
  void solve(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x);
  /// Makes room for so many rows, and their A.
  void reserve(const Model& model, int rows);
  /// J and A = J (M + diag(extra))⁻¹ Jᵀ + diag(compliance) of these rows.
  void build(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace);
  /// J of these rows alone, with neither A nor contact_operator().
  void build_rows(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace);
  /// The same with A in factors, and as a matrix for the first `leading` rows alone. Not of the dense kind.
  void build_factors(const Model& model, const std::vector<ConstraintRow>& rows, int leading,
                     DynamicsWorkspace& workspace);

  int row_count() const { return delassus_.row_count(); }
  /// A in the form that it was built in.
  ContactOperator contact_operator() const;
  /// A as a matrix; after build_factors that of the leading rows.
  Eigen::Map<const MatrixX> delassus() const;
  double diagonal(int row) const { return delassus_.diagonal(row); }
  /// J, written out.
  MatrixX jacobian() const { return delassus_.jacobian(); }
  /// f += Jᵀ p.
  void add_transposed(const Eigen::Ref<const VectorX>& p, Eigen::Ref<VectorX> f) const {
    delassus_.add_transposed(p, f);
  }
  /// y = J v, row_count() entries.
  void apply(const VectorX& v, Eigen::Ref<VectorX> y) const { delassus_.apply(v, y); }
  /// v += (M + diag(extra))⁻¹ Jᵀ p.
  void add_response(const Eigen::Ref<const VectorX>& p, VectorX& v);
  /// M + diag(extra), for DynamicsKind::dense only.
  const MatrixX& matrix() const { return matrix_; }

 private:
  DynamicsKind kind_;
  Delassus delassus_;
  std::optional<DivideAndConquer> assemblies_;  // of that kind
  WrenchColumns columns_;
  bool in_factors_ = false;
  ContactFactors contact_factors_;
  MatrixX matrix_;
  Cholesky factors_;
  std::vector<double> dense_, response_;  // A and M⁻¹Jᵀ of the dense kind
  VectorX scratch_;
};

}  // namespace carom
