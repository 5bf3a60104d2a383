#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Groups of blocks of a contact problem that do not couple. Blocks i and j are joined if any entry of A_ij or A_ji is
/// not exactly zero. A group has all blocks that are joined directly or through others. The problem then falls apart
/// into one problem per group, whose solutions together solve the whole.
///
/// Islands are ordered by their first block, blocks and rows of an island ascending, so the order depends on the
/// problem alone. In factors, blocks that hold the same group of columns are joined. A product's entries are not known:
/// it is one island. Cost: O(k²) for a dense A, less where the first entry of a pair already joins it; O(non-zeros) for
/// a sparse one. Keeps its buffers: no allocation for sizes seen before.
class Islands {
 public:
  void find(const ContactProblem& problem);
  /// Makes room for so many blocks of any kind.
  void reserve(int blocks);

  int count() const { return static_cast<int>(block_start_.size()) - 1; }
  std::span<const int> blocks(int island) const { return part(blocks_, block_start_, island); }
  /// Rows of the problem that its blocks hold.
  std::span<const int> rows(int island) const { return part(rows_, row_start_, island); }
  int island_of(int block) const { return island_[block]; }
  /// Place of a row of the problem among the rows of its island.
  int local_row(int row) const { return local_row_[row]; }

 private:
  static std::span<const int> part(const std::vector<int>& items, const std::vector<int>& start, int island) {
    return {items.data() + start[island], static_cast<std::size_t>(start[island + 1] - start[island])};
  }
  int root(int block);
  void join(int a, int b);
  void join_dense(const ContactProblem& problem);
  void join_sparse(const ContactProblem& problem);
  void join_factors(const ContactProblem& problem);
  void number(const ContactProblem& problem);

  std::vector<int> parent_;        // per block, of the union-find; the root is the group's first block
  std::vector<int> block_of_row_;  // −1 for a row that no block holds
  std::vector<int> island_, local_row_;
  std::vector<int> blocks_, rows_, block_start_{0}, row_start_{0};
  std::vector<int> first_block_;  // that holds a group of columns, −1
};

/// One island as a problem of its own, rows renumbered in their order. Its sizes, scaling and tolerances are its own. A
/// sparse A stays sparse for an island of more than 128 rows. Factors stay factors there, and from 49 rows on if there
/// are more rows than columns. No allocation for a dense island not larger than any before.
class IslandProblem {
 public:
  void copy(const ContactProblem& whole, const Islands& islands, int island);
  /// Makes room for an island of so many rows and blocks.
  void reserve(int rows, int blocks);
  ContactProblem problem() const;

 private:
  int rows_ = 0;
  void copy_dense(const ContactProblem& whole, const Islands& islands, int island);
  void copy_sparse(const Eigen::SparseMatrix<double>& whole, const Islands& islands, int island);
  void number_groups(const ContactFactors& whole, std::span<const int> rows);
  void copy_factors(const ContactFactors& whole, std::span<const int> rows);

  ContactOperator::Form form_ = ContactOperator::Form::dense;
  std::vector<double> A_, u_;
  Eigen::SparseMatrix<double> sparse_;
  ContactFactors factors_;
  std::vector<int> group_;  // of columns, in the island; −1 where it holds none
  std::vector<Block> blocks_;
};

}  // namespace carom
