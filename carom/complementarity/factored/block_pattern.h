#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carom {

/// Places of the entries in the factors of a sparse matrix of blocks, H = L U, where H has a symmetric pattern. Groups
/// of rows and columns are eliminated in an order of small fill (approximate minimum degree, Eigen's). Those with
/// nearly the same rows below them form one dense **panel**, at the price of some zeros that it stores.
///
/// Places are numbers of groups in the order of elimination. A place's rows are those of its group, so that there are
/// permuted rows 0 … n − 1. A panel holds the columns of some successive places. Its rows are those of its own places
/// and of the places below at which its columns have entries, all ascending. Column-major.
///
/// Cost of analyze: that of the order, of some 10 groups joined with each.
class BlockPattern {
 public:
  struct Panel {
    int first_column = 0, width = 0, height = 0;  ///< permuted column; numbers of columns, of rows
    int rows_begin = 0, rows_end = 0;             ///< places of its rows, in row_place(); its own first
    int below_begin = 0;                          ///< the first that is not its own
    int value = 0;                                ///< where its entries begin
    int updates_begin = 0, updates_end = 0;       ///< in updates()
  };
  /// Contribution that an earlier panel takes from this one. Its rows [rows_begin, own_end) are those of this one's
  /// columns, and all from rows_begin on are touched.
  struct Update {
    int panel = 0, rows_begin = 0, own_end = 0;
  };

  /// group_start: groups + 1. joined: pairs of groups, (one << 32 | other); those with themselves may be left out.
  void analyze(std::span<const int> group_start, std::span<const std::uint64_t> joined);

  int places() const { return static_cast<int>(group_at_.size()); }
  int columns() const { return place_start_.empty() ? 0 : place_start_.back(); }
  int group_at(int place) const { return group_at_[place]; }
  int place_of(int group) const { return place_of_[group]; }
  int group_start(int group) const { return group_start_[group]; }
  /// First permuted row of a place; of places() the number of rows.
  int place_start(int place) const { return place_start_[place]; }
  int place_size(int place) const { return place_start_[place + 1] - place_start_[place]; }
  std::span<const Panel> panels() const { return panels_; }
  std::span<const Update> updates(const Panel& panel) const {
    return {updates_.data() + panel.updates_begin, updates_.data() + panel.updates_end};
  }
  /// An entry of a panel's list of rows: its place, and its first row in the panel.
  int row_place(int entry) const { return row_place_[entry]; }
  int row_offset(int entry) const { return row_offset_[entry]; }
  int values() const { return values_; }

  /// Place of the block of two groups: its first entry, and how far its columns are apart. Rows are those of the
  /// group that is eliminated later.
  struct Slot {
    int first = 0, stride = 0;
  };
  Slot slot(int group, int other) const;

 private:
  void order(std::span<const std::uint64_t> joined);
  void find_rows(std::span<const std::uint64_t> joined);
  void make_panels();
  void link_updates();

  std::vector<int> group_start_, group_at_, place_of_, place_start_;
  std::vector<std::vector<int>> below_;  // of every place, the places of its rows below, ascending
  std::vector<int> panel_of_;
  std::vector<Panel> panels_;
  std::vector<int> row_place_, row_offset_;
  std::vector<Update> updates_;
  int values_ = 0;
};

}  // namespace carom
