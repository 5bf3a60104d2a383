#pragma once

#include <cstdint>
#include <vector>

#include "carom/record/hdf5_file.h"
#include "carom/spatial/types.h"

namespace carom {

/// Rows of one table that are not in both of a record's files yet. It keeps its memory: no allocation up to the largest
/// number of rows so far.
class RowBuffer {
 public:
  /// `first`: number of the first row to come.
  RowBuffer(const TableShape& shape, std::int64_t first)
      : real_(shape.scalar == Scalar::real), width_(static_cast<std::size_t>(shape.width())), first_(first) {}

  std::int64_t first() const { return first_; }
  std::int64_t end() const { return first_ + rows_; }

  void push(double value) {
    reals_.push_back(value);
    ++rows_;
  }
  void push(std::int64_t value) {
    integers_.push_back(value);
    ++rows_;
  }
  void push(const Eigen::Ref<const VectorX>& row) {
    reals_.insert(reals_.end(), row.data(), row.data() + row.size());
    ++rows_;
  }
  /// The row, or zeros where it has not the table's width.
  void push_or_zeros(const VectorX& row) {
    if (row.size() == static_cast<Eigen::Index>(width_)) return push(row);
    reals_.insert(reals_.end(), width_, 0.0);
    ++rows_;
  }
  /// A number of the last row of a table of reals.
  double last(int entry) const { return reals_[reals_.size() - width_ + static_cast<std::size_t>(entry)]; }
  /// Forgets the rows from `end` on.
  void cut(std::int64_t end) {
    rows_ = end - first_;
    resize();
  }
  /// Forgets the rows before `first`.
  void drop(std::int64_t first) {
    const std::size_t numbers = static_cast<std::size_t>(first - first_) * width_;
    if (real_) {
      reals_.erase(reals_.begin(), reals_.begin() + static_cast<std::ptrdiff_t>(numbers));
    } else {
      integers_.erase(integers_.begin(), integers_.begin() + static_cast<std::ptrdiff_t>(numbers));
    }
    rows_ -= first - first_;
    first_ = first;
  }
  /// Writes the rows from `from` on; the table then ends with the last of them.
  void write(Hdf5File& file, int table, std::int64_t from) const {
    const std::size_t skip = static_cast<std::size_t>(from - first_) * width_;
    if (real_) {
      file.write_rows(table, from, reals_.data() + skip, end() - from);
    } else {
      file.write_rows(table, from, integers_.data() + skip, end() - from);
    }
  }
  std::size_t bytes() const { return 8 * (reals_.size() + integers_.size()); }

 private:
  void resize() {
    const std::size_t numbers = static_cast<std::size_t>(rows_) * width_;
    real_ ? reals_.resize(numbers) : integers_.resize(numbers);
  }

  bool real_;
  std::size_t width_;
  std::int64_t first_, rows_ = 0;
  std::vector<double> reals_;
  std::vector<std::int64_t> integers_;
};

}  // namespace carom
