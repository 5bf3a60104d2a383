#include "carom/complementarity/mixed/ncp_iterate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/complementarity/linear/dense_kernels.h"
#include "carom/complementarity/mixed/fischer_burmeister.h"

namespace carom {

namespace {

constexpr double armijo = 1e-4;
constexpr double clear_descent = 0.9;

}  // namespace

bool NcpIterate::begin(NcpModel& model, const double* x) {
  model_ = &model;
  const int n = model.size();
  for (auto* buffer : {&x_, &F_, &phi_, &slope_x_, &slope_F_, &gradient_, &trial_x_, &trial_F_, &direction_}) {
    buffer->resize(n);
  }
  for (int i = 0; i < n; ++i) x_[i] = model.clamp(i, x[i]);
  forget();
  residual_ = std::numeric_limits<double>::infinity();
  merit_ = residual_;
  if (!model.evaluate(x_.data(), F_.data())) return false;
  merit_ = merit_of(x_, F_);
  return std::isfinite(merit_);
}

void NcpIterate::forget() { remembered_ = oldest_ = 0; }

void NcpIterate::remember(double merit) {
  merits_[oldest_] = merit;
  oldest_ = (oldest_ + 1) % memory;
  remembered_ = std::min(remembered_ + 1, memory);
}

double NcpIterate::merit_of(const std::vector<double>& x, const std::vector<double>& F) const {
  double sum = 0;
  for (int i = 0; i < model_->size(); ++i) {
    const double phi = FischerBurmeister::box(x[i], model_->lower(i), model_->upper(i), F[i]).value;
    sum += phi * phi;
  }
  return sum / 2;
}

bool NcpIterate::linearize() {
  residual_ = std::numeric_limits<double>::infinity();
  if (!model_->linearize()) return false;
  residual_ = model_->residual();
  const int n = model_->size();
  for (int i = 0; i < n; ++i) {
    const auto row = FischerBurmeister::box(x_[i], model_->lower(i), model_->upper(i), F_[i]);
    phi_[i] = row.value;
    slope_x_[i] = row.slope_x;
    slope_F_[i] = row.slope_F;
  }
  matrix_.form(*model_, slope_x_.data(), slope_F_.data());
  matrix_.multiply_transposed(phi_.data(), gradient_.data());
  remember(merit_);
  return true;
}

bool NcpIterate::search(const double* d, int halvings) {
  const int n = model_->size();
  const double highest = *std::max_element(merits_.begin(), merits_.begin() + remembered_);
  double t = 1;
  for (int trial = 0; trial <= halvings; ++trial, t /= 2) {
    double slope = 0;
    bool moved = false;
    for (int i = 0; i < n; ++i) {
      trial_x_[i] = model_->clamp(i, x_[i] + t * d[i]);
      slope += gradient_[i] * (trial_x_[i] - x_[i]);
      moved = moved || trial_x_[i] != x_[i];
    }
    if (!moved || !std::isfinite(slope)) break;
    if (!model_->evaluate(trial_x_.data(), trial_F_.data())) continue;
    const double merit = merit_of(trial_x_, trial_F_);
    const bool descends = slope < 0 && merit <= highest + armijo * slope;
    if (!descends && !(merit <= clear_descent * merit_)) continue;
    x_.swap(trial_x_);
    F_.swap(trial_F_);
    merit_ = merit;
    return true;
  }
  // The model's current point was a trial; make it this one again.
  static_cast<void>(model_->evaluate(x_.data(), F_.data()));
  return false;
}

bool NcpIterate::gradient_step() {
  const double product = matrix_.squared_norm_of_product(gradient_.data());
  const int n = model_->size();
  const double length = product > 0 ? dense::dot(n, gradient_.data(), gradient_.data()) / product : 1;
  for (int i = 0; i < n; ++i) direction_[i] = -length * gradient_[i];
  return search(direction_.data(), 40);
}

void NcpIterate::polish() {
  constexpr double round_off = 1e-15, clear_gain = 1e-2;
  // H has hardly an inverse where several solutions meet. A lift by a part of its largest entry, squared, moves less.
  constexpr std::array<double, 3> lifts{0, 1e-13, 1e-9};
  if (residual_ <= round_off) return;
  const int n = model_->size();
  const double square = matrix_.largest() * matrix_.largest(), first = residual_;
  rhs_.resize(n);
  for (int i = 0; i < n; ++i) rhs_[i] = -phi_[i];
  start_ = x_;
  for (const double lift : lifts) {
    if (lift == 0) {
      if (!matrix_.factor()) continue;
      matrix_.solve(rhs_.data(), direction_.data());
    } else if (!(square > 0) || !matrix_.solve_regularized(lift * square, rhs_.data(), direction_.data())) {
      continue;
    }
    const bool finite = std::all_of(direction_.begin(), direction_.end(), [](double d) { return std::isfinite(d); });
    if (!finite) continue;
    for (int i = 0; i < n; ++i) trial_x_[i] = model_->clamp(i, start_[i] + direction_[i]);
    if (!model_->evaluate(trial_x_.data(), trial_F_.data())) continue;
    const double residual = model_->residual();
    if (!(residual < residual_)) continue;
    x_.swap(trial_x_);
    F_.swap(trial_F_);
    residual_ = residual;
    if (residual_ <= std::max(clear_gain * first, round_off)) break;
  }
  merit_ = merit_of(x_, F_);
  // The model's current point may be a trial that was not kept; make it this one.
  static_cast<void>(model_->evaluate(x_.data(), F_.data()));
}

void NcpIterate::snap(double distance, double tolerance) {
  const int n = model_->size();
  bool moved = false;
  for (int i = 0; i < n; ++i) {
    const double below = x_[i] - model_->lower(i), above = model_->upper(i) - x_[i];
    const bool at_lower = below <= std::min(F_[i], distance), at_upper = above <= std::min(-F_[i], distance);
    trial_x_[i] = at_lower ? model_->lower(i) : at_upper ? model_->upper(i) : x_[i];
    moved = moved || trial_x_[i] != x_[i];
  }
  if (!moved) return;
  if (!model_->evaluate(trial_x_.data(), trial_F_.data()) || !model_->linearize()) return;
  const double residual = model_->residual();
  if (!(residual <= tolerance)) return;
  x_.swap(trial_x_);
  F_.swap(trial_F_);
  residual_ = residual;
}

double NcpIterate::stationarity() const {
  double size = 0, norm = 0;
  for (int i = 0; i < model_->size(); ++i) {
    size = std::max(size, std::abs(model_->clamp(i, x_[i] - gradient_[i]) - x_[i]));
    norm += phi_[i] * phi_[i];
  }
  return norm > 0 ? size / std::sqrt(norm) : 0;
}

}  // namespace carom
