#include "carom/complementarity/contact_operator.h"

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/error.h"

namespace carom {

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
