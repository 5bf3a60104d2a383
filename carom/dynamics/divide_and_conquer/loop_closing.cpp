#include <algorithm>
#include <cmath>

#include "carom/dynamics/divide_and_conquer/loop_assembly.h"

// Selects the rows that an assembly closes, and treats the remaining ones at the root.
namespace carom {
namespace {

constexpr double responds_well = 1e-3;  // left of A_ii after the rows closed before
constexpr double rank_tolerance = 1e-9;
constexpr double round_off_row = 1e-13;  // of the largest A_ii: no ratio of masses that a mechanism has
constexpr double passes_nothing = 1e-7;  // left of p and w after the rows closed before

/// The sizes of a column's moment and force, and of its angular and linear motion, each in its own unit.
Eigen::Vector4d reach(const Vec6& p, const Vec6& w) {
  return {p.head<3>().norm(), p.tail<3>().norm(), w.head<3>().norm(), w.tail<3>().norm()};
}

}  // namespace

bool LoopAssembly::is_complete(const Columns& columns, int column) const {
  const int row = columns.rows[column - 1];
  return rows_[row].closes && columns.ends[column - 1] == end_count_[row];
}

/// Among the bilateral rows that lie all inside, the one with the largest A_ii relative to its scale. Returns −1 if
/// none has more than `least`.
int LoopAssembly::next_to_close(const Columns& columns, double least) const {
  int best = -1;
  double most = least;
  for (int c = 1; c < columns.count(); ++c) {
    const double scale = columns.scale[c - 1];
    if (!is_complete(columns, c) || !(scale > round_off_row * largest_scale_)) continue;
    const double left = columns.A(c, c) / scale;
    if (left > most) most = left, best = c;
  }
  return best;
}

/// Eliminates what the assembly answers well, and drops what it shows to be redundant.
void LoopAssembly::close_rows(const Assembly& assembly, bool at_root, Part& part) {
  Columns& columns = part.columns;
  columns.widen_scales();
  for (const double scale : columns.scale) largest_scale_ = std::max(largest_scale_, scale);
  const Vec6 unclosed = assembly.has_outboard ? Vec6(part.G.diagonal()) : Vec6(Vec6::Zero());
  std::vector<Eigen::Vector4d> before(rows_.empty() ? 0 : columns.count());
  std::vector<int> watched(columns.rows);
  for (int c = 1; c < columns.count(); ++c) before[c] = reach(columns.p.col(c), columns.w.col(c));
  for (int c = 0; (c = next_to_close(columns, responds_well)) >= 0;) {
    Closed closed;
    closed.row = columns.rows[c - 1];
    closed.diagonal = columns.A(c, c);
    closed.p = columns.p.col(c);
    closed.w = columns.w.col(c);
    const VectorX A = columns.A.col(c);
    const VectorX part_of = A / closed.diagonal;
    part.P += closed.p * closed.p.transpose() / closed.diagonal;
    if (assembly.has_outboard) {
      part.Psi += closed.w * closed.p.transpose() / closed.diagonal;
      part.G -= closed.w * closed.w.transpose() / closed.diagonal;
    }
    columns.A -= A * part_of.transpose();
    columns.p -= closed.p * part_of.transpose();
    columns.w -= closed.w * part_of.transpose();
    columns.drop(c);
    closed.rows = columns.rows;
    closed.A.resize(columns.count());
    for (int k = 0; k < columns.count(); ++k) closed.A[k] = A[k < c ? k : k + 1];
    part.closed.push_back(std::move(closed));
  }
  for (int c = columns.count() - 1; c >= 1; --c) {
    if (!is_complete(columns, c) || columns.A(c, c) > rank_tolerance * columns.scale[c - 1]) continue;
    if (!(columns.scale[c - 1] > round_off_row * largest_scale_)) continue;  // it may yet respond
    const auto at = std::lower_bound(watched.begin(), watched.end(), columns.rows[c - 1]) - watched.begin();
    const Eigen::Vector4d left = reach(columns.p.col(c), columns.w.col(c));
    const Eigen::Vector4d limit = passes_nothing * before[at + 1];
    const bool says_nothing = (left.array() <= limit.array()).all();
    if (!says_nothing && !at_root) continue;
    redundant_.push_back(columns.rows[c - 1]);
    const double missed = std::abs(columns.A(0, c));
    if (!(missed <= inconsistency_)) inconsistency_ = missed;  // NaN stays
    columns.drop(c);
  }
  if (assembly.has_outboard) part.F = semidefinite_root(part.G, unclosed);
}

/// The rows that are left when every tree is assembled: between trees, or waiting until here.
void LoopAssembly::close_root() {
  Columns& columns = root_.columns;
  root_.closed.clear();
  contacts_.clear();
  std::vector<int> rows;
  for (const int a : roots_) {
    rows.insert(rows.end(), parts_[a].columns.rows.begin(), parts_[a].columns.rows.end());
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (end_count_[i] == 0) rows.push_back(static_cast<int>(i));
    if (!rows_[i].closes) contacts_.push_back(static_cast<int>(i));
  }
  columns.start(rows);
  for (const int a : roots_) {
    const Columns& from = parts_[a].columns;
    for (int c = 0; c < from.count(); ++c) {
      const int to = c == 0 ? 0 : columns.find(from.rows[c - 1]);
      if (c > 0) columns.meet(from.rows[c - 1], from.ends[c - 1], from.scale[c - 1]);
      for (int d = 0; d < from.count(); ++d) {
        columns.A(to, d == 0 ? 0 : columns.find(from.rows[d - 1])) += from.A(c, d);
      }
    }
  }
  for (int c = 1; c < columns.count(); ++c) {  // rows that push on nothing but the world
    const int row = columns.rows[c - 1];
    if (end_count_[row] > 0) continue;
    columns.A(c, c) = rows_[row].row.compliance;
    if (rows_[row].closes) columns.A(0, c) = columns.A(c, 0) = -rows_[row].target;
  }
  columns.widen_scales();
  for (const double scale : columns.scale) largest_scale_ = std::max(largest_scale_, scale);
  most_columns_ = std::max(most_columns_, columns.count());
  eliminate_root();
  const int kept = columns.count() - 1;
  A_ = columns.A.bottomRightCorner(kept, kept);
  y_ = columns.A.col(0).tail(kept);
}

/// Closes the root's rows one by one, and leaves the contacts.
void LoopAssembly::eliminate_root() {
  Columns& columns = root_.columns;
  for (int c = 0; (c = next_to_close(columns, rank_tolerance)) >= 0;) {
    Closed closed;
    closed.row = columns.rows[c - 1];
    closed.diagonal = columns.A(c, c);
    closed.p.setZero();
    closed.w.setZero();
    const VectorX A = columns.A.col(c);
    columns.A -= A * (A / closed.diagonal).transpose();
    columns.drop(c);
    closed.rows = columns.rows;
    closed.A.resize(columns.count());
    for (int k = 0; k < columns.count(); ++k) closed.A[k] = A[k < c ? k : k + 1];
    root_.closed.push_back(std::move(closed));
  }
  for (int c = columns.count() - 1; c >= 1; --c) {
    if (!rows_[columns.rows[c - 1]].closes) continue;
    redundant_.push_back(columns.rows[c - 1]);
    const double missed = std::abs(columns.A(0, c));
    if (!(missed <= inconsistency_)) inconsistency_ = missed;  // NaN stays
    columns.drop(c);
  }
  std::sort(redundant_.begin(), redundant_.end());
  // A contact that loops hold rigid gets no answer: the rest of its response is round-off of either sign.
  for (int c = 1; c < columns.count(); ++c) {
    if (columns.A(c, c) > rank_tolerance * columns.scale[c - 1]) continue;
    const double y = columns.A(c, 0);
    columns.A.row(c).setZero();
    columns.A.col(c).setZero();
    columns.A(c, 0) = y;
    columns.A(c, c) = rows_[columns.rows[c - 1]].row.compliance;
  }
}

}  // namespace carom
