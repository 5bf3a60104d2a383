#include "carom/complementarity/factored/natural_map_newton.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr int map_stride = GroupedMatrix::stride;
constexpr double map_descent = 1e-3;  // part of the step's length by which the merit has to fall

template <int size>
void invert_map_block(const double* M, double* inverse) {
  using Block = Eigen::Matrix<double, size, size, Eigen::RowMajor>;
  using Stride = Eigen::OuterStride<map_stride>;
  Eigen::Map<Block, 0, Stride>(inverse, size, size) =
      Eigen::Map<const Block, 0, Stride>(M, size, size).eval().inverse();
}

}  // namespace

void NaturalMapNewton::begin(FactoredProblem& problem, double rho, const StopSignal* stop) {
  problem_ = &problem;
  stop_ = stop;
  rho_ = rho;
  tau_ = 0;
  const std::size_t blocks = problem.blocks().size(), rows = problem.rows();
  for (auto* buffer : {&R_, &step_, &trial_p_, &trial_w_}) buffer->assign(rows, 0.0);
  for (auto* buffer : {&V_, &inverse_, &D_}) buffer->assign(blocks * map_stride * map_stride, 0.0);
  slope_.assign(blocks * map_stride, 0.0);
}

void NaturalMapNewton::pull_to(const std::vector<double>& centre, double tau) {
  centre_ = centre;
  tau_ = tau;
}

void NaturalMapNewton::start_at(const std::vector<double>& p) {
  p_ = p;
  problem_->respond(p_, y_, w_);
  evaluate(p_, w_, true);
}

/// R_, merit_ and largest_ of p; with derivatives V_ and slope_ too.
void NaturalMapNewton::evaluate(const std::vector<double>& p, const std::vector<double>& velocity, bool derivatives) {
  merit_ = largest_ = 0;
  const std::vector<Block>& blocks = problem_->blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const double a = problem_->mean_diagonal(b);
    if (!(a > 0)) continue;
    const ImpulseSet& set = problem_->set(b);
    const int row = blocks[b].row;
    // Zeros for g++ 12, which takes w[normal] for uninitialised.
    double w[ImpulseSet::max_size] = {}, x[ImpulseSet::max_size], nearest[ImpulseSet::max_size];
    std::copy_n(velocity.data() + row, set.size(), w);
    w[set.normal()] += set.lift(w, derivatives ? slope_.data() + b * map_stride : nullptr);
    for (int i = 0; i < set.size(); ++i) {
      const double away = tau_ > 0 ? tau_ * (p[row + i] - centre_[row + i]) : 0;
      x[i] = p[row + i] - (rho_ / a) * w[i] - away;
    }
    set.project(x, nearest, derivatives ? V_.data() + b * map_stride * map_stride : nullptr);
    double square = 0;
    for (int i = 0; i < set.size(); ++i) {
      R_[row + i] = p[row + i] - nearest[i];
      square += R_[row + i] * R_[row + i];
    }
    merit_ += a * square;
    largest_ = std::max(largest_, std::sqrt(square) / rho_);
  }
}

/// inverse_ = M⁻¹ and D_ = r M⁻¹ V E of every block.
void NaturalMapNewton::invert(double epsilon) {
  const std::vector<Block>& blocks = problem_->blocks();
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const double a = problem_->mean_diagonal(b);
    if (!(a > 0)) continue;
    const ImpulseSet& set = problem_->set(b);
    const int size = set.size();
    const double *V = V_.data() + b * map_stride * map_stride, *slope = slope_.data() + b * map_stride;
    double M[map_stride * map_stride] = {};
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j)
        M[i * map_stride + j] = (i == j ? 1 + epsilon : 0) - (1 - tau_) * V[i * map_stride + j];
    }
    double* inverse = inverse_.data() + b * map_stride * map_stride;
    if (size == 1) inverse[0] = 1 / M[0];
    if (size == 3) invert_map_block<3>(M, inverse);
    if (size == 4) invert_map_block<4>(M, inverse);
    double* D = D_.data() + b * map_stride * map_stride;
    for (int i = 0; i < size; ++i) {
      double row[ImpulseSet::max_size] = {};
      for (int k = 0; k < size; ++k) {
        for (int j = 0; j < size; ++j) row[j] += inverse[i * map_stride + k] * V[k * map_stride + j];
      }
      const double by_normal = row[set.normal()];
      for (int j = 0; j < size; ++j) D[i * map_stride + j] = (rho_ / a) * (row[j] + by_normal * slope[j]);
    }
  }
}

bool NaturalMapNewton::step(double epsilon, double reference, int halvings) {
  ask_to_go_on(stop_);
  invert(epsilon);
  GroupedMatrix& matrix = problem_->matrix();
  const std::vector<Block>& blocks = problem_->blocks();
  if (!matrix.factor(GroupedMatrix::Kind::general, problem_->G(), blocks, D_, stop_)) return false;
  const auto by_block = [&](const std::vector<double>& of, const std::vector<double>& x, double sign, bool add) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const int row = blocks[b].row, size = blocks[b].size();
      if (!(problem_->mean_diagonal(b) > 0)) continue;
      const double* block = of.data() + b * map_stride * map_stride;
      for (int i = 0; i < size; ++i) {
        double sum = 0;
        for (int j = 0; j < size; ++j) sum += block[i * map_stride + j] * x[row + j];
        step_[row + i] = (add ? step_[row + i] : 0) + sign * sum;
      }
    }
  };
  by_block(inverse_, R_, -1, false);
  problem_->push(step_, right_);
  matrix.solve(right_, dy_);
  if (!dy_.allFinite()) return false;
  problem_->move(dy_, change_);
  by_block(D_, change_, -1, true);
  problem_->push(step_, dy_);  // what the impulses do, not what round-off of the factors says of it
  problem_->move(dy_, change_);
  const auto go = [&](double length) {
    for (std::size_t i = 0; i < p_.size(); ++i) {
      trial_p_[i] = p_[i] + length * step_[i];
      trial_w_[i] = w_[i] + length * change_[i];
    }
  };
  double length = 1, best = 1, least = 0;
  for (int halving = 0; halving <= halvings; ++halving, length *= 0.5) {
    go(length);
    evaluate(trial_p_, trial_w_, false);
    if (halving == 0 || merit_ < least) least = merit_, best = length;
    if (merit_ <= (1 - map_descent * length) * reference) break;
  }
  if (best != length) go(best);
  p_.swap(trial_p_);
  w_.swap(trial_w_);
  evaluate(p_, w_, true);
  return true;
}

}  // namespace carom
