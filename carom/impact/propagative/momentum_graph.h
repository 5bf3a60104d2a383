#pragma once

#include <Eigen/Core>
#include <map>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"

namespace carom {

/// Momenta that are told apart by their products with the normals: equal if all of them differ by less than a
/// tolerance. Kept by a fixed weighted sum of the products, so that a look-up compares few. O(k log n) as a rule.
class MomentumIndex {
 public:
  /// tolerance: √J. k: entries of a momentum.
  MomentumIndex(Eigen::Index k, double tolerance);

  /// The number of the momentum equal to w, or −1. `momenta` holds what was numbered.
  int find(const std::vector<Eigen::VectorXd>& momenta, const Eigen::VectorXd& w) const;
  void insert(const Eigen::VectorXd& w, int number) { by_sum_.emplace(weight_.dot(w), number); }

 private:
  double tolerance_;
  Eigen::VectorXd weight_;
  std::multimap<double, int> by_sum_;
};

/// The graph of all momenta that resets at violated contacts reach from the momentum before an impact (outcome_set.h).
struct MomentumGraph {
  static constexpr int none = -1;        ///< the contact is not violated
  static constexpr int unvisited = -2;   ///< the budget ended before it
  std::vector<Eigen::VectorXd> momenta;  ///< ⟨p, n_i⟩; the first is that before the impact; in the order of level
  std::vector<std::vector<int>> next;    ///< per momentum: after the reset of each contact; empty if feasible
  std::vector<int> parent, by;           ///< per momentum: the one it was first reached from, and the contact reset
  std::vector<int> level;                ///< resets of the shortest way
  bool cut = false;

  bool feasible(int number) const { return next[static_cast<std::size_t>(number)].empty(); }
};

/// tolerances in √J. Breadth first, at most max_momenta momenta.
MomentumGraph momentum_graph(const NormalImpact& impact, double feasible_tolerance, double distinct_tolerance,
                             int max_momenta);

/// Over all paths from the first momentum: how many lead to each, and the longest of them. Infinite behind a cycle.
struct PathCount {
  std::vector<double> paths;
  std::vector<double> longest;
  bool cyclic = false;
};
PathCount count_paths(const MomentumGraph& graph);

}  // namespace carom
