#include "carom/complementarity/factored/factored_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/worse_of.h"

namespace carom {

namespace {

bool is_driven(const Block& block) { return block.kind == BlockKind::bilateral || block.kind == BlockKind::bounded; }

constexpr double standing_speed = 1e-3;  // of the velocities that a solve begins with

}  // namespace

bool FactoredProblem::knows(const Block& block, int directions) {
  if (directions == 0 || !block.is_contact()) return true;
  const bool one_axis = (block.friction.array() > 0).count() == 1;
  return block.kind == BlockKind::cone && !one_axis;
}

void FactoredProblem::pose(const ContactProblem& problem, int directions) {
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
    const bool driven = is_driven(block);
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
  laid_out_ = false;
}

GroupedMatrix& FactoredProblem::matrix() {
  if (!laid_out_) matrix_.lay_out(G_, blocks_);
  laid_out_ = true;
  return matrix_;
}

void FactoredProblem::to_units(std::span<const double> impulse, std::vector<double>& p) const {
  p.assign(u_.size(), 0.0);
  for (std::size_t b = 0; b < blocks_.size() && !impulse.empty(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) {
      const int row = blocks_[b].row + i;
      if (sets_[b].scale(i) > 0) p[row] = impulse[row] / sets_[b].scale(i);
    }
  }
}

void FactoredProblem::from_units(const std::vector<double>& p, Eigen::Ref<Eigen::VectorXd> impulse) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (int i = 0; i < blocks_[b].size(); ++i) {
      const int row = blocks_[b].row + i;
      impulse(row) = p[row] * sets_[b].scale(i);
    }
  }
}

void FactoredProblem::push(const std::vector<double>& p, Eigen::VectorXd& y) const {
  y.setZero(G_.columns());
  for (int i = 0; i < G_.rows(); ++i) {
    if (p[i] != 0) G_.add(i, p[i], y.data());
  }
}

void FactoredProblem::move(const Eigen::VectorXd& y, std::vector<double>& change) const {
  change.resize(u_.size());
  for (int i = 0; i < G_.rows(); ++i) change[i] = G_.dot(i, y.data());
}

void FactoredProblem::respond(const std::vector<double>& p, Eigen::VectorXd& y, std::vector<double>& w) const {
  push(p, y);
  w.resize(u_.size());
  for (int i = 0; i < G_.rows(); ++i) w[i] = u_[i] + G_.dot(i, y.data());
}

double FactoredProblem::measure(const std::vector<double>& p, const std::vector<double>& velocity) const {
  double size = 0, worst = 0, worst_velocity = 0, worst_row = 0;
  for (const Block& block : blocks_) {
    double square = 0;
    for (int i = 0; i < std::min(3, block.size()); ++i) square += p[block.row + i] * p[block.row + i];
    size = std::max(size, square);
  }
  size = std::sqrt(size);
  if (size == 0) {  // as of certify: the impulses that velocities ask for
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      double square = 0;
      for (int i = 0; i < std::min(3, blocks_[b].size()); ++i) square += std::pow(velocity[blocks_[b].row + i], 2);
      if (mean_diagonal_[b] > 0) size = std::max(size, std::sqrt(square) / mean_diagonal_[b]);
    }
    if (size == 0) size = 1;
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
    const double a = mean_diagonal_[b];
    double w[ImpulseSet::max_size] = {}, x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) w[i] = velocity[block.row + i];
    const double lifted = set.lift(w), opens = w[set.normal()] / a;
    // As certify has it, of rows that may turn.
    const double speed =
        is_driven(block) ? std::max(velocity_size_, std::sqrt(a * size * velocity_size_)) : velocity_size_;
    if (block.kind == BlockKind::bilateral || !(a > 0)) {
      // A block that nothing moves has only its velocity to be judged by.
      const double missed = block.kind == BlockKind::bilateral ? std::abs(w[0]) : std::max(0.0, -w[set.normal()]);
      worst_row = worse_of(worst_row, missed / speed);
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
    worst_velocity = worse_of(worst_velocity, own * a / speed);
  }
  const double residual = worse_of(worse_of(worst / size, 0.11 * worst_velocity), worst_row);
  return std::isnan(residual) ? std::numeric_limits<double>::infinity() : residual;
}

bool FactoredProblem::still(const std::vector<double>& p, const std::vector<double>& w) const {
  for (const Block& block : blocks_) {
    if (p[block.normal_row()] == 0) continue;
    for (int i = 0; i < block.size(); ++i) {
      if (std::abs(w[block.row + i]) > standing_speed * velocity_size_) return false;
    }
  }
  return true;
}

void FactoredProblem::sweep(std::vector<double>& p, Eigen::VectorXd& y) const {
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const ImpulseSet& set = sets_[b];
    if (!(mean_diagonal_[b] > 0)) continue;
    double w[ImpulseSet::max_size], x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    for (int i = 0; i < set.size(); ++i) w[i] = u_[block.row + i] + G_.dot(block.row + i, y.data());
    w[set.normal()] += set.lift(w);
    for (int i = 0; i < set.size(); ++i) x[i] = p[block.row + i] - w[i] / mean_diagonal_[b];
    set.project(x, nearest, nullptr);
    for (int i = 0; i < set.size(); ++i) {
      double& own = p[block.row + i];
      if (nearest[i] != own) G_.add(block.row + i, nearest[i] - own, y.data());
      own = nearest[i];
    }
  }
}

}  // namespace carom
