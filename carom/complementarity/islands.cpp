#include "carom/complementarity/islands.h"

#include <algorithm>
#include <numeric>

namespace carom {

namespace {

constexpr int largest_dense_copy = 128;  // rows
constexpr int smallest_redundant = 48;   // rows

/// True if a unit impulse of block b moves block a.
template <typename Matrix>
bool touches(const Matrix& A, const Block& a, const Block& b) {
  for (int column = b.row; column < b.row + b.size(); ++column) {
    for (int row = a.row; row < a.row + a.size(); ++row) {
      if (A(row, column) != 0) return true;
    }
  }
  return false;
}

}  // namespace

void Islands::reserve(int blocks) {
  for (auto* buffer : {&parent_, &island_, &blocks_}) buffer->reserve(blocks);
  for (auto* buffer : {&block_of_row_, &local_row_, &rows_}) buffer->reserve(std::size_t{4} * blocks);
  for (auto* buffer : {&block_start_, &row_start_}) buffer->reserve(blocks + 1);
}

int Islands::root(int block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

void Islands::join(int a, int b) {
  const int x = root(a), y = root(b);
  parent_[std::max(x, y)] = std::min(x, y);
}

void Islands::join_dense(const ContactProblem& problem) {
  const auto A = problem.A.dense();
  const int count = static_cast<int>(problem.blocks.size());
  for (int b = 0; b < count; ++b) {
    for (int a = 0; a < count; ++a) {
      if (root(a) != root(b) && touches(A, problem.blocks[a], problem.blocks[b])) join(a, b);
    }
  }
}

void Islands::join_sparse(const ContactProblem& problem) {
  const Eigen::SparseMatrix<double>& A = problem.A.sparse();
  for (int column = 0; column < A.outerSize(); ++column) {
    const int b = block_of_row_[column];
    for (Eigen::SparseMatrix<double>::InnerIterator it(A, column); b >= 0 && it; ++it) {
      const int a = block_of_row_[it.row()];
      if (a >= 0 && it.value() != 0) join(a, b);
    }
  }
}

void Islands::join_factors(const ContactProblem& problem) {
  const ContactFactors& G = problem.A.factors();
  first_block_.assign(G.groups(), -1);
  for (int b = 0; b < static_cast<int>(problem.blocks.size()); ++b) {
    const Block& block = problem.blocks[b];
    for (int i = G.row_start[block.row]; i < G.row_start[block.row + block.size()]; ++i) {
      int& first = first_block_[G.group[i]];
      first < 0 ? void(first = b) : join(first, b);
    }
  }
}

void Islands::find(const ContactProblem& problem) {
  const int count = static_cast<int>(problem.blocks.size());
  parent_.resize(count);
  std::iota(parent_.begin(), parent_.end(), 0);
  block_of_row_.assign(problem.u.size(), -1);
  for (int b = 0; b < count; ++b) {
    const Block& block = problem.blocks[b];
    std::fill_n(block_of_row_.begin() + block.row, block.size(), b);
  }
  switch (problem.A.form()) {
    case ContactOperator::Form::dense:
      join_dense(problem);
      break;
    case ContactOperator::Form::sparse:
      join_sparse(problem);
      break;
    case ContactOperator::Form::factors:
      join_factors(problem);
      break;
    case ContactOperator::Form::product:
      for (int b = 1; b < count; ++b) join(0, b);
      break;
  }
  number(problem);
}

/// From the groups' roots to numbered islands, their blocks and rows in order (a counting sort).
void Islands::number(const ContactProblem& problem) {
  const int count = static_cast<int>(problem.blocks.size());
  island_.resize(count);
  block_start_.assign(1, 0);
  row_start_.assign(1, 0);
  for (int b = 0; b < count; ++b) {
    const int first = root(b);
    if (first == b) {
      island_[b] = static_cast<int>(block_start_.size()) - 1;
      block_start_.push_back(0);
      row_start_.push_back(0);
    }
    island_[b] = island_[first];
    ++block_start_[island_[b] + 1];
    row_start_[island_[b] + 1] += problem.blocks[b].size();
  }
  std::partial_sum(block_start_.begin(), block_start_.end(), block_start_.begin());
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  blocks_.resize(count);
  rows_.resize(row_start_.back());
  local_row_.resize(block_of_row_.size());
  // The starts serve as places to write and are moved back afterwards.
  for (int b = 0; b < count; ++b) blocks_[block_start_[island_[b]]++] = b;
  for (int row = 0; row < static_cast<int>(block_of_row_.size()); ++row) {
    if (block_of_row_[row] < 0) continue;
    const int island = island_[block_of_row_[row]];
    rows_[row_start_[island]++] = row;
  }
  for (auto* start : {&block_start_, &row_start_}) {
    std::copy_backward(start->begin(), start->end() - 1, start->end());
    start->front() = 0;
  }
  for (int island = 0; island < this->count(); ++island) {
    const std::span<const int> rows = this->rows(island);
    for (std::size_t i = 0; i < rows.size(); ++i) local_row_[rows[i]] = static_cast<int>(i);
  }
}

void IslandProblem::reserve(int rows, int blocks) {
  A_.reserve(static_cast<std::size_t>(rows) * rows);
  u_.reserve(rows);
  blocks_.reserve(blocks);
}

void IslandProblem::copy(const ContactProblem& whole, const Islands& islands, int island) {
  const std::span<const int> rows = islands.rows(island);
  rows_ = static_cast<int>(rows.size());
  u_.clear();
  for (const int row : rows) u_.push_back(whole.u(row));
  blocks_.clear();
  for (const int b : islands.blocks(island)) {
    blocks_.push_back(whole.blocks[b]);
    blocks_.back().row = islands.local_row(whole.blocks[b].row);
  }
  const bool in_factors = whole.A.form() == ContactOperator::Form::factors;
  if (in_factors) number_groups(whole.A.factors(), rows);
  // More rows than velocities: A is singular, hard for methods that take matrices apart, and easy in factors.
  const bool is_redundant = in_factors && rows_ > smallest_redundant && rows_ > factors_.columns();
  form_ = rows_ > largest_dense_copy || is_redundant ? whole.A.form() : ContactOperator::Form::dense;
  switch (form_) {
    case ContactOperator::Form::sparse:
      copy_sparse(whole.A.sparse(), islands, island);
      return;
    case ContactOperator::Form::factors:
      copy_factors(whole.A.factors(), rows);
      return;
    case ContactOperator::Form::dense:
    case ContactOperator::Form::product:
      form_ = ContactOperator::Form::dense;
      copy_dense(whole, islands, island);
      return;
  }
}

void IslandProblem::copy_sparse(const Eigen::SparseMatrix<double>& whole, const Islands& islands, int island) {
  const std::span<const int> rows = islands.rows(island);
  Eigen::Index entries = 0;
  for (const int row : rows) entries += whole.col(row).nonZeros();
  sparse_.resize(rows_, rows_);
  sparse_.reserve(entries);
  for (int j = 0; j < rows_; ++j) {
    sparse_.startVec(j);
    for (Eigen::SparseMatrix<double>::InnerIterator it(whole, rows[j]); it; ++it) {
      // A zero that is stored need not stay within the island.
      if (it.value() != 0) sparse_.insertBack(islands.local_row(static_cast<int>(it.row())), j) = it.value();
    }
  }
  sparse_.finalize();
}

/// The groups that the rows hold, numbered anew in their order.
void IslandProblem::number_groups(const ContactFactors& whole, std::span<const int> rows) {
  group_.assign(whole.groups(), -1);
  for (const int row : rows) {
    for (int i = whole.row_start[row]; i < whole.row_start[row + 1]; ++i) group_[whole.group[i]] = 0;
  }
  factors_.group_start.assign(1, 0);
  for (int g = 0; g < whole.groups(); ++g) {
    if (group_[g] < 0) continue;
    group_[g] = factors_.groups();
    factors_.group_start.push_back(factors_.columns() + whole.group_size(g));
  }
}

/// Rows of the whole, with groups as number_groups counts them.
void IslandProblem::copy_factors(const ContactFactors& whole, std::span<const int> rows) {
  factors_.clear_rows();
  for (const int row : rows) {
    for (int i = whole.row_start[row]; i < whole.row_start[row + 1]; ++i) {
      factors_.group.push_back(group_[whole.group[i]]);
    }
    factors_.value.insert(factors_.value.end(), whole.value.begin() + whole.value_start[row],
                          whole.value.begin() + whole.value_start[row + 1]);
    factors_.row_start.push_back(static_cast<int>(factors_.group.size()));
    factors_.value_start.push_back(static_cast<int>(factors_.value.size()));
  }
}

void IslandProblem::copy_dense(const ContactProblem& whole, const Islands& islands, int island) {
  const std::span<const int> rows = islands.rows(island);
  A_.assign(static_cast<std::size_t>(rows_) * rows_, 0.0);
  Eigen::Map<Eigen::MatrixXd> A(A_.data(), rows_, rows_);
  switch (whole.A.form()) {
    case ContactOperator::Form::product:  // one island, all rows in order
      whole.A.copy_to(A);
      return;
    case ContactOperator::Form::sparse:
      for (int j = 0; j < rows_; ++j) {
        for (Eigen::SparseMatrix<double>::InnerIterator it(whole.A.sparse(), rows[j]); it; ++it) {
          if (it.value() != 0) A(islands.local_row(static_cast<int>(it.row())), j) = it.value();
        }
      }
      return;
    case ContactOperator::Form::factors:
      copy_factors(whole.A.factors(), rows);
      ContactOperator(factors_).copy_to(A);
      return;
    case ContactOperator::Form::dense: {
      const auto entries = whole.A.dense();
      for (int j = 0; j < rows_; ++j) {
        for (int i = 0; i < rows_; ++i) A(i, j) = entries(rows[i], rows[j]);
      }
      return;
    }
  }
}

ContactProblem IslandProblem::problem() const {
  const Eigen::Map<const Eigen::VectorXd> u(u_.data(), rows_);
  if (form_ == ContactOperator::Form::sparse) return {sparse_, u, blocks_};
  if (form_ == ContactOperator::Form::factors) return {factors_, u, blocks_};
  return {Eigen::Map<const Eigen::MatrixXd>(A_.data(), rows_, rows_), u, blocks_};
}

}  // namespace carom
