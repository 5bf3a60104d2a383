#include <algorithm>
#include <optional>

#include "carom/study/comparison.h"

namespace carom {
namespace {

using Set = std::vector<std::size_t>;

/// Two sets of runs, and the pair across them that parts first.
struct Link {
  std::size_t a = 0, b = 0;  ///< sets
  Parting first;             ///< of runs of the one and the other: the earliest parting
  double largest = 0;        ///< largest distance of any pair across

  /// True if they stay together for longer, or both to the end and these are closer.
  bool operator>(const Link& other) const {
    return first.time != other.first.time ? first.time > other.first.time : largest < other.largest;
  }
};

Link link_of(const Comparison& comparison, const std::vector<Set>& sets, std::size_t a, std::size_t b) {
  Link link{a, b, comparison.parting(sets[a].front(), sets[b].front()), 0};
  for (const std::size_t i : sets[a]) {
    for (const std::size_t j : sets[b]) {
      const Parting& parting = comparison.parting(i, j);
      if (parting.time < link.first.time) link.first = parting;
      link.largest = std::max(link.largest, parting.largest);
    }
  }
  return link;
}

std::optional<Link> closest(const Comparison& comparison, const std::vector<Set>& sets) {
  std::optional<Link> best;
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (std::size_t b = a + 1; b < sets.size(); ++b) {
      const Link link = link_of(comparison, sets, a, b);
      if (!best || link > *best) best = link;
    }
  }
  return best;
}

/// Joins what stays together longest until one set is left or, with `to_the_end`, until none stays together to the end.
std::vector<Set> join(const Comparison& comparison, bool to_the_end, std::vector<Split>& found) {
  std::vector<Set> sets;
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    if (comparison.is_judged(i)) sets.push_back({i});
  }
  while (const auto link = closest(comparison, sets)) {
    if (link->first.parted()) {
      if (to_the_end) break;
      found.push_back({link->first, sets[link->a], sets[link->b]});
    }
    Set& into = sets[link->a];
    into.insert(into.end(), sets[link->b].begin(), sets[link->b].end());
    std::sort(into.begin(), into.end());
    sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(link->b));
  }
  return sets;
}

}  // namespace

std::vector<std::vector<std::size_t>> find_groups(const Comparison& comparison) {
  std::vector<Split> unused;
  return join(comparison, true, unused);
}

std::vector<Split> splits(const Comparison& comparison) {
  std::vector<Split> found;
  join(comparison, false, found);
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace carom
