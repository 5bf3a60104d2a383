#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/study/comparison.h"

namespace carom {
namespace {

double at(const std::vector<double>& values, std::size_t k) { return values[std::min(k, values.size() - 1)]; }

/// Error that a run is allowed at a sample: anything where it is not known.
double error_at(const RefinedRun& refined, std::size_t k) {
  return refined.error.empty() ? std::numeric_limits<double>::infinity() : at(refined.error, k);
}

bool is_limit(const BodyPair& pair) { return pair[0] == pair[1]; }

/// By how much the difference of velocities is larger for good after the interval before sample k than before it.
/// Impacts of one run that come a little later in the other make differences that do not last.
double lasting_rise(const std::vector<double>& speed, std::size_t k) {
  constexpr std::size_t window = 4;
  const auto begin = speed.begin() + static_cast<std::ptrdiff_t>(k);
  const auto end = speed.begin() + static_cast<std::ptrdiff_t>(std::min(k + window, speed.size()));
  return *std::min_element(begin, end) - speed[k - 1];
}

/// The normal impulse of a pair between two samples.
double normal_between(const PairImpulse& impulse, std::size_t from, std::size_t to) {
  return at(impulse.normal, to) - at(impulse.normal, from);
}

Vec3 world_between(const SampledRun& run, const BodyPair& pair, std::size_t from, std::size_t to) {
  const auto found = run.impulses.find(pair);
  if (found == run.impulses.end()) return Vec3::Zero();
  const std::vector<Vec3>& sums = found->second.world;
  return sums[std::min(to, sums.size() - 1)] - sums[std::min(from, sums.size() - 1)];
}

bool strikes_between(const SampledRun& run, const BodyPair& pair, double from, double to) {
  return std::any_of(run.strikes.begin(), run.strikes.end(), [&](const Strike& strike) {
    return strike.pair == pair && strike.time >= from && strike.time <= to;
  });
}

/// The pair of bodies whose impulses differ most between two samples.
void find_cause(const SampledRun& a, const SampledRun& b, std::size_t from, std::size_t to, Parting& parting) {
  std::vector<BodyPair> pairs;
  for (const auto& [pair, impulse] : a.impulses) pairs.push_back(pair);
  for (const auto& [pair, impulse] : b.impulses) pairs.push_back(pair);
  for (const bool limits : {false, true}) {  // impulses of another kind, N m s
    double most = 0;
    for (const BodyPair& pair : pairs) {
      const double differ = (world_between(a, pair, from, to) - world_between(b, pair, from, to)).norm();
      if (is_limit(pair) != limits || !(differ > most)) continue;
      most = differ;
      parting.pair = pair;
    }
    parting.has_cause = most > 0;
    if (parting.has_cause) break;
  }
  if (!parting.has_cause) return;
  parting.strikes = strikes_between(a, parting.pair, parting.from, parting.to) ||
                    strikes_between(b, parting.pair, parting.from, parting.to);
  const auto normal = [&](const SampledRun& run) {
    const auto found = run.impulses.find(parting.pair);
    return found == run.impulses.end() ? 0 : normal_between(found->second, from, to);
  };
  parting.first_impulse = normal(a);
  parting.second_impulse = normal(b);
}

}  // namespace

Parting find_parting(const Model& model, const std::vector<RefinedRun>& runs, std::size_t first, std::size_t second,
                     double tolerance) {
  const RefinedRun &a = runs[first], &b = runs[second];
  const RunDifference difference = run_difference(model, a.run, b.run);
  Parting parting;
  parting.first = first;
  parting.second = second;
  std::size_t parted = difference.distance.size();
  for (std::size_t k = 0; k < difference.distance.size(); ++k) {
    parting.largest = std::max(parting.largest, difference.distance[k]);
    if (difference.distance[k] > tolerance + error_at(a, k) + error_at(b, k)) parted = std::min(parted, k);
  }
  if (parted == difference.distance.size() || parted == 0) return parting;
  parting.time = a.run.times[parted];
  std::size_t cause = 1;
  for (std::size_t k = 1; k <= parted; ++k) {
    if (lasting_rise(difference.speed, k) > lasting_rise(difference.speed, cause)) cause = k;
  }
  // One sample more on either side: an impact near a sample may fall on either side of it in the two runs.
  const std::size_t from = cause >= 2 ? cause - 2 : 0, to = std::min(cause + 1, difference.distance.size() - 1);
  parting.from = a.run.times[from];
  parting.to = a.run.times[to];
  find_cause(a.run, b.run, from, to, parting);
  return parting;
}

}  // namespace carom
