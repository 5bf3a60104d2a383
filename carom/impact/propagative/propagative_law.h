#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/impact_rows.h"
#include "carom/impact/plus_options.h"
#include "carom/impact/propagative/elastic_sequence.h"
#include "carom/impact/propagative/normal_impact.h"
#include "carom/impact/propagative/propagative_options.h"

namespace carom {

/// The propagative impact as an impact law (paper PROP: Seghete and Murphey 2014, eqs. (7), (14)): elastic resets at
/// violated contacts, one after another, until none is violated. It is elastic and without friction, whatever the
/// surfaces and blocks say. Constraints (bilateral rows) are eliminated first, so that angles are those of the
/// constrained mechanism.
///
/// The law energy-blend (16)–(18) loses an energy between those of the plastic and the elastic outcome. The surfaces'
/// restitutions at their approach speeds decide how much. The paper has one restitution. If contacts differ, their
/// shares of energy e² (or e) are averaged. The weight of each is the energy that the plastic impact takes there, −½
/// u_i p_i where that is positive.
///
/// If the budget of resets is spent (a body wedged between walls), the plastic projection on the feasible cone takes
/// the place of the resets. The status is then `budget`. A contact that the constraints fix takes no part. Near such a
/// place, round-off is what is left of a contact's row; then as few contacts are left out as make A sound again.
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
