#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/impact/impact_problem.h"
#include "carom/impact/plus_interval.h"
#include "carom/impact/plus_options.h"

namespace carom {

/// The PLUS impact law (T. K. Uchida, M. A. Sherman and S. L. Delp, "Making a meaningful impact: modelling simultaneous
/// frictional collisions in spatial multibody systems", Proc. R. Soc. A 471, 2015), for contacts that strike, roll and
/// slide at once:
///
///     u⁺ = u + A p,   p = Σ over rounds, Σ over intervals, of α π
///
/// In a *round* a contact has one of three roles. It expands if it was compressed in the last round and its restitution
/// is not zero. It is then owed e times the normal impulse it took. Else it compresses if it approaches, and observes
/// if not. Roles are fixed throughout the round, so an impact runs on from contact to contact, round by round, until
/// nothing approaches and nothing is owed. A round is cut into *intervals* in which every contact rolls, begins to
/// slip, or slides. There π is the least-norm solution of (table 1)
///
///     A_z π = −u_z, π_z ≥ 0          compressing       A_xy π = −u_xy, ‖M⁻¹ π_xy‖ ≤ π_z     rolling
///     π_z = what is owed             expanding         π_xy = −π_z M s                      slipping, sliding
///     π = 0                          observing         A_b π = −(u_b + offset_b)            bilateral
///
/// so that equal contacts get equal impulses where those are not unique. Velocity errors of bilateral rows are removed
/// first, in a round of their own. Departures from the paper are intervals of second order, a limit on energy, contacts
/// that jam (Painlevé), and an end when the rounds do not. Each is an option or said in docs/theory/plus.md.
///
/// All contacts of the problem are proximal; the caller chooses them. The e of a contact is PairRestitution::at() of
/// its approach speed when the round begins. Unilateral rows (joint limits, ratchets) are contacts without friction.
///
/// Cost: an interval takes one solve, and one more per contact that is dropped or begins to slip; each is O(k³) at
/// worst. Nothing is allocated in problems no larger than one before (searches and bounds, where asked for, excepted).
class PlusLaw {
 public:
  /// impulse and velocity: k, p and u + A p. trace: all that happened, or nullptr; overwritten. Throws carom::Error if
  /// sizes disagree or a block is of a kind that the law does not know (bounded, ellipsoid).
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, const PlusOptions& options,
                                    Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                                    PlusTrace* trace = nullptr);

  /// Makes room for any problem of so many blocks.
  void reserve(int blocks);

  /// Optimality in the last solve, where asked for.
  const PlusOptimality& optimality() const { return optimality_; }

 private:
  /// Start of a round, from which it begins again when its expansion is scaled.
  struct Start {
    std::vector<double> velocity, impulse, owed;
    std::size_t steps = 0;
    int intervals = 0, jams = 0;
    PlusOptimality optimality;
  };

  void begin(const ImpactProblem& problem, const PlusOptions& options, PlusTrace* trace);
  bool assign_roles();
  void run_round(double expansion);
  void limit_energy();
  void hold_rows();
  bool run_rounds();
  void end_plastically();
  void sweep();
  void record(const PlusStep& step, const Eigen::Ref<const Eigen::VectorXd>& impulse);
  void save();
  void restore();
  double energy_gain() const;
  double residual() const;
  double approach() const;
  Eigen::Map<Eigen::VectorXd> velocity() { return {velocity_.data(), size_}; }
  Eigen::Map<Eigen::VectorXd> impulse() { return {impulse_.data(), size_}; }

  const ImpactProblem* problem_ = nullptr;
  const PlusOptions* options_ = nullptr;
  PlusTrace* trace_ = nullptr;
  Eigen::Index size_ = 0;
  double speed_ = 0;
  ImpactOutcome outcome_;
  PlusOptimality optimality_;
  PlusInterval interval_;
  ContactSolver plastic_;
  ContactOptions plastic_options_;
  Start start_;
  std::vector<PlusRole> roles_;
  std::vector<Block> plastic_blocks_;
  std::vector<double> velocity_, impulse_, owed_, taken_, restitution_, change_, after_, entry_;
};

}  // namespace carom
