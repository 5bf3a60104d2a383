#include "carom/impact/propagative/uniqueness.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "carom/impact/propagative/opening_direction.h"

namespace carom {

int reflection_order(double cosine, double tolerance, int max_m) {
  if (cosine > tolerance || cosine <= -1) return 0;
  const double m = std::round(std::numbers::pi / std::acos(std::min(1.0, -cosine)));
  if (m < 2 || m > max_m) return 0;
  return std::abs(cosine + std::cos(std::numbers::pi / m)) <= tolerance ? static_cast<int>(m) : 0;
}

namespace {

/// Violated contacts, and all linked to them by a chain of products that are not zero; in order.
std::vector<int> taking_part(const NormalImpact& impact, const UniquenessOptions& options) {
  const double threshold = -options.outcomes.feasible_tolerance * impact.scale();
  const auto k = static_cast<int>(impact.size());
  std::vector<int> found;
  std::vector<bool> in(static_cast<std::size_t>(k), false);
  for (int i = 0; i < k; ++i) {
    if (impact.approach(i) >= threshold) continue;
    in[static_cast<std::size_t>(i)] = true;
    found.push_back(i);
  }
  for (std::size_t place = 0; place < found.size(); ++place) {
    for (int j = 0; j < k; ++j) {
      if (in[static_cast<std::size_t>(j)] || std::abs(impact.cosine(found[place], j)) <= options.angle_tolerance)
        continue;
      in[static_cast<std::size_t>(j)] = true;
      found.push_back(j);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

NormalImpact part_of(const NormalImpact& impact, const std::vector<int>& contacts) {
  const auto k = static_cast<Eigen::Index>(contacts.size());
  Eigen::MatrixXd A(k, k);
  Eigen::VectorXd u(k);
  for (Eigen::Index j = 0; j < k; ++j) {
    const int b = contacts[static_cast<std::size_t>(j)];
    u(j) = impact.approach(b) * impact.length(b);
    for (Eigen::Index i = 0; i < k; ++i) {
      const int a = contacts[static_cast<std::size_t>(i)];
      A(i, j) = impact.cosine(a, b) * (impact.length(a) * impact.length(b));
    }
  }
  return normal_impact(A, u);
}

/// The largest order of any pair; 0, and the pair noted, if one has none.
int largest_order(const NormalImpact& part, const UniquenessOptions& options, Uniqueness& verdict) {
  int largest = 2;
  for (Eigen::Index i = 0; i < part.size(); ++i) {
    for (Eigen::Index j = i + 1; j < part.size(); ++j) {
      const int m = reflection_order(part.cosine(i, j), options.angle_tolerance, options.max_m);
      if (m == 0) {
        verdict.first = verdict.contacts[static_cast<std::size_t>(i)];
        verdict.second = verdict.contacts[static_cast<std::size_t>(j)];
        return 0;
      }
      largest = std::max(largest, m);
    }
  }
  return largest;
}

void decide_by_angles(int largest, Uniqueness& verdict) {
  verdict.unique = Unique::yes;
  verdict.any_momentum = true;
  if (largest == 2) {
    verdict.reason = UniqueReason::orthogonal;
    verdict.sentence = "unique: the normals are orthogonal in the kinetic metric, so resets commute";
  } else if (largest == 3) {
    verdict.reason = UniqueReason::three_stage;
    verdict.sentence =
        "unique: the normals are independent and stand at 90° or 120° in the kinetic metric, so resets generate a "
        "reflection group";
  } else {
    verdict.reason = UniqueReason::reflection_group;
    verdict.sentence = "unique: the normals are independent and stand at π − π/m in the kinetic metric (m up to " +
                       std::to_string(largest) + "), so resets generate a reflection group";
  }
}

std::string wedged(bool exists) { return exists ? "" : "; the contacts cannot all open at once"; }

void decide_by_enumeration(const NormalImpact& part, bool exists, const UniquenessOptions& options,
                           Uniqueness& verdict) {
  OutcomeOptions all = options.outcomes;
  all.reading = MinimalReading::stops_when_feasible;
  verdict.outcomes = outcome_set(part, all);
  const OutcomeSet& set = verdict.outcomes;
  const std::size_t n = set.outcomes.size();
  const std::string count = std::to_string(n);
  verdict.ends = exists || (!set.cut && !set.endless);
  verdict.reason = UniqueReason::enumerated;
  if (n > 1) {
    verdict.unique = Unique::no;
    verdict.sentence = "not unique: " + std::string(set.cut ? "at least " : "") + count +
                       " outcomes, by the order of resets" + wedged(exists);
  } else if (set.cut) {
    verdict.reason = UniqueReason::budget;
    verdict.sentence = "unknown: cut after " + std::to_string(set.momenta) + " momenta, at least " + count +
                       " outcomes" + wedged(exists);
  } else if (set.endless) {
    verdict.reason = UniqueReason::endless;
    verdict.sentence = n == 0 ? "unknown: no order of resets ends; the contacts cannot all open at once"
                              : "unknown: one outcome, but some orders of resets never end" + wedged(exists);
  } else {
    verdict.unique = Unique::yes;
    verdict.sentence = "unique: every order of resets from this momentum ends in the same outcome" + wedged(exists);
  }
}

}  // namespace

Uniqueness uniqueness(const NormalImpact& impact, const UniquenessOptions& options) {
  Uniqueness verdict;
  verdict.contacts = taking_part(impact, options);
  verdict.ends = true;
  if (verdict.contacts.empty()) {
    verdict.unique = Unique::yes;
    verdict.reason = UniqueReason::feasible_before;
    verdict.margin = 1;
    verdict.sentence = "unique: no contact is violated, so there is no impact";
    return verdict;
  }
  const NormalImpact part = part_of(impact, verdict.contacts);
  const OpeningDirection opening = opening_direction(part);
  verdict.margin = opening.margin;
  if (verdict.contacts.size() == 1) {
    verdict.unique = Unique::yes;
    verdict.any_momentum = true;
    verdict.reason = UniqueReason::one_contact;
    verdict.sentence = "unique: one contact takes part";
    return verdict;
  }
  const int largest = largest_order(part, options, verdict);
  if (opening.exists && largest > 0) {
    decide_by_angles(largest, verdict);
    return verdict;
  }
  UniquenessOptions wide = options;
  if (!(wide.outcomes.kinetic_energy > 0)) wide.outcomes.kinetic_energy = impact.reachable_energy();
  decide_by_enumeration(part, opening.exists, wide, verdict);
  return verdict;
}

}  // namespace carom
