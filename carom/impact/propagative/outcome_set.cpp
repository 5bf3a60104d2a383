#include "carom/impact/propagative/outcome_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/minimal_sequences.h"
#include "carom/impact/propagative/momentum_graph.h"

namespace carom {

namespace {

/// What a sequence does, in units of the blow.
struct Run {
  Eigen::VectorXd w, pi;
};

Run run(const NormalBlow& blow, const std::vector<int>& sequence) {
  Run result{blow.approach, Eigen::VectorXd::Zero(blow.size())};
  for (const int i : sequence) elastic_reset(blow, i, result.w, result.pi);
  return result;
}

void fill(const NormalBlow& blow, const Run& done, ReachedOutcome& outcome) {
  outcome.impulse = blow.impulse_of(done.pi);
  outcome.velocity = blow.velocity_of(done.w);
}

void collect_graph(const NormalBlow& blow, const OutcomeOptions& options, OutcomeSet& set) {
  const double scale = blow.scale();
  const MomentumGraph graph =
      momentum_graph(blow, options.feasible_tolerance * scale, options.distinct_tolerance * scale, options.max_momenta);
  const PathCount count = count_paths(graph);
  set.momenta = static_cast<int>(graph.momenta.size());
  set.cut = graph.cut;
  set.endless = count.cyclic;
  for (int number = 0; number < set.momenta; ++number) {
    if (!graph.feasible(number)) continue;
    const auto at = static_cast<std::size_t>(number);
    ReachedOutcome outcome;
    for (int node = number; graph.parent[static_cast<std::size_t>(node)] >= 0;
         node = graph.parent[static_cast<std::size_t>(node)]) {
      outcome.sequence.push_back(graph.by[static_cast<std::size_t>(node)]);
    }
    std::reverse(outcome.sequence.begin(), outcome.sequence.end());
    fill(blow, run(blow, outcome.sequence), outcome);
    outcome.sequences = count.paths[at];
    outcome.longest = count.longest[at];
    set.outcomes.push_back(std::move(outcome));
  }
}

void collect_sequences(const NormalBlow& blow, const OutcomeOptions& options, OutcomeSet& set) {
  const double scale = blow.scale(), distinct = options.distinct_tolerance * scale;
  const MinimalSequences found =
      minimal_sequences(blow, options.feasible_tolerance * scale, distinct, options.max_momenta);
  set.cut = found.cut;
  set.momenta = found.momenta;
  MomentumIndex index(blow.size(), distinct);
  std::vector<Eigen::VectorXd> ends;
  for (const std::vector<int>& sequence : found.sequences) {
    const Run done = run(blow, sequence);
    int number = index.find(ends, done.w);
    if (number < 0) {
      number = static_cast<int>(ends.size());
      index.insert(done.w, number);
      ends.push_back(done.w);
      set.outcomes.emplace_back();
      set.outcomes.back().sequence = sequence;
      fill(blow, done, set.outcomes.back());
    }
    ReachedOutcome& outcome = set.outcomes[static_cast<std::size_t>(number)];
    outcome.sequences += 1;
    outcome.longest = std::max(outcome.longest, static_cast<double>(sequence.size()));
  }
}

/// ‖p_a − p_b‖ in an orthonormal basis of the span, where the impulses of redundant contacts differ in nothing.
double diameter(const NormalBlow& blow, const std::vector<ReachedOutcome>& outcomes) {
  Eigen::MatrixXd points(blow.rank(), static_cast<Eigen::Index>(outcomes.size()));
  for (std::size_t a = 0; a < outcomes.size(); ++a) {
    points.col(static_cast<Eigen::Index>(a)) = blow.factor.transpose() * outcomes[a].impulse.cwiseProduct(blow.length);
  }
  double largest = 0;
  for (Eigen::Index a = 0; a < points.cols(); ++a) {
    for (Eigen::Index b = 0; b < a; ++b) largest = std::max(largest, (points.col(a) - points.col(b)).norm());
  }
  return largest;
}

}  // namespace

OutcomeSet outcome_set(const NormalBlow& blow, const OutcomeOptions& options) {
  OutcomeSet set;
  if (options.reading == MinimalReading::no_subsequence) {
    collect_sequences(blow, options, set);
  } else {
    collect_graph(blow, options, set);
  }
  set.shortest = set.outcomes.empty() ? 0 : std::numeric_limits<int>::max();
  for (ReachedOutcome& outcome : set.outcomes) {
    outcome.shortest = static_cast<int>(outcome.sequence.size());
    set.shortest = std::min(set.shortest, outcome.shortest);
    set.longest = std::max(set.longest, outcome.longest);
    set.sequences += outcome.sequences;
  }
  set.diameter = diameter(blow, set.outcomes);
  const double energy = options.kinetic_energy > 0 ? options.kinetic_energy : blow.reachable_energy();
  if (energy > 0) set.indeterminacy = set.diameter / std::sqrt(2 * energy);
  return set;
}

}  // namespace carom
