#include "carom/stepper/mass_operator.h"

#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {

MassOperator::MassOperator(const Model& model, DynamicsKind kind)
    : kind_(kind), scratch_(VectorX::Zero(model.velocity_count())) {
  if (kind_ == DynamicsKind::divide_and_conquer) assemblies_.emplace(model);
  if (kind_ == DynamicsKind::dense) {
    matrix_.resize(model.velocity_count(), model.velocity_count());
    factors_ = Cholesky(model.velocity_count());
  }
}

void MassOperator::factor(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace) {
  if (assemblies_) {
    assemblies_->factor(model, extra, workspace);
    return;
  }
  factor_mass(model, extra, workspace);
  if (kind_ != DynamicsKind::dense) return;
  mass_matrix(model, workspace, matrix_);
  matrix_.diagonal() += extra;
  factors_.compute(matrix_);
}

void MassOperator::solve(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x) {
  if (kind_ == DynamicsKind::articulated) {
    solve_mass(model, b, workspace, x);
    return;
  }
  if (assemblies_) {
    assemblies_->solve(model, b, workspace, x);
    return;
  }
  x = b;
  factors_.solveInPlace(x);
}

void MassOperator::reserve(const Model& model, int rows) {
  delassus_.reserve(model, rows);
  if (assemblies_) columns_.reserve(model, assemblies_->tree(), rows);
  if (kind_ != DynamicsKind::dense) return;
  const std::size_t k = rows, n = model.velocity_count();
  if (dense_.size() < k * k) dense_.resize(k * k);
  if (response_.size() < k * n) response_.resize(k * n);
}

void MassOperator::build(const Model& model, const std::vector<ConstraintRow>& rows, DynamicsWorkspace& workspace) {
  in_factors_ = false;
  if (assemblies_) {
    delassus_.build(model, rows, workspace, Delassus::Form::product);
    columns_.build(model, rows, *assemblies_, workspace);
    return;
  }
  delassus_.build(model, rows, workspace);
  if (kind_ != DynamicsKind::dense) return;
  const Eigen::Index k = row_count(), n = model.velocity_count();
  reserve(model, row_count());
  Eigen::Map<MatrixX> Y(response_.data(), n, k);
  Eigen::Map<MatrixX> A(dense_.data(), k, k);
  // With M = L Lᵀ, A = (L⁻¹ Jᵀ)ᵀ (L⁻¹ Jᵀ) is symmetric by construction.
  Y = jacobian().transpose();
  factors_.matrixL().solveInPlace(Y);
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) A(i, j) = A(j, i) = Y.col(i).dot(Y.col(j));
    A(i, i) += rows[i].compliance;
  }
}

void MassOperator::build_rows(const Model& model, const std::vector<ConstraintRow>& rows,
                              DynamicsWorkspace& workspace) {
  delassus_.build(model, rows, workspace, Delassus::Form::product);
}

void MassOperator::build_factors(const Model& model, const std::vector<ConstraintRow>& rows, int leading,
                                 DynamicsWorkspace& workspace) {
  in_factors_ = true;
  delassus_.build(model, rows, workspace, Delassus::Form::product, leading);
  ContactFactors& G = contact_factors_;
  G.group_start.assign(1, 0);
  for (const TreeNode& node : model.nodes()) G.group_start.push_back(G.group_start.back() + node.velocity_size);
  G.clear_rows();
  for (int i = 0; i < row_count(); ++i) {
    delassus_.factor_row(i, [&](int body, int count, const double* values) {
      G.group.push_back(body);
      G.value.insert(G.value.end(), values, values + count);
    });
    if (delassus_.compliance(i) > 0) {  // a column of the row's own
      G.group.push_back(G.groups());
      G.value.push_back(std::sqrt(delassus_.compliance(i)));
      G.group_start.push_back(G.columns() + 1);
    }
    G.row_start.push_back(static_cast<int>(G.group.size()));
    G.value_start.push_back(static_cast<int>(G.value.size()));
  }
}

ContactOperator MassOperator::contact_operator() const {
  if (in_factors_) return contact_factors_;
  return delassus();
}

Eigen::Map<const MatrixX> MassOperator::delassus() const {
  if (assemblies_ && !in_factors_) return columns_.matrix();
  if (kind_ != DynamicsKind::dense) return delassus_.matrix();
  return {dense_.data(), row_count(), row_count()};
}

void MassOperator::add_response(const Eigen::Ref<const VectorX>& p, VectorX& v) {
  if (kind_ != DynamicsKind::dense) {
    delassus_.add_response(p, v);
    return;
  }
  scratch_.setZero();
  add_transposed(p, scratch_);
  factors_.solveInPlace(scratch_);
  v += scratch_;
}

}  // namespace carom
