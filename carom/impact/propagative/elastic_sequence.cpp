#include "carom/impact/propagative/elastic_sequence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

#include "carom/error.h"

namespace carom {

void elastic_reset(const NormalImpact& impact, Eigen::Index i, Eigen::Ref<Eigen::VectorXd> w,
                   Eigen::Ref<Eigen::VectorXd> pi) {
  const double push = -2 * w(i);
  pi(i) += push;
  w += push * impact.cosine.col(i);  // w(i) changes its sign exactly
}

namespace {

std::vector<int> checked_order(const ElasticOptions& options, Eigen::Index k) {
  std::vector<int> order = options.order;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(k));
    std::iota(order.begin(), order.end(), 0);
  }
  for (const int i : order) {
    if (i < 0 || i >= k) {
      throw Error("the order of resets names contact " + std::to_string(i) + "; contacts of this impact are 0 to " +
                  std::to_string(k - 1));
    }
  }
  return order;
}

/// Chooses the contact to reset.
class Chooser {
 public:
  Chooser(ResetRule rule, std::vector<int> order, double threshold)
      : rule_(rule), order_(std::move(order)), threshold_(threshold) {}

  /// −1: none of those in the order is violated.
  int next(const Eigen::VectorXd& w) {
    if (rule_ == ResetRule::deepest) {
      Eigen::Index i = 0;
      return w.minCoeff(&i) < threshold_ ? static_cast<int>(i) : -1;
    }
    if (rule_ == ResetRule::priority) place_ = 0;
    for (std::size_t tried = 0; tried < order_.size(); ++tried) {
      const int i = order_[place_];
      place_ = place_ + 1 == order_.size() ? 0 : place_ + 1;
      if (w(i) < threshold_) return i;
    }
    return -1;
  }

 private:
  ResetRule rule_;
  std::vector<int> order_;
  double threshold_;
  std::size_t place_ = 0;
};

}  // namespace

ElasticOutcome elastic_impact(const NormalImpact& impact, const ElasticOptions& options) {
  ElasticOutcome outcome;
  Eigen::VectorXd w = impact.approach;
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(w.size());
  const double threshold = -options.feasible_tolerance * impact.scale();
  Chooser chooser(options.rule, checked_order(options, w.size()), threshold);
  while (w.size() > 0 && w.minCoeff() < threshold) {
    ask_to_go_on(options.stop);
    if (static_cast<int>(outcome.sequence.size()) >= options.max_resets) {
      outcome.status = ElasticStatus::reset_limit;
      break;
    }
    const int i = chooser.next(w);
    if (i < 0) {
      outcome.status = ElasticStatus::not_listed;
      break;
    }
    elastic_reset(impact, i, w, pi);
    outcome.sequence.push_back(i);
  }
  outcome.impulse = impact.impulse_of(pi);
  outcome.velocity = impact.velocity_of(w);
  return outcome;
}

double two_contact_bound(double cosine) {
  const double opening = std::acos(std::clamp(-cosine, -1.0, 1.0));  // π − θ
  if (opening == 0) return std::numeric_limits<double>::infinity();
  const double ratio = std::numbers::pi / opening;
  return std::abs(ratio - std::round(ratio)) <= 1e-9 * ratio ? std::round(ratio) : std::ceil(ratio);
}

}  // namespace carom
