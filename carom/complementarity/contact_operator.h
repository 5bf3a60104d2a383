#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace carom {

/// A user's own A, known by what it does to a vector (an articulated recursion, Hᵀ M⁻¹ H never formed). Symmetric
/// positive semidefinite. Called from several threads at once where a problem falls into islands: multiply must not
/// change anything shared.
class ContactProduct {
 public:
  virtual ~ContactProduct() = default;
  virtual Eigen::Index rows() const = 0;
  /// y = A p; both of rows() entries, y not p.
  virtual void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const = 0;
};

/// The operator A = J M⁻¹ Jᵀ of a contact problem in one of three forms. A view: the data stay the caller's, and must
/// outlive it.
///
///   dense    k × k, column-major; both triangles
///   sparse   compressed columns, both triangles stored: for many contacts of which each touches few others
///   product  see ContactProduct; a column costs one product
class ContactOperator {
 public:
  enum class Form { dense, sparse, product };

  /// A dense matrix, map or block of one whose columns are contiguous.
  template <typename Derived>
  requires(Eigen::internal::traits<Derived>::InnerStrideAtCompileTime == 1 && !Derived::IsRowMajor)
      ContactOperator(const Eigen::DenseBase<Derived>& A)  // NOLINT(google-explicit-constructor): {A, u, blocks}
      : form_(Form::dense),
        rows_(A.rows()),
        columns_(A.cols()),
        stride_(A.derived().outerStride()),
        data_(A.derived().data()) {}
  ContactOperator(const Eigen::SparseMatrix<double>& A);  // NOLINT(google-explicit-constructor)
  ContactOperator(const ContactProduct& A)                // NOLINT(google-explicit-constructor)
      : form_(Form::product), rows_(A.rows()), columns_(A.rows()), product_(&A) {}
  // What dies at the end of the expression cannot be viewed.
  ContactOperator(Eigen::MatrixXd&&) = delete;
  ContactOperator(Eigen::SparseMatrix<double>&&) = delete;

  Form form() const { return form_; }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index cols() const { return columns_; }

  /// The matrix itself; only for the form of its name.
  Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> dense() const {
    return {data_, rows_, columns_, Eigen::OuterStride<>(stride_)};
  }
  const Eigen::SparseMatrix<double>& sparse() const { return *sparse_; }
  const ContactProduct& product() const { return *product_; }

  /// y = A p, summed in one fixed order. O(k²), O(non-zeros), or the product's cost.
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const;

  /// Writes A into a k × k matrix; k products for the form product.
  void copy_to(Eigen::Ref<Eigen::MatrixXd> A) const;

 private:
  Form form_;
  Eigen::Index rows_ = 0, columns_ = 0, stride_ = 0;
  const double* data_ = nullptr;
  const Eigen::SparseMatrix<double>* sparse_ = nullptr;
  const ContactProduct* product_ = nullptr;
};

}  // namespace carom
