#include "carom/impact/propagative/propagative_law.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/error.h"
#include "carom/impact/propagative/energetic_blend.h"
#include "carom/impact/propagative/plastic_projection.h"

namespace carom {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// If constraints leave no more than this share of A_ii, they count as fixing the contact: the share tried first, and
/// the largest tried.
constexpr double least_held = 1e-12, most_held = 1e-3;

ElasticOptions elastic_options(const PropagativeOptions& options, Eigen::Index k, const StopSignal* stop) {
  ElasticOptions elastic;
  elastic.stop = stop;
  elastic.max_resets = options.most_resets;
  // A law's certificate measures what approach is left, so no more is left than round-off makes.
  elastic.feasible_tolerance = 1e-12;
  switch (options.order) {
    case ResetOrder::deepest:
      elastic.rule = ResetRule::deepest;
      break;
    case ResetOrder::first:
      elastic.rule = ResetRule::priority;
      break;
    case ResetOrder::last:
      elastic.rule = ResetRule::priority;
      elastic.order.resize(static_cast<std::size_t>(k));
      std::iota(elastic.order.rbegin(), elastic.order.rend(), 0);
      break;
    case ResetOrder::in_turn:
      elastic.rule = ResetRule::in_turn;
      break;
  }
  return elastic;
}

}  // namespace

/// Leaves out contacts of whose A_ii constraints leave no more than the share `held`.
void PropagativeLaw::leave_out(const ImpactProblem& problem, double held) {
  const Eigen::Map<const MatrixXd> B(rows_.matrix(), rows_.rows(), rows_.rows());
  const Eigen::Map<const VectorXd> w(rows_.velocity(), rows_.rows());
  free_.clear();
  for (int i = 0; i < rows_.contacts(); ++i) {
    const auto block = static_cast<std::size_t>(rows_.list()[static_cast<std::size_t>(i)].block);
    const int row = problem.blocks[block].normal_row();
    if (B(i, i) > held * whole_(row, row)) free_.push_back(i);
  }
  impact_ = normal_impact(B(free_, free_), w(free_));
}

void PropagativeLaw::gather(const ImpactProblem& problem) {
  rows_.gather(problem);
  whole_.resize(problem.u.size(), problem.u.size());
  problem.A.copy_to(whole_);
  for (double held = least_held;; held *= 1e3) {
    try {
      leave_out(problem, held);
      return;
    } catch (const Error&) {
      // A contact that constraints nearly hold has a row of round-off, and A with it may not be semidefinite.
      if (held >= most_held || rows_.contacts() == 0) throw;
    }
  }
}

ElasticOutcome PropagativeLaw::elastic(const PropagativeOptions& options, const StopSignal* stop,
                                       ImpactOutcome& outcome) const {
  ElasticOutcome elastic = elastic_impact(impact_, elastic_options(options, impact_.size(), stop));
  outcome.rounds = static_cast<int>(elastic.sequence.size());
  outcome.intervals = outcome.rounds;
  if (elastic.status == ElasticStatus::feasible) return elastic;
  // Not from where the resets stopped: round-off has grown with their impulses.
  const PlasticProjection plastic = plastic_cone(impact_);
  outcome.status = plastic.status == SolveStatus::solved ? ImpactStatus::budget : ImpactStatus::inconsistent;
  elastic.impulse = plastic.impulse;
  elastic.velocity = plastic.velocity;
  return elastic;
}

/// The part of the energy between plastic and elastic outcome that is kept.
double PropagativeLaw::energy_share(const ImpactProblem& problem, const NormalOutcome& plastic,
                                    EnergyReading reading) const {
  double taken = 0, kept = 0, least = 1;
  for (Eigen::Index i = 0; i < impact_.size(); ++i) {
    const double u = impact_.approach(i) * impact_.length(i);
    if (!(u < 0)) continue;
    const int block = rows_.list()[static_cast<std::size_t>(free_[static_cast<std::size_t>(i)])].block;
    const double e = problem.surfaces[static_cast<std::size_t>(block)].restitution.at(-u);
    const double share = reading == EnergyReading::speeds ? e * e : e;
    const double energy = std::max(0.0, -0.5 * u * plastic.impulse(i));
    taken += energy;
    kept += share * energy;
    least = std::min(least, share);
  }
  return taken > 0 ? std::min(1.0, kept / taken) : least;
}

void PropagativeLaw::finish(const ImpactProblem& problem, const VectorXd& normal_impulse, Eigen::Ref<VectorXd> impulse,
                            Eigen::Ref<VectorXd> velocity, ImpactOutcome& outcome) {
  P_.assign(static_cast<std::size_t>(rows_.rows()), 0.0);
  for (std::size_t i = 0; i < free_.size(); ++i) {
    P_[static_cast<std::size_t>(free_[i])] = normal_impulse(static_cast<Eigen::Index>(i));
  }
  rows_.scatter(problem, P_.data(), impulse, velocity);
  measure(problem, impulse, velocity, outcome);
}

/// A step per reset: its impulse, that of the constraints with it, and the velocity after.
void PropagativeLaw::tell(const ImpactProblem& problem, const std::vector<int>& sequence, PlusTrace& trace) {
  const Eigen::Index k = problem.u.size();
  const std::size_t blocks = problem.blocks.size();
  trace.blocks = static_cast<int>(blocks);
  trace.rows = static_cast<int>(k);
  VectorXd w = impact_.approach, pi = VectorXd::Zero(impact_.size()), before = VectorXd::Zero(k), impulse(k),
           velocity(k);
  ImpactOutcome unread;
  for (std::size_t s = 0; s < sequence.size(); ++s) {
    elastic_reset(impact_, sequence[s], w, pi);
    finish(problem, impact_.impulse_of(pi), impulse, velocity, unread);
    PlusStep step;
    step.round = static_cast<int>(s);
    step.alpha = 1;
    trace.steps.push_back(step);
    const auto struck = static_cast<std::size_t>(
        rows_.list()[static_cast<std::size_t>(free_[static_cast<std::size_t>(sequence[s])])].block);
    for (std::size_t b = 0; b < blocks; ++b) {
      const bool bilateral = problem.blocks[b].kind == BlockKind::bilateral;
      const bool pushes = bilateral || b == struck;
      trace.roles.push_back(bilateral ? PlusRole::holding : b == struck ? PlusRole::compressing : PlusRole::observing);
      trace.motions.push_back(pushes ? PlusMotion::pushing : PlusMotion::idle);
    }
    for (Eigen::Index i = 0; i < k; ++i) {
      trace.impulse.push_back(impulse[i] - before[i]);
      trace.velocity.push_back(velocity[i]);
    }
    before = impulse;
  }
}

ImpactOutcome PropagativeLaw::solve(const ImpactProblem& problem, const PropagativeOptions& options,
                                    Eigen::Ref<VectorXd> impulse, Eigen::Ref<VectorXd> velocity, PlusTrace* trace) {
  gather(problem);
  ImpactOutcome outcome;
  const ElasticOutcome elastic = this->elastic(options, problem.stop, outcome);
  if (trace) {
    trace->truncate(0);
    // Resets whose place the plastic projection took did not happen.
    if (elastic.status == ElasticStatus::feasible) tell(problem, elastic.sequence, *trace);
  }
  finish(problem, elastic.impulse, impulse, velocity, outcome);
  return outcome;
}

ImpactOutcome PropagativeLaw::solve_blend(const ImpactProblem& problem, const PropagativeOptions& options,
                                          Eigen::Ref<VectorXd> impulse, Eigen::Ref<VectorXd> velocity) {
  gather(problem);
  ImpactOutcome outcome;
  const ElasticOutcome elastic = this->elastic(options, problem.stop, outcome);
  const PlasticProjection plastic =
      options.plastic == PlasticKind::cone ? plastic_cone(impact_) : plastic_span(impact_);
  if (plastic.status != SolveStatus::solved) outcome.status = ImpactStatus::inconsistent;
  const double share = energy_share(problem, plastic, options.reading);
  finish(problem, energetic_blend(elastic, plastic, share, EnergyReading::energies).impulse, impulse, velocity,
         outcome);
  return outcome;
}

}  // namespace carom
