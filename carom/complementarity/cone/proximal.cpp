#include "carom/complementarity/cone/proximal.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr int power_steps = 20;
constexpr int patience = 200;  // steps without a better residual, after which t is halved

}  // namespace

void ProximalGradient::reserve(int rows) {
  for (std::vector<double>* v : {&point_, &velocity_, &next_, &best_, &best_w_, &start_}) v->reserve(rows);
}

/// Largest eigenvalue of D^(−1/2) A D^(−1/2) plus a tenth, from a fixed start; D: mean diagonals as certify has them.
double ProximalGradient::largest_eigenvalue(const ConeSystem& system, const double* u) {
  const int k = system.rows();
  for (int i = 0; i < k; ++i) point_[i] = 1 + 0.5 * std::sin(1.0 + i);
  double eigenvalue = 1;
  for (int round = 0; round < power_steps; ++round) {
    double square = 0;
    for (const OneContact& contact : system.contacts()) {
      if (!(contact.mean_diagonal() > 0)) continue;
      for (int i = 0; i < contact.size(); ++i) {
        const double x = point_[contact.row() + i] * contact.relative_axis(i);
        square += x * x;
        next_[contact.row() + i] = x * contact.relative_axis(i) / std::sqrt(contact.mean_diagonal());
      }
    }
    if (square == 0) return 1;
    if (round > 0) eigenvalue = std::sqrt(square);
    const double length = std::sqrt(square);
    for (int i = 0; i < k; ++i) next_[i] /= length;
    system.velocity(next_.data(), velocity_.data());
    for (const OneContact& contact : system.contacts()) {
      for (int i = 0; i < contact.size(); ++i) {
        const int row = contact.row() + i;
        const double mean = contact.mean_diagonal();
        point_[row] = mean > 0 ? (velocity_[row] - u[row]) / std::sqrt(mean) : 0;
      }
    }
  }
  return 1.1 * eigenvalue;
}

/// next_ = P(p − step · velocity_ / a); the sum of (y − p⁺)·(p⁺ − p) of point_ y and p, weighted by a.
double ProximalGradient::project(const ConeSystem& system, double step, const double* p) {
  double against = 0;
  for (const OneContact& contact : system.contacts()) {
    const int row = contact.row();
    contact.project(point_.data() + row, velocity_.data() + row, step, next_.data() + row);
    for (int i = row; i < row + contact.size(); ++i) {
      against += contact.mean_diagonal() * (point_[i] - next_[i]) * (next_[i] - p[i]);
    }
  }
  return against;
}

ConeProgress ProximalGradient::descend(const ConeSystem& system, double tolerance, int max_steps, double* p,
                                       double* w) {
  const int k = system.rows();
  for (std::vector<double>* v : {&point_, &velocity_, &next_, &best_, &best_w_, &start_}) v->assign(k, 0);
  ConeProgress result;
  result.residual = system.residual(p, w);
  if (result.residual <= tolerance || max_steps == 0) return result;
  std::copy_n(p, k, best_.data());
  std::copy_n(w, k, best_w_.data());
  system.velocity(point_.data(), start_.data());  // of no impulse: u
  double step = 1 / largest_eigenvalue(system, start_.data());
  std::copy_n(p, k, point_.data());
  std::copy_n(w, k, velocity_.data());
  double theta = 1;
  int since_best = 0;
  while (result.residual > tolerance && result.steps < max_steps) {
    ++result.steps;
    system.ask();
    const bool restart = project(system, step, p) > 0;
    const double next_theta = restart ? 1 : 0.5 * (1 + std::sqrt(1 + 4 * theta * theta));
    const double beta = restart ? 0 : (theta - 1) / next_theta;
    theta = next_theta;
    for (int i = 0; i < k; ++i) {
      point_[i] = next_[i] + beta * (next_[i] - p[i]);
      p[i] = next_[i];
    }
    system.velocity(point_.data(), velocity_.data());
    const double residual = system.residual(point_.data(), velocity_.data());
    if (residual < result.residual) {
      result.residual = residual;
      since_best = 0;
      std::copy_n(point_.data(), k, best_.data());
      std::copy_n(velocity_.data(), k, best_w_.data());
    } else if (++since_best == patience) {
      since_best = 0;
      step *= 0.5;
      theta = 1;
      std::copy_n(best_.data(), k, p);
      std::copy_n(best_.data(), k, point_.data());
      std::copy_n(best_w_.data(), k, velocity_.data());
    }
  }
  std::copy_n(best_.data(), k, p);
  std::copy_n(best_w_.data(), k, w);
  return result;
}

}  // namespace carom
