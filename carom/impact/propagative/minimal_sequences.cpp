#include "carom/impact/propagative/minimal_sequences.h"

#include <Eigen/Core>
#include <algorithm>
#include <utility>
#include <vector>

#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/momentum_graph.h"

namespace carom {

namespace {

/// The graph of momenta (momentum_graph.h), made on demand. Sequences and their subsequences come to the same momenta
/// again and again, and each reset is done once.
class GrowingGraph {
 public:
  GrowingGraph(const NormalImpact& impact, double feasible, double distinct)
      : impact_(impact),
        feasible_(feasible),
        index_(impact.size(), distinct),
        unused_(Eigen::VectorXd::Zero(impact.size())) {
    number_of(impact.approach);
  }

  bool is_feasible(int momentum) const { return feasible_ones_[static_cast<std::size_t>(momentum)]; }
  /// After the reset of contact i; MomentumGraph::none if it is not violated.
  int after(int momentum, Eigen::Index i) {
    const auto edge = static_cast<std::size_t>(momentum * impact_.size() + i);
    if (next_[edge] != MomentumGraph::unvisited) return next_[edge];
    int to = MomentumGraph::none;
    if (momenta_[static_cast<std::size_t>(momentum)](i) < -feasible_) {
      Eigen::VectorXd w = momenta_[static_cast<std::size_t>(momentum)];
      elastic_reset(impact_, i, w, unused_);
      to = number_of(w);
    }
    next_[edge] = to;  // number_of may have moved the edges
    return to;
  }

 private:
  int number_of(const Eigen::VectorXd& w) {
    const int known = index_.find(momenta_, w);
    if (known >= 0) return known;
    const int number = static_cast<int>(momenta_.size());
    index_.insert(w, number);
    momenta_.push_back(w);
    feasible_ones_.push_back(w.size() == 0 || w.minCoeff() >= -feasible_);
    next_.resize(next_.size() + static_cast<std::size_t>(impact_.size()), MomentumGraph::unvisited);
    return number;
  }

  const NormalImpact& impact_;
  double feasible_;
  MomentumIndex index_;
  std::vector<Eigen::VectorXd> momenta_;
  std::vector<bool> feasible_ones_;
  std::vector<int> next_;  // k per momentum
  Eigen::VectorXd unused_;
};

struct Attempt {
  std::vector<int> sequence;
  int momentum = 0;
  std::vector<int> shorter;  // momenta reached by proper subsequences, none feasible; ascending
};

/// False if the extended sequence, and all that begin with it, are not minimal.
bool extend(GrowingGraph& graph, const Attempt& attempt, int i, int momentum, Attempt& longer) {
  longer.momentum = momentum;
  longer.shorter = attempt.shorter;
  longer.shorter.push_back(attempt.momentum);
  for (const int shorter : attempt.shorter) {
    const int other = graph.after(shorter, i);
    if (other == MomentumGraph::none) continue;
    if (graph.is_feasible(other)) return false;
    longer.shorter.push_back(other);
  }
  std::sort(longer.shorter.begin(), longer.shorter.end());
  longer.shorter.erase(std::unique(longer.shorter.begin(), longer.shorter.end()), longer.shorter.end());
  if (std::binary_search(longer.shorter.begin(), longer.shorter.end(), momentum)) return false;
  longer.sequence = attempt.sequence;
  longer.sequence.push_back(i);
  return true;
}

}  // namespace

MinimalSequences minimal_sequences(const NormalImpact& impact, double feasible_tolerance, double distinct_tolerance,
                                   int max_momenta) {
  MinimalSequences result;
  GrowingGraph graph(impact, feasible_tolerance, distinct_tolerance);
  // Depth first: few attempts wait, and a search that is cut has found something.
  std::vector<Attempt> waiting(1);
  result.momenta = 1;
  while (!waiting.empty()) {
    const Attempt attempt = std::move(waiting.back());
    waiting.pop_back();
    if (graph.is_feasible(attempt.momentum)) {
      result.sequences.push_back(attempt.sequence);
      continue;
    }
    for (int i = 0; i < static_cast<int>(impact.size()); ++i) {
      const int momentum = graph.after(attempt.momentum, i);
      if (momentum == MomentumGraph::none) continue;
      if (result.momenta >= max_momenta) {
        result.cut = true;
        break;
      }
      Attempt longer;
      if (!extend(graph, attempt, i, momentum, longer)) continue;
      result.momenta += 1 + static_cast<int>(longer.shorter.size());
      waiting.push_back(std::move(longer));
    }
  }
  std::sort(result.sequences.begin(), result.sequences.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() < b.size() : a < b; });
  return result;
}

}  // namespace carom
