#include "carom/impact/propagative/minimal_sequences.h"

#include <Eigen/Core>
#include <deque>
#include <utility>

#include "carom/impact/propagative/elastic_sequence.h"

namespace carom {

namespace {

struct Attempt {
  std::vector<int> sequence;
  Eigen::VectorXd momentum;
  std::vector<Eigen::VectorXd> shorter;  // reached by proper subsequences, none feasible
};

class Search {
 public:
  Search(const NormalBlow& blow, double feasible, double distinct)
      : blow_(blow), feasible_(feasible), distinct_(distinct), unused_(Eigen::VectorXd::Zero(blow.size())) {}

  bool is_feasible(const Eigen::VectorXd& w) const { return w.size() == 0 || w.minCoeff() >= -feasible_; }
  bool is_violated(const Eigen::VectorXd& w, Eigen::Index i) const { return w(i) < -feasible_; }

  /// False if the extended sequence, and all that begin with it, are not minimal.
  bool extend(const Attempt& attempt, int i, Attempt& longer) {
    longer.momentum = reset(attempt.momentum, i);
    longer.shorter = attempt.shorter;
    keep(longer.shorter, attempt.momentum);
    for (const Eigen::VectorXd& w : attempt.shorter) {
      if (!is_violated(w, i)) continue;
      const Eigen::VectorXd other = reset(w, i);
      if (is_feasible(other)) return false;
      keep(longer.shorter, other);
    }
    for (const Eigen::VectorXd& w : longer.shorter) {
      if (same(w, longer.momentum)) return false;
    }
    longer.sequence = attempt.sequence;
    longer.sequence.push_back(i);
    return true;
  }

 private:
  Eigen::VectorXd reset(Eigen::VectorXd w, int i) {
    elastic_reset(blow_, i, w, unused_);
    return w;
  }
  bool same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
    return (a - b).cwiseAbs().maxCoeff() <= distinct_;
  }
  void keep(std::vector<Eigen::VectorXd>& set, const Eigen::VectorXd& w) const {
    for (const Eigen::VectorXd& other : set) {
      if (same(other, w)) return;
    }
    set.push_back(w);
  }

  const NormalBlow& blow_;
  double feasible_, distinct_;
  Eigen::VectorXd unused_;
};

}  // namespace

MinimalSequences minimal_sequences(const NormalBlow& blow, double feasible_tolerance, double distinct_tolerance,
                                   int max_momenta) {
  MinimalSequences result;
  Search search(blow, feasible_tolerance, distinct_tolerance);
  std::deque<Attempt> waiting;
  waiting.push_back({{}, blow.approach, {}});
  result.momenta = 1;
  while (!waiting.empty()) {
    const Attempt attempt = std::move(waiting.front());
    waiting.pop_front();
    if (search.is_feasible(attempt.momentum)) {
      result.sequences.push_back(attempt.sequence);
      continue;
    }
    for (int i = 0; i < static_cast<int>(blow.size()); ++i) {
      if (!search.is_violated(attempt.momentum, i)) continue;
      if (result.momenta >= max_momenta) {
        result.cut = true;
        break;
      }
      Attempt longer;
      if (!search.extend(attempt, i, longer)) continue;
      result.momenta += 1 + static_cast<int>(longer.shorter.size());
      waiting.push_back(std::move(longer));
    }
  }
  return result;
}

}  // namespace carom
