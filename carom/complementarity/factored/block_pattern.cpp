#include "carom/complementarity/factored/block_pattern.h"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

namespace carom {

namespace {

constexpr double most_zeros = 0.25;  // of a panel that two are joined to
constexpr int few_columns = 24;      // up to here a panel may be half zeros: small panels cost calls

}  // namespace

void BlockPattern::analyze(std::span<const int> group_start, std::span<const std::uint64_t> joined) {
  group_start_.assign(group_start.begin(), group_start.end());
  order(joined);
  find_rows(joined);
  make_panels();
  link_updates();
}

void BlockPattern::order(std::span<const std::uint64_t> joined) {
  const int groups = static_cast<int>(group_start_.size()) - 1;
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(static_cast<std::size_t>(groups) + 2 * joined.size());
  for (int g = 0; g < groups; ++g) entries.emplace_back(g, g, 1);
  for (const std::uint64_t pair : joined) {
    const int g = static_cast<int>(pair >> 32U), h = static_cast<int>(pair & 0xffffffffU);
    if (g == h) continue;
    entries.emplace_back(g, h, 1);
    entries.emplace_back(h, g, 1);
  }
  Eigen::SparseMatrix<double> graph(groups, groups);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType elimination;
  Eigen::AMDOrdering<int>()(graph, elimination);
  group_at_.assign(elimination.indices().data(), elimination.indices().data() + groups);
  place_of_.resize(groups);
  place_start_.assign(1, 0);
  for (int place = 0; place < groups; ++place) {
    const int g = group_at_[place];
    place_of_[g] = place;
    place_start_.push_back(place_start_.back() + group_start_[g + 1] - group_start_[g]);
  }
}

/// A place has the rows of its own pairs and those that the places eliminated before it leave (their first row below).
void BlockPattern::find_rows(std::span<const std::uint64_t> joined) {
  below_.resize(places());
  for (auto& rows : below_) rows.clear();
  for (const std::uint64_t pair : joined) {
    const int p = place_of_[pair >> 32U], q = place_of_[pair & 0xffffffffU];
    if (p != q) below_[std::min(p, q)].push_back(std::max(p, q));
  }
  for (std::vector<int>& rows : below_) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.size() < 2) continue;
    // All places before have passed on what they leave, so the list is whole.
    std::vector<int>& next = below_[rows.front()];
    next.insert(next.end(), rows.begin() + 1, rows.end());
  }
}

/// A place joins the panel before it if that has it as its first row below, and few zeros come of it.
void BlockPattern::make_panels() {
  panels_.clear();
  row_place_.clear();
  row_offset_.clear();
  panel_of_.resize(places());
  values_ = 0;
  const auto rows_of = [&](const std::vector<int>& list) {
    int rows = 0;
    for (const int place : list) rows += place_size(place);
    return rows;
  };
  for (int first = 0, end = 0; first < places(); first = end) {
    double entries = 0, used = 0;  // of the panel [first, end): those it would have, those that are not zero for sure
    int width = 0;
    for (end = first; end < places(); ++end) {
      if (end > first && (below_[end - 1].empty() || below_[end - 1].front() != end)) break;
      const int size = place_size(end), rows = rows_of(below_[end]);
      const double all = (width + size) * (width + size + rows), own = used + size * (size + rows) + size * width;
      const double zeros = width + size <= few_columns ? 0.5 : most_zeros;
      if (end > first && all - own > zeros * all) break;
      width += size;
      used = own;
      entries = all;
    }
    Panel panel;
    panel.first_column = place_start_[first];
    panel.width = width;
    panel.rows_begin = static_cast<int>(row_place_.size());
    for (int place = first; place < end; ++place) {
      panel_of_[place] = static_cast<int>(panels_.size());
      row_place_.push_back(place);
    }
    panel.below_begin = static_cast<int>(row_place_.size());
    row_place_.insert(row_place_.end(), below_[end - 1].begin(), below_[end - 1].end());
    panel.rows_end = static_cast<int>(row_place_.size());
    for (int i = panel.rows_begin; i < panel.rows_end; ++i) {
      row_offset_.push_back(panel.height);
      panel.height += place_size(row_place_[i]);
    }
    panel.value = values_;
    values_ += static_cast<int>(entries);
    panels_.push_back(panel);
  }
}

/// Updates in the order of the panels that they take from.
void BlockPattern::link_updates() {
  std::vector<std::vector<Update>> of(panels_.size());
  for (int k = 0; k < static_cast<int>(panels_.size()); ++k) {
    const Panel& panel = panels_[k];
    for (int i = panel.below_begin, end = i; i < panel.rows_end; i = end) {
      const int target = panel_of_[row_place_[i]];
      while (end < panel.rows_end && panel_of_[row_place_[end]] == target) ++end;
      of[target].push_back({k, i, end});
    }
  }
  updates_.clear();
  for (std::size_t k = 0; k < panels_.size(); ++k) {
    panels_[k].updates_begin = static_cast<int>(updates_.size());
    updates_.insert(updates_.end(), of[k].begin(), of[k].end());
    panels_[k].updates_end = static_cast<int>(updates_.size());
  }
}

BlockPattern::Slot BlockPattern::slot(int group, int other) const {
  const int column = std::min(place_of_[group], place_of_[other]), row = std::max(place_of_[group], place_of_[other]);
  const Panel& panel = panels_[panel_of_[column]];
  const auto begin = row_place_.begin() + panel.rows_begin, end = row_place_.begin() + panel.rows_end;
  const auto entry = std::lower_bound(begin, end, row) - row_place_.begin();
  return {panel.value + (place_start_[column] - panel.first_column) * panel.height + row_offset_[entry], panel.height};
}

}  // namespace carom
