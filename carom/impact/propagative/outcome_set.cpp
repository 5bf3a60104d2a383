#include "carom/impact/propagative/outcome_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/minimal_sequences.h"
#include "carom/impact/propagative/momentum_graph.h"

namespace carom {

namespace {

/// Run of a sequence, in units of the impact.
struct Run {
  Eigen::VectorXd w, pi;
};

Run run(const NormalImpact& impact, const std::vector<int>& sequence) {
  Run result{impact.approach, Eigen::VectorXd::Zero(impact.size())};
  for (const int i : sequence) elastic_reset(impact, i, result.w, result.pi);
  return result;
}

void fill(const NormalImpact& impact, const Run& done, ReachedOutcome& outcome) {
  outcome.impulse = impact.impulse_of(done.pi);
  outcome.velocity = impact.velocity_of(done.w);
}

/// Adds a sequence to the outcome that it leads to; `ends` are the momenta of the outcomes.
void add_sequence(const NormalImpact& impact, const std::vector<int>& sequence, const Run& done, MomentumIndex& index,
                  std::vector<Eigen::VectorXd>& ends, OutcomeSet& set) {
  int number = index.find(ends, done.w);
  if (number < 0) {
    number = static_cast<int>(ends.size());
    index.insert(done.w, number);
    ends.push_back(done.w);
    set.outcomes.emplace_back();
    set.outcomes.back().sequence = sequence;
    fill(impact, done, set.outcomes.back());
  }
  ReachedOutcome& outcome = set.outcomes[static_cast<std::size_t>(number)];
  outcome.sequences += 1;
  outcome.longest = std::max(outcome.longest, static_cast<double>(sequence.size()));
}

std::vector<int> path_to(const MomentumGraph& graph, int number) {
  std::vector<int> path;
  for (auto at = static_cast<std::size_t>(number); graph.parent[at] >= 0;
       at = static_cast<std::size_t>(graph.parent[at])) {
    path.push_back(graph.by[at]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

/// Follows every way out of the graph that the budget cut once, deepest first, for max_momenta resets in all.
/// Each leaves the graph by an edge of its own, so that no sequence is counted twice.
void follow_ways_out(const NormalImpact& impact, const OutcomeOptions& options, const MomentumGraph& graph,
                     OutcomeSet& set) {
  const double scale = impact.scale();
  MomentumIndex index(impact.size(), options.distinct_tolerance * scale);
  std::vector<Eigen::VectorXd> ends;
  for (const ReachedOutcome& outcome : set.outcomes) {
    ends.emplace_back(outcome.velocity.cwiseQuotient(impact.length));
    index.insert(ends.back(), static_cast<int>(ends.size()) - 1);
  }
  int budget = options.max_momenta;
  for (std::size_t from = 0; from < graph.next.size() && budget > 0; ++from) {
    for (std::size_t i = 0; i < graph.next[from].size() && budget > 0; ++i) {
      if (graph.next[from][i] != MomentumGraph::unvisited) continue;
      std::vector<int> sequence = path_to(graph, static_cast<int>(from));
      sequence.push_back(static_cast<int>(i));
      Run way = run(impact, sequence);
      Eigen::Index next = 0;
      while (way.w.minCoeff(&next) < -options.feasible_tolerance * scale && --budget > 0) {
        elastic_reset(impact, next, way.w, way.pi);
        sequence.push_back(static_cast<int>(next));
      }
      if (way.w.minCoeff() < -options.feasible_tolerance * scale) return;
      add_sequence(impact, sequence, way, index, ends, set);
    }
  }
}

void collect_graph(const NormalImpact& impact, const OutcomeOptions& options, OutcomeSet& set) {
  const double scale = impact.scale();
  const MomentumGraph graph = momentum_graph(impact, options.feasible_tolerance * scale,
                                             options.distinct_tolerance * scale, options.max_momenta);
  const PathCount count = count_paths(graph);
  set.momenta = static_cast<int>(graph.momenta.size());
  set.cut = graph.cut;
  set.endless = count.cyclic;
  for (int number = 0; number < set.momenta; ++number) {
    if (!graph.feasible(number)) continue;
    const auto at = static_cast<std::size_t>(number);
    ReachedOutcome outcome;
    outcome.sequence = path_to(graph, number);
    fill(impact, run(impact, outcome.sequence), outcome);
    outcome.sequences = count.paths[at];
    outcome.longest = count.longest[at];
    set.outcomes.push_back(std::move(outcome));
  }
  if (graph.cut) follow_ways_out(impact, options, graph, set);
}

void collect_sequences(const NormalImpact& impact, const OutcomeOptions& options, OutcomeSet& set) {
  const double scale = impact.scale(), distinct = options.distinct_tolerance * scale;
  const MinimalSequences found =
      minimal_sequences(impact, options.feasible_tolerance * scale, distinct, options.max_momenta);
  set.cut = found.cut;
  set.momenta = found.momenta;
  MomentumIndex index(impact.size(), distinct);
  std::vector<Eigen::VectorXd> ends;
  for (const std::vector<int>& sequence : found.sequences) {
    const Run done = run(impact, sequence);
    add_sequence(impact, sequence, done, index, ends, set);
  }
}

/// The largest ‖p_a − p_b‖, in an orthonormal basis of the span, where the impulses of redundant contacts differ in
/// nothing. Points are taken in the order of their distance r from the mean: ‖p_a − p_b‖ ≤ r_a + r_b ends most of it
/// early.
double diameter(const NormalImpact& impact, const std::vector<ReachedOutcome>& outcomes) {
  const auto n = static_cast<Eigen::Index>(outcomes.size());
  Eigen::MatrixXd points(impact.rank(), n);
  for (Eigen::Index a = 0; a < n; ++a) {
    points.col(a) =
        impact.factor.transpose() * outcomes[static_cast<std::size_t>(a)].impulse.cwiseProduct(impact.length);
  }
  if (n < 2 || impact.rank() == 0) return 0;
  const Eigen::VectorXd r = (points.colwise() - points.rowwise().mean().eval()).colwise().norm();
  std::vector<Eigen::Index> order(outcomes.size());
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return r(a) > r(b); });
  double largest = 0;
  for (std::size_t a = 1; a < order.size() && r(order[a]) + r(order[0]) > largest; ++a) {
    for (std::size_t b = 0; b < a && r(order[a]) + r(order[b]) > largest; ++b) {
      largest = std::max(largest, (points.col(order[a]) - points.col(order[b])).norm());
    }
  }
  return largest;
}

}  // namespace

OutcomeSet outcome_set(const NormalImpact& impact, const OutcomeOptions& options) {
  OutcomeSet set;
  if (options.reading == MinimalReading::no_subsequence) {
    collect_sequences(impact, options, set);
  } else {
    collect_graph(impact, options, set);
  }
  set.shortest = set.outcomes.empty() ? 0 : std::numeric_limits<int>::max();
  for (ReachedOutcome& outcome : set.outcomes) {
    outcome.shortest = static_cast<int>(outcome.sequence.size());
    set.shortest = std::min(set.shortest, outcome.shortest);
    set.longest = std::max(set.longest, outcome.longest);
    set.sequences += outcome.sequences;
  }
  std::stable_sort(set.outcomes.begin(), set.outcomes.end(),
                   [](const ReachedOutcome& a, const ReachedOutcome& b) { return a.shortest < b.shortest; });
  set.diameter = diameter(impact, set.outcomes);
  const double energy = options.kinetic_energy > 0 ? options.kinetic_energy : impact.reachable_energy();
  if (energy > 0) set.indeterminacy = set.diameter / std::sqrt(2 * energy);
  return set;
}

}  // namespace carom
