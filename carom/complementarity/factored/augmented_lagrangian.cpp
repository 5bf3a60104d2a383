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
constexpr double slow = 1e-3;            // of the velocities that a solve begins with
constexpr double near_round_off = 1e-9;  // of a gradient relative to y: below, one that falls no more is round-off

}  // namespace

bool AugmentedLagrangian::knows(const Block& block, int directions) {
  if (directions == 0 || !block.is_contact()) return true;
  const bool one_axis = (block.friction.array() > 0).count() == 1;
  return block.kind == BlockKind::cone && !one_axis;
}

void AugmentedLagrangian::prepare(const ContactProblem& problem, int directions) {
  G_ = problem.A.factors();
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  sets_.clear();
  if (static_cast<int>(polygon_.size()) != directions) polygon_ = polygon_of(directions);
  mean_diagonal_.clear();
  u_.assign(problem.u.data(), problem.u.data() + problem.u.size());
  velocity_size_ = 0;
  for (const Block& block : blocks_) {
    sets_.emplace_back(block, polygon_);
    const ImpulseSet& set = sets_.back();
    const bool driven = block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded;
    velocity_size_ = std::max(velocity_size_, driven ? std::abs(block.offset) : -block.offset);
    for (int i = 0; i < std::min(3, block.size()); ++i) {
      velocity_size_ = std::max(velocity_size_, std::abs(u_[block.row + i]));
    }
    double trace = 0;
    for (int i = 0; i < block.size(); ++i) {
      const int row = block.row + i;
      for (int k = G_.value_start[row]; k < G_.value_start[row + 1]; ++k) G_.value[k] *= set.scale(i);
      u_[row] *= set.scale(i);
      trace += G_.squared_norm(row);
    }
    mean_diagonal_.push_back(trace / block.size());
    u_[block.normal_row()] += block.offset;
  }
  if (velocity_size_ == 0) velocity_size_ = 1;
  lift_.assign(blocks_.size(), 0.0);
  const std::size_t k = u_.size();
  for (auto* buffer : {&p_, &best_, &w_, &projected_, &change_}) buffer->assign(k, 0.0);
  stiffness_.assign(blocks_.size(), 0.0);
  derivative_.assign(blocks_.size() * GroupedMatrix::stride * GroupedMatrix::stride, 0.0);
  y_.setZero(G_.columns());
}

/// y_ = Gᵀ p and w_ = u + offset + G y_.
void AugmentedLagrangian::respond(const std::vector<double>& p) {
  y_.setZero();
  for (int i = 0; i < G_.rows(); ++i) {
    if (p[i] != 0) G_.add(i, p[i], y_.data());
  }
  for (int i = 0; i < G_.rows(); ++i) w_[i] = u_[i] + G_.dot(i, y_.data());
}

/// Lifts are those of w_, or go there by a part of the way.
void AugmentedLagrangian::lift(double share) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    lift_[b] += share * (sets_[b].lift(w_.data() + blocks_[b].row) - lift_[b]);
  }
}

double AugmentedLagrangian::measure(const std::vector<double>& p) const {
  double size = 0, worst = 0, worst_velocity = 0, worst_row = 0;
  for (const Block& block : blocks_) {
    double square = 0;
    for (int i = 0; i < std::min(3, block.size()); ++i) square += p[block.row + i] * p[block.row + i];
    size = std::max(size, square);
  }
  size = size > 0 ? std::sqrt(size) : 1;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
    const double a = mean_diagonal_[b];
    double w[ImpulseSet::max_size] = {}, x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) w[i] = w_[block.row + i];
    const double lifted = set.lift(w), opens = w[set.normal()] / a;
    if (block.kind == BlockKind::bilateral || !(a > 0)) {
      // What nothing moves has only its velocity to be judged by.
      const double missed = block.kind == BlockKind::bilateral ? std::abs(w[0]) : std::max(0.0, -w[set.normal()]);
      worst_row = worse_of(worst_row, missed / velocity_size_);
      if (!(a > 0)) continue;
    }
    w[set.normal()] += lifted;
    for (int i = 0; i < set.size(); ++i) x[i] = p[block.row + i] - w[i] / a;
    set.project(x, nearest, nullptr);
    double square = 0, pushes = 0;
    for (int i = 0; i < set.size(); ++i) {
      const double d = p[block.row + i] - nearest[i];
      square += d * d;
      pushes = std::max(pushes, i == set.normal() ? p[block.row + i] : std::abs(p[block.row + i]));
    }
    double own = std::sqrt(square);
    // As certify has it, of friction above 1.
    if (set.mu() > 1 && !(block.floor > 0)) own = worse_of(own, std::abs(std::min(pushes, opens)));
    worst = worse_of(worst, own);
    worst_velocity = worse_of(worst_velocity, own * a);
  }
  return worse_of(worse_of(worst / size, 0.11 * worst_velocity / velocity_size_), worst_row);
}

/// From now on y_ is the change of Gᵀp in this round, and the round's r. Where w is large and the contact slides, its
/// round-off times r must stay round-off of p.
void AugmentedLagrangian::begin_round(double rho) {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    double largest = 0;
    for (int i = 0; i < sets_[b].size(); ++i) largest = std::max(largest, std::abs(w_[blocks_[b].row + i]));
    const double most = safe_rho * velocity_size_ / std::max(largest, 1e-300);
    stiffness_[b] = mean_diagonal_[b] > 0 ? std::min(rho, std::max(most, safe_rho)) / mean_diagonal_[b] : 0;
  }
  size_ = y_.norm();
  y_.setZero();
}

/// projected_ = P(p − r (w + …)) with the derivative of −projected_ by w in derivative_; gradient_ = y − Gᵀ (projected_
/// − p); returns the function whose gradient that is where the lifts are held (not `lifted`), 0 at y = 0 if p solves.
double AugmentedLagrangian::evaluate(bool lifted) {
  ask_to_go_on(stop_);
  constexpr int stride = GroupedMatrix::stride;
  double value = 0.5 * y_.squaredNorm();
  gradient_ = y_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
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
      if (change != 0) G_.add(block.row + i, -change, gradient_.data());
      const double by_normal = D[i * stride + set.normal()];
      for (int j = 0; j < set.size(); ++j) {
        D[i * stride + j] = r * (D[i * stride + j] + (lifted ? by_normal * slope[j] : 0));
      }
    }
  }
  return value;
}

/// Newton's steps on y for the present p_, lift_ and ρ. How many were taken.
int AugmentedLagrangian::descend(double tolerance, int most) {
  const std::size_t k = u_.size();
  double value = evaluate(false);
  for (int step = 0; step < most; ++step) {
    const double size = this->size();
    if (gradient_.norm() <= tolerance * size) return step;
    if (!newton_.factor(GroupedMatrix::Kind::symmetric, G_, blocks_, derivative_, stop_)) return step;
    newton_.solve(gradient_, step_);
    const double slope = -gradient_.dot(step_);
    for (std::size_t i = 0; i < k; ++i) change_[i] = -G_.dot(static_cast<int>(i), step_.data());
    from_y_ = y_;
    from_w_ = w_;
    const double before = gradient_.norm();
    double length = 1, trial = 0;
    for (int halvings = 0;; ++halvings) {
      y_ = from_y_ - length * step_;
      for (std::size_t i = 0; i < k; ++i) w_[i] = from_w_[i] + length * change_[i];
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

/// Newton's steps on y for the present p_ and ρ with lifts that follow the slip; ‖gradient_‖ falls in each. How many
/// were taken.
int AugmentedLagrangian::follow(double tolerance, int most) {
  const std::size_t k = u_.size();
  evaluate(true);
  for (int step = 0; step < most; ++step) {
    const double before = gradient_.norm();
    if (before <= tolerance * size()) return step;
    if (!newton_.factor(GroupedMatrix::Kind::general, G_, blocks_, derivative_, stop_)) return step;
    newton_.solve(gradient_, step_);
    if (!step_.allFinite()) return step;
    for (std::size_t i = 0; i < k; ++i) change_[i] = -G_.dot(static_cast<int>(i), step_.data());
    from_y_ = y_;
    from_w_ = w_;
    double length = 1;
    for (int halvings = 0;; ++halvings) {
      y_ = from_y_ - length * step_;
      for (std::size_t i = 0; i < k; ++i) w_[i] = from_w_[i] + length * change_[i];
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
  double most = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    most = std::max(most, std::abs(sets_[b].lift(w_.data() + blocks_[b].row) - lift_[b]));
  }
  return most;
}

/// Contact after contact by a projected step with its own diagonal, the others held: w_i + s_i e_n, p_i ← P(p_i −
/// …/a_i).
void AugmentedLagrangian::sweep() {
  ask_to_go_on(stop_);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
    if (!(mean_diagonal_[b] > 0)) continue;
    double w[ImpulseSet::max_size], x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) w[i] = u_[block.row + i] + G_.dot(block.row + i, y_.data());
    w[set.normal()] += set.lift(w);
    for (int i = 0; i < set.size(); ++i) x[i] = p_[block.row + i] - w[i] / mean_diagonal_[b];
    set.project(x, nearest, nullptr);
    for (int i = 0; i < set.size(); ++i) {
      double& p = p_[block.row + i];
      if (nearest[i] != p) G_.add(block.row + i, nearest[i] - p, y_.data());
      p = nearest[i];
    }
  }
}

/// Sweeps as long as they halve the residual: they cost a fraction of a Newton step, and find most of who pushes and
/// who slides. Ten count as an iteration.
void AugmentedLagrangian::approach() {
  for (int count = 0; least_ > far && count < most_sweeps; count += sweeps_at_once) {
    const double before = least_;
    for (int i = 0; i < sweeps_at_once; ++i) sweep();
    ++iterations_;
    respond(p_);
    keep(measure(p_));
    if (!(least_ < 0.5 * before)) break;
  }
  p_ = best_;
  respond(p_);
}

/// Takes note of p_ where no better was seen.
void AugmentedLagrangian::keep(double residual) {
  if (!(residual < least_)) return;
  least_ = residual;
  best_ = p_;
}

/// One round with ρ: p_ moves to the solution near it. Whether the lifts were followed to the end of it, as far as
/// `tolerance` asks for.
bool AugmentedLagrangian::advance(double rho, double tolerance, int most) {
  begin_round(rho);
  steps_ = descend(first_descent, most);
  // What is left of the descent may move what slides, but hardly what stands.
  const bool arrived = stands_ || gradient_.norm() <= tolerance * size();
  bool followed = arrived && lag() <= tolerance * velocity_size_;
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
  respond(p_);
  return followed;
}

/// Whether nothing that pushes moves, as far as it does in a step without contacts.
bool AugmentedLagrangian::still() const {
  for (const Block& block : blocks_) {
    if (p_[block.normal_row()] == 0) continue;
    for (int i = 0; i < block.size(); ++i) {
      if (std::abs(w_[block.row + i]) > slow * velocity_size_) return false;
    }
  }
  return true;
}

/// Rounds until the residual is below tolerance. Of what stands, on as long as that gains digits: what is left would
/// move it, and the next step would find it so.
void AugmentedLagrangian::run(const AugmentedLagrangianOptions& options) {
  newton_.lay_out(G_, blocks_);
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
    residual = measure(p_);
    keep(residual);
    stands_ = stands_ && residual < before;
    if (least_ <= options.tolerance && !still()) return;
    if (least_ <= options.tolerance && (residual <= polished * options.tolerance || residual > 0.3 * before)) return;
    if (residual > astray * before) {  // between two rounds that undo one another
      for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = 0.5 * (p_[i] + round_start_[i]);
      respond(p_);
      residual = measure(p_);
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

ContactSolution AugmentedLagrangian::solve(const ContactProblem& problem, const AugmentedLagrangianOptions& options,
                                           std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                           Eigen::Ref<Eigen::VectorXd> velocity) {
  stop_ = options.stop;
  prepare(problem, options.directions);
  for (std::size_t b = 0; b < blocks_.size() && !warm_start.empty(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) {
      const int row = blocks_[b].row + i;
      if (sets_[b].scale(i) > 0) p_[row] = warm_start[row] / sets_[b].scale(i);
    }
  }
  respond(p_);
  least_ = measure(p_);
  best_ = p_;
  iterations_ = 0;
  if (least_ > options.tolerance) run(options);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) {
      const int row = blocks_[b].row + i;
      impulse(row) = best_[row] * sets_[b].scale(i);
    }
  }
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  ContactSolution solution;
  solution.size = static_cast<int>(problem.u.size());
  solution.solver = SolverKind::multipliers;
  solution.iterations = iterations_;
  solution.residual = least_;
  solution.status = least_ <= options.tolerance            ? SolveStatus::solved
                    : iterations_ < options.max_iterations ? SolveStatus::inaccurate
                                                           : SolveStatus::iteration_limit;
  return solution;
}

}  // namespace carom
