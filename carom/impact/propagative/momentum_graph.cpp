#include "carom/impact/propagative/momentum_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/impact/propagative/elastic_sequence.h"

namespace carom {

MomentumIndex::MomentumIndex(Eigen::Index k, double tolerance) : tolerance_(tolerance), weight_(k) {
  // Fractions of multiples of the golden ratio: no symmetric pair of momenta shares its sum.
  for (Eigen::Index i = 0; i < k; ++i) {
    const double multiple = 0.6180339887498949 * static_cast<double>(i + 1);
    weight_(i) = 0.5 + multiple - std::floor(multiple);
  }
}

int MomentumIndex::find(const std::vector<Eigen::VectorXd>& momenta, const Eigen::VectorXd& w) const {
  const double sum = weight_.dot(w), reach = tolerance_ * weight_.sum();
  const auto last = by_sum_.upper_bound(sum + reach);
  for (auto it = by_sum_.lower_bound(sum - reach); it != last; ++it) {
    const Eigen::VectorXd& other = momenta[static_cast<std::size_t>(it->second)];
    if ((other - w).cwiseAbs().maxCoeff() <= tolerance_) return it->second;
  }
  return -1;
}

MomentumGraph momentum_graph(const NormalImpact& impact, double feasible_tolerance, double distinct_tolerance,
                             int max_momenta) {
  MomentumGraph graph;
  const Eigen::Index k = impact.size();
  MomentumIndex index(k, distinct_tolerance);
  const auto add = [&](const Eigen::VectorXd& w, int parent, int by, int level) {
    index.insert(w, static_cast<int>(graph.momenta.size()));
    graph.momenta.push_back(w);
    graph.next.emplace_back();
    graph.parent.push_back(parent);
    graph.by.push_back(by);
    graph.level.push_back(level);
  };
  add(impact.approach, MomentumGraph::none, MomentumGraph::none, 0);
  Eigen::VectorXd reset, unused = Eigen::VectorXd::Zero(k);
  for (std::size_t from = 0; from < graph.momenta.size(); ++from) {
    if (k == 0 || graph.momenta[from].minCoeff() >= -feasible_tolerance) continue;
    std::vector<int> next(static_cast<std::size_t>(k), MomentumGraph::none);
    for (Eigen::Index i = 0; i < k; ++i) {
      if (graph.momenta[from](i) >= -feasible_tolerance) continue;
      reset = graph.momenta[from];
      elastic_reset(impact, i, reset, unused);
      int to = index.find(graph.momenta, reset);
      if (to < 0 && static_cast<int>(graph.momenta.size()) >= max_momenta) {
        graph.cut = true;
        to = MomentumGraph::unvisited;
      } else if (to < 0) {
        to = static_cast<int>(graph.momenta.size());
        add(reset, static_cast<int>(from), static_cast<int>(i), graph.level[from] + 1);
      }
      next[static_cast<std::size_t>(i)] = to;
    }
    graph.next[from] = std::move(next);
  }
  return graph;
}

PathCount count_paths(const MomentumGraph& graph) {
  const std::size_t n = graph.momenta.size();
  PathCount count{std::vector<double>(n, 0), std::vector<double>(n, 0), false};
  std::vector<int> incoming(n, 0), ready;
  for (const std::vector<int>& next : graph.next) {
    for (const int to : next) {
      if (to >= 0) ++incoming[static_cast<std::size_t>(to)];
    }
  }
  count.paths[0] = 1;
  if (incoming[0] == 0) ready.push_back(0);
  std::vector<bool> done(n, false);
  while (!ready.empty()) {
    const auto from = static_cast<std::size_t>(ready.back());
    ready.pop_back();
    done[from] = true;
    for (const int to : graph.next[from]) {
      if (to < 0) continue;
      const auto there = static_cast<std::size_t>(to);
      count.paths[there] += count.paths[from];
      count.longest[there] = std::max(count.longest[there], count.longest[from] + 1);
      if (--incoming[there] == 0) ready.push_back(to);
    }
  }
  // All momenta can be reached, so one that never became ready lies on a cycle or behind one.
  for (std::size_t i = 0; i < n; ++i) {
    if (done[i]) continue;
    count.cyclic = true;
    count.paths[i] = count.longest[i] = std::numeric_limits<double>::infinity();
  }
  return count;
}

}  // namespace carom
