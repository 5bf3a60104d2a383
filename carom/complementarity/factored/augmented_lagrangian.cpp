#include "carom/complementarity/factored/augmented_lagrangian.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstdio>
#include <limits>

#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

constexpr double first_rho = 10, most_rho = 1e5, rho_growth = 10;
constexpr int most_rounds = 100, steps_per_round = 40;
constexpr double polished = 1e-3;
constexpr double sufficient_descent = 1e-4;

}  // namespace

bool AugmentedLagrangian::knows(const Block& block, int directions) {
  if (block.floor > 0) return false;
  if (directions == 0 || !block.is_contact()) return true;
  const bool one_axis = (block.friction.array() > 0).count() == 1;
  return block.kind == BlockKind::cone && !one_axis;
}

void AugmentedLagrangian::prepare(const ContactProblem& problem, int directions) {
  G_ = problem.A.factors();
  blocks_.assign(problem.blocks.begin(), problem.blocks.end());
  sets_.clear();
  mean_diagonal_.clear();
  u_.assign(problem.u.data(), problem.u.data() + problem.u.size());
  velocity_size_ = 0;
  for (const Block& block : blocks_) {
    sets_.emplace_back(block, directions);
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
  }
  if (velocity_size_ == 0) velocity_size_ = 1;
  lift_.assign(blocks_.size(), 0.0);
  const std::size_t k = u_.size();
  for (auto* buffer : {&p_, &best_, &w_, &projected_, &change_, &trial_w_}) buffer->assign(k, 0.0);
  derivative_.assign(blocks_.size() * NewtonMatrix::stride * NewtonMatrix::stride, 0.0);
  y_.setZero(G_.columns());
}

/// y_ = Gᵀ p and w_ = u + G y_.
void AugmentedLagrangian::respond(const std::vector<double>& p) {
  y_.setZero();
  for (int i = 0; i < G_.rows(); ++i) {
    if (p[i] != 0) G_.add(i, p[i], y_.data());
  }
  for (int i = 0; i < G_.rows(); ++i) w_[i] = u_[i] + G_.dot(i, y_.data());
}

void AugmentedLagrangian::lift() {
  for (std::size_t b = 0; b < blocks_.size(); ++b) lift_[b] = sets_[b].lift(w_.data() + blocks_[b].row);
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
    double w[ImpulseSet::max_size], x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) w[i] = w_[block.row + i];
    const double lifted = set.lift(w);
    w[set.normal()] += block.offset;
    if (block.kind == BlockKind::bilateral || !(a > 0)) {
      // What nothing moves has only its velocity to be judged by.
      const double missed = block.kind == BlockKind::bilateral ? std::abs(w[0]) : std::max(0.0, -w[set.normal()]);
      worst_row = worse_of(worst_row, missed / velocity_size_);
      if (!(a > 0)) continue;
    }
    w[set.normal()] += lifted;
    for (int i = 0; i < set.size(); ++i) x[i] = p[block.row + i] - w[i] / a;
    set.project(x, nearest, nullptr);
    double square = 0;
    for (int i = 0; i < set.size(); ++i) {
      const double d = p[block.row + i] - nearest[i];
      square += d * d;
    }
    worst = worse_of(worst, std::sqrt(square));
    worst_velocity = worse_of(worst_velocity, std::sqrt(square) * a);
  }
  return worse_of(worse_of(worst / size, 0.1 * worst_velocity / velocity_size_), worst_row);
}

/// projected_ = P(p − r (w + …)), with its derivative where asked for; gradient_ = y − Gᵀ projected_; returns the
/// function whose gradient that is.
double AugmentedLagrangian::evaluate(double rho, bool derivatives) {
  double value = 0.5 * y_.squaredNorm();
  gradient_ = y_;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
    if (!(mean_diagonal_[b] > 0)) continue;
    const double r = rho / mean_diagonal_[b];
    double x[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) x[i] = p_[block.row + i] - r * w_[block.row + i];
    x[set.normal()] -= r * normal_target(b);
    double* nearest = projected_.data() + block.row;
    double* D = derivative_.data() + b * NewtonMatrix::stride * NewtonMatrix::stride;
    set.project(x, nearest, derivatives ? D : nullptr);
    double envelope = 0;
    for (int i = 0; i < set.size(); ++i) {
      envelope += nearest[i] * (x[i] - 0.5 * nearest[i]);
      if (nearest[i] != 0) G_.add(block.row + i, -nearest[i], gradient_.data());
    }
    value += envelope / r;
    if (!derivatives) continue;
    for (int k = 0; k < NewtonMatrix::stride * set.size(); ++k) D[k] *= r;
  }
  return value;
}

/// Newton's steps on y for the present p_, lift_ and ρ. How many were taken.
int AugmentedLagrangian::descend(double rho, double tolerance, int most) {
  const std::size_t k = u_.size();
  double value = evaluate(rho, true);
  for (int step = 0; step < most; ++step) {
    const double size = std::max(y_.norm(), 1e-300);
    if (gradient_.norm() <= tolerance * size) return step;
    if (!newton_.factor(G_, blocks_, derivative_)) return step;
    newton_.solve(gradient_, step_);
    const double slope = -gradient_.dot(step_);
    for (std::size_t i = 0; i < k; ++i) change_[i] = -G_.dot(static_cast<int>(i), step_.data());
    const Eigen::VectorXd y = y_;
    trial_w_ = w_;
    const double before = gradient_.norm();
    double length = 1, trial = 0;
    for (int halvings = 0;; ++halvings) {
      y_ = y - length * step_;
      for (std::size_t i = 0; i < k; ++i) w_[i] = trial_w_[i] + length * change_[i];
      trial = evaluate(rho, true);
      if (trial <= value + sufficient_descent * length * slope || gradient_.norm() < 0.5 * before) break;
      if (halvings == 30) return step;
      length *= 0.5;
    }
    value = trial;
  }
  return most;
}

ContactSolution AugmentedLagrangian::solve(const ContactProblem& problem, const AugmentedLagrangianOptions& options,
                                           std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                           Eigen::Ref<Eigen::VectorXd> velocity) {
  ContactSolution solution;
  solution.size = static_cast<int>(problem.u.size());
  solution.solver = SolverKind::multipliers;
  prepare(problem, options.directions);
  for (std::size_t b = 0; b < blocks_.size() && !warm_start.empty(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) {
      const double scale = sets_[b].scale(i);
      p_[blocks_[b].row + i] = scale > 0 ? warm_start[blocks_[b].row + i] / scale : 0;
    }
  }
  respond(p_);
  double residual = measure(p_), least = residual;
  best_ = p_;
  const bool verbose = std::getenv("AL_VERBOSE") != nullptr;
  if (verbose) std::fprintf(stderr, "AL rows %d columns %d start %.2e\n", G_.rows(), G_.columns(), residual);
  if (residual > options.tolerance) {
    newton_.lay_out(G_, blocks_);
    lift();
    // Near the solution a large ρ is safe from the start.
    double rho = std::clamp(0.1 / residual, first_rho, most_rho), before = residual;
    for (int round = 0; round < most_rounds && solution.iterations < options.max_iterations; ++round) {
      const int steps = descend(rho, 1e-12, std::min(steps_per_round, options.max_iterations - solution.iterations));
      solution.iterations += steps;
      p_.assign(projected_.begin(), projected_.end());
      respond(p_);
      residual = measure(p_);
      if (verbose) std::fprintf(stderr, "  rho %.0e steps %d residual %.2e\n", rho, steps, residual);
      if (residual < least) {
        least = residual;
        best_ = p_;
      }
      // Once there, on as long as that gains digits: what is left would move the mechanism, and the next step find it so.
      if (residual <= polished * options.tolerance || (least <= options.tolerance && residual > 0.3 * before)) break;
      before = residual;
      lift();
      rho = std::min(most_rho, rho * rho_growth);
    }
  }
  if (verbose && (least > options.tolerance || solution.iterations > 60)) {
    static int number = 0;
    char name[64];
    std::snprintf(name, sizeof name, "al_%d.txt", number++);
    if (std::FILE* out = std::fopen(name, "w")) {
      const ContactFactors& G = problem.A.factors();
      const auto ints = [&](const std::vector<int>& v) { std::fprintf(out, "%zu", v.size()); for (int i : v) std::fprintf(out, " %d", i); std::fprintf(out, "\n"); };
      ints(G.group_start); ints(G.row_start); ints(G.value_start); ints(G.group);
      std::fprintf(out, "%zu", G.value.size()); for (double x : G.value) std::fprintf(out, " %.17g", x); std::fprintf(out, "\n");
      for (int i = 0; i < G.rows(); ++i) std::fprintf(out, "%.17g ", problem.u(i));
      std::fprintf(out, "\n%zu\n", blocks_.size());
      for (const Block& b : blocks_) std::fprintf(out, "%d %d %.17g %.17g %.17g\n", (int)b.kind, b.row, b.friction.x(), b.friction.y(), b.offset);
      std::fprintf(out, "%zu\n", warm_start.size());
      for (double x : warm_start) std::fprintf(out, "%.17g ", x);
      std::fclose(out);
    }
  }
  respond(best_);
  solution.residual = least;
  solution.status = least <= options.tolerance ? SolveStatus::solved : SolveStatus::inaccurate;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) impulse(blocks_[b].row + i) = best_[blocks_[b].row + i] * sets_[b].scale(i);
  }
  problem.A.multiply(impulse, velocity);
  velocity += problem.u;
  return solution;
}

}  // namespace carom
