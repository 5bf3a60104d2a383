#include "carom/impact/plus.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "carom/error.h"
#include "carom/impact/end_law.h"

namespace carom {
namespace {

using Eigen::VectorXd;

constexpr double round_off = 1e-12;  // of impulses and energies, relative
constexpr double spent = 1e-13;      // part of a round that is none
constexpr double drifted = 1e-10;    // of the impact's speed: an error of bilateral rows that has a round of its own
constexpr int plastic_passes = 2, sweeps = 5000;
constexpr int energy_steps = 60;  // of the search for the expansion's factor
constexpr double energy_accuracy = 1e-12;

void check_plus(const ImpactProblem& problem, Eigen::Index impulse, Eigen::Index velocity) {
  const auto size = problem.A.rows();
  if (problem.A.cols() != size || problem.u.size() != size || impulse != size || velocity != size) {
    throw Error("plus: A must be square, and u, impulse and velocity as long as its side, " + std::to_string(size));
  }
  if (problem.surfaces.size() != problem.blocks.size()) {
    throw Error("plus: there must be one surface per block, " + std::to_string(problem.blocks.size()) + "; there are " +
                std::to_string(problem.surfaces.size()));
  }
  for (const Block& block : problem.blocks) {
    if (block.row < 0 || block.row + block.size() > size) {
      throw Error("plus: the block at row " + std::to_string(block.row) + " leaves the problem's " +
                  std::to_string(size) + " rows");
    }
  }
}

/// Infinitely many rounds tend to 0 ≤ u_n⁺ ⊥ p_n ≥ 0 under two conditions. Nothing rebounds or rubs, and no contact's
/// impulse opens another, A_ij ≤ 0. The rounds' impulses, which end approaches, then grow and never pass the least p ≥
/// 0 with u + A p ≥ 0. For such an A that is the complementary one (Cottle, Pang and Stone, The Linear Complementarity
/// Problem, theorem 3.11.6). The limit of the rounds leaves nothing approaching either.
bool tends_to_plastic(const ImpactProblem& problem, const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const std::vector<double>& owed) {
  const auto& blocks = problem.blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].kind == BlockKind::bilateral || owed[i] > 0 || problem.surfaces[i].restitution.may_bounce() ||
        (blocks[i].kind == BlockKind::cone && !blocks[i].friction.isZero(0))) {
      return false;
    }
  }
  for (const Block& a : blocks) {
    for (const Block& b : blocks) {
      const int i = a.normal_row(), j = b.normal_row();
      if (i != j && A(i, j) > round_off * std::sqrt(A(i, i) * A(j, j))) return false;
    }
  }
  return true;
}

}  // namespace

void PlusLaw::reserve(int blocks) {
  const auto n = static_cast<std::size_t>(blocks);
  interval_.reserve(blocks, 3 * blocks);
  plastic_.reserve(blocks, plastic_options_);
  roles_.reserve(n);
  plastic_blocks_.reserve(n);
  for (auto* buffer : {&owed_, &taken_, &restitution_, &start_.owed}) buffer->reserve(n);
  for (auto* buffer : {&velocity_, &impulse_, &change_, &after_, &entry_, &start_.velocity, &start_.impulse}) {
    buffer->reserve(3 * n);
  }
}

void PlusLaw::begin(const ImpactProblem& problem, const PlusOptions& options, PlusTrace* trace) {
  problem_ = &problem;
  options_ = &options;
  trace_ = trace;
  size_ = problem.u.size();
  // By blocks, so that it does not depend on their axes.
  speed_ = 0;
  for (const Block& block : problem.blocks) {
    speed_ = std::max(speed_, problem.u.segment(block.row, block.size()).norm());
    if (block.kind == BlockKind::bilateral) speed_ = std::max(speed_, std::abs(block.offset));
  }
  const auto k = static_cast<std::size_t>(size_);
  velocity_.assign(problem.u.data(), problem.u.data() + size_);
  for (auto* buffer : {&impulse_, &change_, &after_}) buffer->assign(k, 0.0);
  for (auto* buffer : {&owed_, &taken_, &restitution_}) buffer->assign(problem.blocks.size(), 0.0);
  roles_.assign(problem.blocks.size(), PlusRole::observing);
  outcome_ = {};
  optimality_ = {};
  interval_.bind(problem, options, speed_);
  if (trace_ == nullptr) return;
  trace_->blocks = static_cast<int>(problem.blocks.size());
  trace_->rows = static_cast<int>(size_);
  trace_->truncate(0);
}

/// Largest approach speed of a contact, ≥ 0.
double PlusLaw::approach() const {
  double worst = 0;
  for (const Block& block : problem_->blocks) {
    if (block.kind != BlockKind::bilateral) worst = std::max(worst, -velocity_[block.normal_row()]);
  }
  return worst;
}

double PlusLaw::residual() const {
  double worst = approach();
  for (const Block& block : problem_->blocks) {
    if (block.kind == BlockKind::bilateral) worst = std::max(worst, std::abs(velocity_[block.row] + block.offset));
  }
  return speed_ > 0 ? worst / speed_ : 0;
}

/// Roles for the round to come; false if there is none. Bilateral rows ask for a round of their own only at the start:
/// later, no impulse removes what remains of their errors.
bool PlusLaw::assign_roles() {
  const double tolerance = options_->approach_tolerance * speed_;
  bool any = false;
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    const Block& block = problem_->blocks[i];
    const double u = velocity_[block.normal_row()];
    if (block.kind == BlockKind::bilateral) {
      roles_[i] = PlusRole::holding;
      any = any || (outcome_.rounds == 0 && std::abs(u + block.offset) > round_off * speed_);
      continue;
    }
    roles_[i] = owed_[i] > 0 ? PlusRole::expanding : u < -tolerance ? PlusRole::compressing : PlusRole::observing;
    any = any || roles_[i] != PlusRole::observing;
  }
  if (!any) return false;
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    if (options_->compress_observers && roles_[i] == PlusRole::observing) roles_[i] = PlusRole::compressing;
    if (roles_[i] != PlusRole::compressing) continue;
    const double u = velocity_[problem_->blocks[i].normal_row()];
    restitution_[i] = problem_->surfaces[i].restitution.at(std::max(0.0, -u));
  }
  return true;
}

void PlusLaw::record(const PlusStep& step, const Eigen::Ref<const VectorXd>& impulse) {
  trace_->steps.push_back(step);
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    trace_->roles.push_back(roles_[i]);
    trace_->motions.push_back(step.ending ? PlusMotion::pushing : interval_.motion(static_cast<int>(i)));
  }
  for (Eigen::Index i = 0; i < size_; ++i) trace_->impulse.push_back(impulse[i]);
  trace_->velocity.insert(trace_->velocity.end(), velocity_.begin(), velocity_.end());
}

/// Algorithm 2's inner loop: intervals until the round is complete. `expansion` scales what is owed.
void PlusLaw::run_round(double expansion) {
  for (double& owed : owed_) owed *= expansion;
  std::fill(taken_.begin(), taken_.end(), 0.0);
  double left = 1;
  interval_.begin_round();
  Eigen::Map<VectorXd> change(change_.data(), size_);
  for (int interval = 1;; ++interval) {
    ask_to_go_on(problem_->stop);
    const double scale = impulse().norm();
    interval_.take(roles_, owed_, velocity(), scale);
    double alpha = interval_.alpha();
    if (!interval_.jammed() && left * (1 - alpha) < spent) alpha = 1;
    change = alpha * interval_.impulse();
    if (!change.allFinite()) {  // nothing is better than that: the round ends without it
      change.setZero();
      alpha = 1;
    }
    impulse() += change;
    velocity().noalias() += interval_.A() * change;
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i] == PlusRole::compressing) {
        taken_[i] += restitution_[i] * change[problem_->blocks[i].normal_row()];
      } else if (!interval_.jammed()) {
        owed_[i] *= 1 - alpha;
      }
    }
    ++outcome_.intervals;
    outcome_.jams += interval_.stopped();
    if (options_->judge_optimality) {
      ++(interval_.optimality() == Optimality::optimal  ? optimality_.optimal
         : interval_.optimality() == Optimality::within ? optimality_.within
                                                        : optimality_.unknown);
      optimality_.worst_excess = std::max(optimality_.worst_excess, interval_.excess());
    }
    if (trace_ != nullptr) {
      record({outcome_.rounds, alpha, interval_.jammed(), false, interval_.status(), interval_.optimality()}, change);
    }
    if (interval >= options_->interval_limit) break;
    if (interval_.jammed()) continue;
    if (alpha == 1) break;
    left *= 1 - alpha;
  }
  // Compression within round-off of nothing is not owed.
  const double least = round_off * impulse().cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    owed_[i] += taken_[i];
    if (!(owed_[i] > least)) owed_[i] = 0;
  }
}

/// ½ (u⁺ + u)ᵀ p: the change of kinetic energy, less the work that bilateral rows do at a speed prescribed to them.
double PlusLaw::energy_gain() const {
  double gain = 0;
  for (Eigen::Index i = 0; i < size_; ++i) gain += 0.5 * (velocity_[i] + problem_->u[i]) * impulse_[i];
  for (const Block& block : problem_->blocks) {
    if (block.kind == BlockKind::bilateral) gain += block.offset * impulse_[block.row];
  }
  return gain;
}

void PlusLaw::save() {
  start_.velocity = velocity_;
  start_.impulse = impulse_;
  start_.owed = owed_;
  start_.steps = trace_ != nullptr ? trace_->steps.size() : 0;
  start_.intervals = outcome_.intervals;
  start_.jams = outcome_.jams;
  start_.optimality = optimality_;
}

void PlusLaw::restore() {
  velocity_ = start_.velocity;
  impulse_ = start_.impulse;
  owed_ = start_.owed;
  if (trace_ != nullptr) trace_->truncate(start_.steps);
  outcome_.intervals = start_.intervals;
  outcome_.jams = start_.jams;
  optimality_ = start_.optimality;
}

/// Repeats the round with the largest factor on its expansion for which the impact has gained no energy by its end.
/// With labels that stay, the gain is a convex quadratic of the factor, negative at 0 and positive at 1. So there is
/// one crossing, which false position (Illinois) brackets. If the round gains energy without its expansion, none is
/// applied.
void PlusLaw::limit_energy() {
  const double scale = speed_ * impulse().cwiseAbs().sum();
  double above = 1, gain_above = energy_gain();
  if (gain_above <= round_off * scale) return;
  const auto gain_at = [&](double factor) {
    restore();
    run_round(factor);
    return energy_gain();
  };
  double below = 0, gain_below = gain_at(0);
  if (gain_below >= 0) return;
  double true_below = gain_below;  // Illinois halves what it interpolates with
  for (int step = 0; step < energy_steps && true_below < -energy_accuracy * scale && above - below > 1e-15; ++step) {
    const double factor = below + (above - below) * gain_below / (gain_below - gain_above);
    const double gain = gain_at(factor);
    if (gain > 0) {
      above = factor;
      gain_above = gain;
      gain_below /= 2;
    } else {
      below = factor;
      gain_below = true_below = gain;
      gain_above /= 2;
    }
  }
  gain_at(below);
}

/// Removes velocity errors of bilateral rows first, by impulses of theirs alone, which costs energy. Rows that approach
/// their speed bit by bit while contacts push would be drives meanwhile.
void PlusLaw::hold_rows() {
  double error = 0;
  for (std::size_t i = 0; i < roles_.size(); ++i) {
    const Block& block = problem_->blocks[i];
    const bool holds = block.kind == BlockKind::bilateral;
    roles_[i] = holds ? PlusRole::holding : PlusRole::observing;
    if (holds) error = std::max(error, std::abs(velocity_[block.row] + block.offset));
  }
  if (error <= drifted * speed_) return;
  run_round(1);
  ++outcome_.rounds;
}

/// Algorithm 2. False if the budget came first.
bool PlusLaw::run_rounds() {
  const int contacts =
      static_cast<int>(std::count_if(problem_->blocks.begin(), problem_->blocks.end(),
                                     [](const Block& block) { return block.kind != BlockKind::bilateral; }));
  const int budget = options_->round_budget > 0 ? options_->round_budget : 10 * contacts + 20;
  save();
  hold_rows();
  const int first = outcome_.rounds;
  while (assign_roles()) {
    if (outcome_.rounds - first == budget) return false;
    const bool expands = std::find(roles_.begin(), roles_.end(), PlusRole::expanding) != roles_.end();
    save();
    run_round(1);
    if (options_->energy_limit && expands) limit_energy();
    ++outcome_.rounds;
    // Without any impulse, no later round would be another.
    if (impulse_ == start_.impulse &&
        std::find_if(owed_.begin(), owed_.end(), [](double x) { return x > 0; }) == owed_.end()) {
      return !assign_roles();
    }
  }
  return true;
}

/// Reduces what a pivoting method left, by Gauss and Seidel's method, row by row. Each row's impulse minimizes the
/// kinetic energy with the others given, so the sweeps gain no energy whenever they end.
void PlusLaw::sweep() {
  const auto A = interval_.A();
  for (int pass = 0; pass < sweeps && residual() > 0.1 * options_->approach_tolerance; ++pass) {
    for (const Block& block : plastic_blocks_) {
      const int row = block.normal_row();
      if (!(A(row, row) > 0)) continue;
      double step = -(velocity_[row] + block.offset) / A(row, row);
      if (block.kind != BlockKind::bilateral) {  // impulses so far stay: they were those of other rounds
        step = std::max(step, start_.impulse[row] - impulse_[row]);
      }
      impulse_[row] += step;
      velocity() += step * A.col(row);
    }
  }
}

/// Without friction and restitution, 0 ≤ u_n⁺ ⊥ p_n ≥ 0 has a solution wherever anything can be stopped at all. It
/// costs ½ pᵀ A p of energy.
void PlusLaw::end_plastically() {
  plain_blocks(*problem_, plastic_blocks_);
  plastic_options_.stop = problem_->stop;
  plastic_options_.rungs = problem_->rungs;
  for (Block& block : plastic_blocks_) block.friction.setZero();
  Eigen::Map<VectorXd> change(change_.data(), size_), after(after_.data(), size_);
  Eigen::Map<VectorXd> before(start_.velocity.data(), size_);
  entry_ = velocity_;
  start_.velocity = velocity_;
  start_.impulse = impulse_;
  // The second pass starts from what is left, since the solver's tolerance is relative to that. Its status is not read:
  // what remains is measured on the outcome.
  for (int pass = 0; pass < plastic_passes && (pass == 0 || residual() > round_off); ++pass) {
    before = velocity();
    static_cast<void>(plastic_.solve({problem_->A, before, plastic_blocks_}, plastic_options_, {}, change, after));
    impulse() += change;
    velocity() = after;
  }
  sweep();
  for (Eigen::Index i = 0; i < size_; ++i) change[i] = impulse_[i] - start_.impulse[i];
  velocity_ = entry_;  // without the round-off of all those steps
  velocity().noalias() += interval_.A() * change;
  for (PlusRole& role : roles_) {
    if (role != PlusRole::holding) role = PlusRole::compressing;
  }
  if (trace_ != nullptr) record({outcome_.rounds, 1, false, true, {}, Optimality::unknown}, change);
}

ImpactOutcome PlusLaw::solve(const ImpactProblem& problem, const PlusOptions& options, Eigen::Ref<VectorXd> impulse,
                             Eigen::Ref<VectorXd> velocity, PlusTrace* trace) {
  check_plus(problem, impulse.size(), velocity.size());
  begin(problem, options, trace);
  const bool ended = run_rounds();
  const bool to_limit = (!ended || residual() > round_off) && tends_to_plastic(problem, interval_.A(), owed_);
  if (!ended || to_limit) end_plastically();
  if (!ended && !to_limit) outcome_.status = ImpactStatus::budget;
  impulse = this->impulse();
  velocity.noalias() = interval_.A() * impulse;
  velocity += problem.u;
  std::copy(velocity.data(), velocity.data() + size_, velocity_.begin());
  outcome_.residual = residual();
  constexpr double consistent = 1e-6;
  if (outcome_.residual > consistent) outcome_.status = ImpactStatus::inconsistent;
  outcome_.energy_change = size_ > 0 ? 0.5 * impulse.dot(velocity + problem.u) : 0;
  return outcome_;
}

}  // namespace carom
