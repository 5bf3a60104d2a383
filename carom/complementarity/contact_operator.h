#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

namespace carom {

/// G of A = G Gᵀ (k × n): G = J L⁻ᵀ with M = L Lᵀ, what a mechanism of few bodies and many contacts knows of A without
/// forming it. Columns come in groups (a joint's coordinates): a row holds all of one or none, rows of a block the
/// same.
struct ContactFactors {
  std::vector<int> group_start{0};  ///< groups + 1: first column of a group, and their number
  std::vector<int> row_start{0};    ///< k + 1: where the groups of a row begin in `group`
  std::vector<int> value_start{0};  ///< k + 1: where its entries begin in `value`
  std::vector<int> group;           ///< of each row, each once
  std::vector<double> value;        ///< the entries, group after group in the order of `group`

  int rows() const { return static_cast<int>(row_start.size()) - 1; }
  int columns() const { return group_start.back(); }
  int groups() const { return static_cast<int>(group_start.size()) - 1; }
  int group_size(int g) const { return group_start[g + 1] - group_start[g]; }
  /// Empties it of rows; groups stay.
  void clear_rows();
  /// row · y, and y += factor · row.
  double dot(int row, const double* y) const;
  void add(int row, double factor, double* y) const;
  double squared_norm(int row) const;
};

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

/// The operator A = J M⁻¹ Jᵀ of a contact problem in one of four forms. A view: the data stay the caller's, and must
/// outlive it.
///
///   dense    k × k, column-major; both triangles
///   sparse   compressed columns, both triangles stored: for many contacts, each of which touches few others
///   factors  G of A = G Gᵀ: for many more contacts than bodies
///   product  see ContactProduct; a column costs one product
class ContactOperator {
 public:
  enum class Form { dense, sparse, factors, product };

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
  ContactOperator(const ContactFactors& G)                // NOLINT(google-explicit-constructor)
      : form_(Form::factors), rows_(G.rows()), columns_(G.rows()), factors_(&G) {}
  ContactOperator(const ContactProduct& A)  // NOLINT(google-explicit-constructor)
      : form_(Form::product), rows_(A.rows()), columns_(A.rows()), product_(&A) {}
  // A matrix that dies at the end of the expression cannot be viewed.
  ContactOperator(Eigen::MatrixXd&&) = delete;
  ContactOperator(Eigen::SparseMatrix<double>&&) = delete;
  ContactOperator(ContactFactors&&) = delete;

  Form form() const { return form_; }
  Eigen::Index rows() const { return rows_; }
  Eigen::Index cols() const { return columns_; }

  /// The matrix itself; only for the form of its name.
  Eigen::Map<const Eigen::MatrixXd, 0, Eigen::OuterStride<>> dense() const {
    return {data_, rows_, columns_, Eigen::OuterStride<>(stride_)};
  }
  const Eigen::SparseMatrix<double>& sparse() const { return *sparse_; }
  const ContactFactors& factors() const { return *factors_; }
  const ContactProduct& product() const { return *product_; }

  /// y = A p, summed in one fixed order. O(k²), O(non-zeros) of A or G, or the product's cost.
  void multiply(const Eigen::Ref<const Eigen::VectorXd>& p, Eigen::Ref<Eigen::VectorXd> y) const;

  /// Writes A into a k × k matrix; k products for the form product.
  void copy_to(Eigen::Ref<Eigen::MatrixXd> A) const;

 private:
  Form form_;
  Eigen::Index rows_ = 0, columns_ = 0, stride_ = 0;
  const double* data_ = nullptr;
  const Eigen::SparseMatrix<double>* sparse_ = nullptr;
  const ContactFactors* factors_ = nullptr;
  const ContactProduct* product_ = nullptr;
};

}  // namespace carom
