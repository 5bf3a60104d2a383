#include "carom/complementarity/contact_operator.h"

#include <algorithm>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {

void ContactFactors::clear_rows() {
  row_start.assign(1, 0);
  value_start.assign(1, 0);
  group.clear();
  value.clear();
}

double ContactFactors::dot(int row, const double* y) const {
  const double* entry = value.data() + value_start[row];
  double sum = 0;
  for (int i = row_start[row]; i < row_start[row + 1]; ++i) {
    for (int j = group_start[group[i]]; j < group_start[group[i] + 1]; ++j) sum += *entry++ * y[j];
  }
  return sum;
}

void ContactFactors::add(int row, double factor, double* y) const {
  const double* entry = value.data() + value_start[row];
  for (int i = row_start[row]; i < row_start[row + 1]; ++i) {
    for (int j = group_start[group[i]]; j < group_start[group[i] + 1]; ++j) y[j] += factor * *entry++;
  }
}

double ContactFactors::squared_norm(int row) const {
  double sum = 0;
  for (int i = value_start[row]; i < value_start[row + 1]; ++i) sum += value[i] * value[i];
  return sum;
}

ContactOperator::ContactOperator(const Eigen::SparseMatrix<double>& A)
    : form_(Form::sparse), rows_(A.rows()), columns_(A.cols()), sparse_(&A) {
  if (!A.isCompressed()) {
    throw Error("The sparse matrix A of the contact problem is not compressed; call makeCompressed() on it first.");
  }
}

void ContactOperator::multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const {
  switch (form_) {
    case Form::dense: {
      y.setZero();
      dense::ColumnSum sum(static_cast<int>(rows_), y.data());
      for (Eigen::Index j = 0; j < columns_; ++j) sum.add(p(j), data_ + j * stride_);
      return;
    }
    case Form::sparse:
      y.setZero();
      for (Eigen::Index j = 0; j < columns_; ++j) {
        if (p(j) == 0) continue;
        for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, j); it; ++it) y(it.row()) += it.value() * p(j);
      }
      return;
    case Form::factors: {
      std::vector<double> common(factors_->columns(), 0.0);
      for (int i = 0; i < rows_; ++i) factors_->add(i, p(i), common.data());
      for (int i = 0; i < rows_; ++i) y(i) = factors_->dot(i, common.data());
      return;
    }
    case Form::product:
      product_->multiply(p, y);
      return;
  }
}

void ContactOperator::copy_to(Eigen::Ref<Eigen::MatrixXd> A) const {
  switch (form_) {
    case Form::dense:
      A = dense();
      return;
    case Form::sparse:
      A.setZero();
      for (Eigen::Index j = 0; j < columns_; ++j) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(*sparse_, j); it; ++it) A(it.row(), j) = it.value();
      }
      return;
    case Form::factors: {
      std::vector<double> common(factors_->columns(), 0.0);
      for (int j = 0; j < rows_; ++j) {
        std::fill(common.begin(), common.end(), 0.0);
        factors_->add(j, 1, common.data());
        for (int i = 0; i < rows_; ++i) A(i, j) = factors_->dot(i, common.data());
      }
      return;
    }
    case Form::product: {
      Eigen::VectorXd unit = Eigen::VectorXd::Zero(columns_);
      for (Eigen::Index j = 0; j < columns_; ++j) {
        unit(j) = 1;
        product_->multiply(unit, A.col(j));
        unit(j) = 0;
      }
      return;
    }
  }
}

}  // namespace carom
