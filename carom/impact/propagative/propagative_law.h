#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/impact_rows.h"
#include "carom/impact/plus_options.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/normal_impact.h"
#include "carom/impact/propagative/propagative_options.h"

namespace carom {

/// The propagative impact as a law of impacts among others (paper PROP: Seghete and Murphey 2014, eqs. (7), (14)):
/// elastic resets at violated contacts until none is, one after another. Elastic and without friction whatever the
/// surfaces and blocks say. Constraints (bilateral rows) are eliminated first, so that angles are those of the
/// constrained mechanism.
///
/// With a blend, law energy-blend (16)–(18): what is lost lies between the plastic and the elastic outcome as the
/// surfaces' restitutions, at their approach speeds, have it. The paper has one restitution; where contacts differ,
/// their shares of energy e² (or e) are averaged with the energy that the plastic impact takes at each, −½ u_i p_i
/// where that is positive.
///
/// Where the budget of resets is spent (a body wedged between walls), the impact is the plastic projection on the
/// feasible cone in their place, and the status is `budget`. A contact that the constraints hold takes no part; near
/// such a place, where round-off is what is left of its row, as few as make A sound again.
///
/// The outcome may depend on the order: uniqueness.h tells, outcome_set.h has them all. O(k³) and O(k) per reset.
class PropagativeLaw {
 public:
  /// impulse and velocity: k, p and u + A p. trace: one step per reset, emptied first; or nullptr. Throws as
  /// check_sizes (impact_rows.h).
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const PropagativeOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                                    PlusTrace* trace = nullptr);
  /// The same with restitutions between plastic and elastic. Its trace stays empty: a blend has no sequence.
  [[nodiscard]] ImpactOutcome solve_blend(const ImpactProblem& problem, const PropagativeOptions& options,
                                          Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  void gather(const ImpactProblem& problem);
  void leave_out(const ImpactProblem& problem, double held);
  ElasticOutcome elastic(const PropagativeOptions& options, const StopSignal* stop, ImpactOutcome& outcome) const;
  double energy_share(const ImpactProblem& problem, const NormalOutcome& plastic, EnergyReading reading) const;
  void finish(const ImpactProblem& problem, const Eigen::VectorXd& normal_impulse, Eigen::Ref<Eigen::VectorXd> impulse,
              Eigen::Ref<Eigen::VectorXd> velocity, ImpactOutcome& outcome);
  void tell(const ImpactProblem& problem, const std::vector<int>& sequence, PlusTrace& trace);

  ImpactRows rows_;
  Eigen::MatrixXd whole_;  // A
  NormalImpact impact_;
  std::vector<int> free_;  // contacts that impulses move, by their number in rows_.list()
  std::vector<double> P_;
};

}  // namespace carom
