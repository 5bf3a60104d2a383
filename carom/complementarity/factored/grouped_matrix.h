#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// H = 1 + Σ_i G_iᵀ D_i G_i over blocks i, with G's rows of a block: n × n, two groups of columns joined where a block
/// touches both. Factored by sparse Cholesky factors where the D_i are symmetric positive semidefinite, else by sparse
/// LU factors, in an order of small fill (Eigen's), found anew only when other groups are joined than before.
///
/// Cost: O(Σ (columns of a block)²) to write, then the factors': of bodies on which each touches few others, like those
/// of a wall, O(n^1.5). Allocates when groups are joined anew.
class GroupedMatrix {
 public:
  static constexpr int stride = 4;  ///< between rows of a D_i
  enum class Kind { symmetric, general };

  explicit GroupedMatrix(Kind kind) : kind_(kind) {}

  /// Where entries go. G's values are not read.
  void lay_out(const ContactFactors& G, std::span<const Block> blocks);

  /// D: stride · size numbers per block, row after row, stride² numbers from block to block. False if H is singular
  /// (not positive definite) to working precision.
  bool factor(const ContactFactors& G, std::span<const Block> blocks, std::span<const double> D);

  /// x = H⁻¹ b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  using Matrix = Eigen::SparseMatrix<double>;
  void join(const ContactFactors& G, std::span<const Block> blocks);
  void add_block(const ContactFactors& G, const Block& block, const double* D, const int* place);

  std::vector<int> group_start_;
  std::vector<std::uint64_t> pairs_,
      known_pairs_;                       // (column group, row group), ascending; of a symmetric one row ≥ column
  std::vector<int> pair_of_column_;       // groups + 1: where pairs of a column group begin
  std::vector<int> row_offset_;           // of a pair: rows before its own in a column
  std::vector<int> own_pair_;             // of a group with itself
  std::vector<int> place_, place_start_;  // of every block, its pairs' numbers
  std::vector<double> product_;           // D_i G_i
  Matrix H_;
  using Cholesky = Eigen::SimplicialLLT<Matrix, Eigen::Lower>;
  using LU = Eigen::SparseLU<Matrix>;
  Kind kind_;
  std::unique_ptr<Cholesky> cholesky_;  // which cannot be moved themselves
  std::unique_ptr<LU> lu_;
};

}  // namespace carom
