#include "carom/complementarity/factored/augmented_lagrangian.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

constexpr double first_rho = 10, least_rho = 0.1, most_rho = 1e8, rho_growth = 10;
constexpr double safe_rho = 1e6;  // up to here round-off of velocities times r is none of impulses
constexpr double astray = 10;     // growth of the residual in a round, from which it is taken back by half
constexpr int most_rounds = 200, steps_per_round = 40, most_halvings = 30, follow_halvings = 8;
constexpr double first_descent = 0.1;  // of a round, before the lifts follow
constexpr double sufficient_descent = 1e-4;
constexpr double far = 1e-4;  // residual above which sweeps come before Newton's steps
constexpr int sweeps_at_once = 10, most_sweeps = 60;
constexpr double polished = 1e-3;        // of the tolerance
constexpr double near_round_off = 1e-9;  // of a gradient relative to y: below, one that falls no more is round-off

}  // namespace

/// Lifts are those of w_, or go there by a part of the way.
void AugmentedLagrangian::lift(double share) {
  const std::vector<Block>& blocks = problem_->blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    lift_[b] += share * (problem_->set(b).lift(w_.data() + blocks[b].row) - lift_[b]);
  }
}

/// Begins a round: sets its r, and from now on y_ is the change of Gᵀp in this round. If w is large and the contact
/// slides, its round-off times r must stay round-off of p.
void AugmentedLagrangian::begin_round(double rho) {
  const std::vector<Block>& blocks = problem_->blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    double largest = 0;
    for (int i = 0; i < problem_->set(b).size(); ++i) largest = std::max(largest, std::abs(w_[blocks[b].row + i]));
    const double most = safe_rho * problem_->velocity_size() / std::max(largest, 1e-300);
    stiffness_[b] =
        problem_->mean_diagonal(b) > 0 ? std::min(rho, std::max(most, safe_rho)) / problem_->mean_diagonal(b) : 0;
  }
  size_ = y_.norm();
  y_.setZero();
}

/// Sets projected_ = P(p − r (w + …)) and gradient_ = y − Gᵀ (projected_ − p), and derivative_ to the derivative of
/// −projected_ by w. Returns the function that has this gradient if the lifts are fixed (not `lifted`). It is 0 at y =
/// 0 if p solves.
double AugmentedLagrangian::evaluate(bool lifted) {
  ask_to_go_on(stop_);
  constexpr int stride = GroupedMatrix::stride;
  const std::vector<Block>& blocks = problem_->blocks();
  const ContactFactors& G = problem_->G();
  double value = 0.5 * y_.squaredNorm();
  gradient_ = y_;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Block& block = blocks[b];
    const ImpulseSet& set = problem_->set(b);
    const double r = stiffness_[b];
    if (!(r > 0)) continue;
    double w[ImpulseSet::max_size] = {}, x[ImpulseSet::max_size], slope[ImpulseSet::max_size];
    if (lifted) lift_[b] = set.lift(w_.data() + block.row, slope);
    for (int i = 0; i < set.size(); ++i) w[i] = w_[block.row + i];
    w[set.normal()] += lift_[b];
    for (int i = 0; i < set.size(); ++i) x[i] = p_[block.row + i] - r * w[i];
    double* nearest = projected_.data() + block.row;
    double* D = derivative_.data() + b * stride * stride;
    set.project(x, nearest, D);
    for (int i = 0; i < set.size(); ++i) {
      const double change = nearest[i] - p_[block.row + i];
      value -= change * (0.5 * change / r + w[i]);
      if (change != 0) G.add(block.row + i, -change, gradient_.data());
      const double by_normal = D[i * stride + set.normal()];
      for (int j = 0; j < set.size(); ++j) {
        D[i * stride + j] = r * (D[i * stride + j] + (lifted ? by_normal * slope[j] : 0));
      }
    }
  }
  return value;
}

bool AugmentedLagrangian::factor(GroupedMatrix::Kind kind) {
  return problem_->matrix().factor(kind, problem_->G(), problem_->blocks(), derivative_, stop_);
}

/// Newton's steps on y for the present p_, lift_ and ρ. Returns their number.
int AugmentedLagrangian::descend(double tolerance, int most) {
  const std::size_t k = problem_->rows();
  double value = evaluate(false);
  for (int step = 0; step < most; ++step) {
    const double size = this->size();
    if (gradient_.norm() <= tolerance * size) return step;
    if (!factor(GroupedMatrix::Kind::symmetric)) return step;
    problem_->matrix().solve(gradient_, step_);
    const double slope = -gradient_.dot(step_);
    problem_->move(step_, change_);
    from_y_ = y_;
    from_w_ = w_;
    const double before = gradient_.norm();
    double length = 1, trial = 0;
    for (int halvings = 0;; ++halvings) {
      y_ = from_y_ - length * step_;
      for (std::size_t i = 0; i < k; ++i) w_[i] = from_w_[i] - length * change_[i];
      trial = evaluate(false);
      if (trial <= value + sufficient_descent * length * slope || gradient_.norm() < 0.5 * before) break;
      if (halvings == most_halvings) return step;
      length *= 0.5;
    }
    value = trial;
    if (before <= near_round_off * size && gradient_.norm() > 0.5 * before) return step + 1;
  }
  return most;
}

/// Newton's steps on y for the present p_ and ρ with lifts that follow the slip; ‖gradient_‖ falls in each. Returns
/// their number.
int AugmentedLagrangian::follow(double tolerance, int most) {
  const std::size_t k = problem_->rows();
  evaluate(true);
  for (int step = 0; step < most; ++step) {
    const double before = gradient_.norm();
    if (before <= tolerance * size()) return step;
    if (!factor(GroupedMatrix::Kind::general)) return step;
    problem_->matrix().solve(gradient_, step_);
    if (!step_.allFinite()) return step;
    problem_->move(step_, change_);
    from_y_ = y_;
    from_w_ = w_;
    double length = 1;
    for (int halvings = 0;; ++halvings) {
      y_ = from_y_ - length * step_;
      for (std::size_t i = 0; i < k; ++i) w_[i] = from_w_[i] - length * change_[i];
      evaluate(true);
      if (gradient_.norm() <= (1 - sufficient_descent * length) * before) break;
      if (halvings == follow_halvings) {
        y_ = from_y_;
        w_ = from_w_;
        evaluate(true);
        return step;
      }
      length *= 0.5;
    }
  }
  return most;
}

/// The largest change of a lift, m/s, if lifts were those of w_ now.
double AugmentedLagrangian::lag() const {
  const std::vector<Block>& blocks = problem_->blocks();
  double most = 0;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    most = std::max(most, std::abs(problem_->set(b).lift(w_.data() + blocks[b].row) - lift_[b]));
  }
  return most;
}

/// Sweeps as long as they halve the residual: they cost a fraction of a Newton step, and find most contacts that push
/// and that slide. Ten count as an iteration.
void AugmentedLagrangian::approach() {
  for (int count = 0; least_ > far && count < most_sweeps; count += sweeps_at_once) {
    const double before = least_;
    for (int i = 0; i < sweeps_at_once; ++i) {
      ask_to_go_on(stop_);
      problem_->sweep(p_, y_);
    }
    ++iterations_;
    problem_->respond(p_, y_, w_);
    keep(problem_->measure(p_, w_));
    if (!(least_ < 0.5 * before)) break;
  }
  p_ = best_;
  problem_->respond(p_, y_, w_);
}

/// Keeps p_ if none better was seen.
void AugmentedLagrangian::keep(double residual) {
  if (!(residual < least_)) return;
  least_ = residual;
  best_ = p_;
}

/// One round with ρ: p_ moves to the solution near it. True if the lifts were followed to its end, as far as
/// `tolerance` asks for.
bool AugmentedLagrangian::advance(double rho, double tolerance, int most) {
  begin_round(rho);
  steps_ = descend(first_descent, most);
  // The rest of the descent may move sliding contacts, but hardly those at rest.
  const bool arrived = stands_ || gradient_.norm() <= tolerance * size();
  bool followed = arrived && lag() <= tolerance * problem_->velocity_size();
  if (!followed) {
    held_y_ = y_;
    held_w_ = w_;
    held_lift_ = lift_;
    steps_ += follow(tolerance, most - steps_);
    followed = gradient_.norm() <= 10 * tolerance * size();
    if (!followed) {
      y_ = held_y_;
      w_ = held_w_;
      lift_ = held_lift_;
    }
  }
  if (gradient_.norm() > tolerance * size()) steps_ += descend(tolerance, most - steps_);
  p_.assign(projected_.begin(), projected_.end());
  problem_->respond(p_, y_, w_);
  return followed;
}

/// Rounds until the residual is below tolerance. If nothing that pushes moves, they go on as long as that gains digits.
/// The remaining error would move the structure, and the next step would find it moved.
void AugmentedLagrangian::advance_rounds(const AugmentedLagrangianOptions& options) {
  stands_ = least_ <= far;
  approach();
  lift(1);
  // Near the solution a large ρ is safe from the start.
  double residual = least_, rho = std::clamp(0.1 / residual, first_rho, safe_rho), cap = most_rho;
  for (int round = 0; round < most_rounds && iterations_ < options.max_iterations; ++round) {
    const double before = residual, enough = std::clamp(0.1 * residual, 1e-12, 1e-4);
    round_start_ = p_;
    const bool followed = advance(rho, enough, std::min(steps_per_round, options.max_iterations - iterations_));
    iterations_ += steps_;
    residual = problem_->measure(p_, w_);
    keep(residual);
    stands_ = stands_ && residual < before;
    if (least_ <= options.tolerance && !problem_->still(p_, w_)) return;
    if (least_ <= options.tolerance && (residual <= polished * options.tolerance || residual > 0.3 * before)) return;
    if (residual > astray * before) {  // between two rounds that undo one another
      for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = 0.5 * (p_[i] + round_start_[i]);
      problem_->respond(p_, y_, w_);
      residual = problem_->measure(p_, w_);
      keep(residual);
    }
    lift(followed && residual <= before ? 1 : 0.5);
    if (followed) {
      rho = std::min(cap, rho * rho_growth);
      cap = std::min(most_rho, 2 * cap);
    } else {
      cap = std::max(1.0, rho / 2);
      rho = std::max(least_rho, rho / rho_growth);
    }
  }
}

FactoredResult AugmentedLagrangian::run(FactoredProblem& problem, const AugmentedLagrangianOptions& options,
                                        std::vector<double>& p) {
  problem_ = &problem;
  stop_ = options.stop;
  const std::size_t blocks = problem.blocks().size();
  lift_.assign(blocks, 0.0);
  stiffness_.assign(blocks, 0.0);
  derivative_.assign(blocks * GroupedMatrix::stride * GroupedMatrix::stride, 0.0);
  projected_.assign(problem.rows(), 0.0);
  p_ = best_ = p;
  problem.respond(p_, y_, w_);
  least_ = problem.measure(p_, w_);
  iterations_ = 0;
  if (least_ > options.tolerance) advance_rounds(options);
  p = best_;
  return {least_, iterations_};
}

}  // namespace carom
