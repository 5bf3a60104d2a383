#include "carom/validation/law_runs.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <numeric>

namespace carom {

TossSet read_toss_set(const std::string& path, int count, const TossProtocol& protocol) {
  TossSet set;
  set.whole = read_tosses(path);
  std::vector<Toss> cut = set.whole;
  for (Toss& toss : cut) toss.poses = cut_after_rest(toss.poses, protocol);
  const std::vector<int> distinct = distinct_tosses(cut, protocol);
  const int n = static_cast<int>(distinct.size());
  for (const int i : evenly_spaced(n, count > 0 ? count : n)) {
    set.places.push_back(distinct[static_cast<std::size_t>(i)]);
    set.cut.push_back(cut[static_cast<std::size_t>(set.places.back())]);
  }
  set.thrown = set.places;
  if (count <= 0) {
    set.thrown.resize(set.whole.size());
    std::iota(set.thrown.begin(), set.thrown.end(), 0);
  }
  return set;
}

const Scene& LawScenes::for_toss(std::int64_t number,
                                 const std::vector<std::vector<std::int64_t>>& folds_of_numbers) const {
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const auto& numbers = folds_of_numbers[fold];
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end()) return folds[fold];
  }
  return all;
}

LawRuns run_law(const LawScenes& law, const TossSet& set, const std::vector<std::vector<std::int64_t>>& folds,
                const TossProtocol& protocol) {
  std::vector<Throw> throws(set.whole.size());
  std::vector<Release> releases(set.whole.size());
  tbb::parallel_for(std::size_t{0}, set.thrown.size(), [&](std::size_t i) {
    const auto place = static_cast<std::size_t>(set.thrown[i]);
    const Toss& toss = set.whole[place];
    const Scene& scene = law.for_toss(toss.number, folds);
    releases[place] = release_of(scene, toss, protocol);
    throws[place] = throw_cube(scene, releases[place], toss.poses.size(), protocol);
  });
  LawRuns result;
  result.name = result.predictions.name = law.name;
  for (const int place : set.thrown) {
    const auto at = static_cast<std::size_t>(place);
    result.predictions.tosses.push_back({set.whole[at].number, throws[at].poses});
  }
  for (std::size_t i = 0; i < set.cut.size(); ++i) {
    const auto at = static_cast<std::size_t>(set.places[i]);
    result.runs.push_back(judge_throw(throws[at], set.cut[i], protocol));
    result.runs.back().release = releases[at];
  }
  return result;
}

}  // namespace carom
