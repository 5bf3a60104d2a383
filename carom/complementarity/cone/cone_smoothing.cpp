#include "carom/complementarity/cone/cone_smoothing.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

constexpr double first_width = 0.1, least_width = 1e-14, most_width = 1e4;  // of the largest impulse
constexpr double first_shrink = 0.1, least_shrink = 0.01, most_shrink = 0.9;
constexpr double centred = 0.3;  // ‖F_ε‖ below this share of ε counts as on the path
constexpr int steps_per_width = 8;
constexpr double unmoved = 1e-13;  // kept on the diagonal where no impulse moves anything

double plus(double x, double width) {
  const double root = std::hypot(x, 2 * width);
  if (x >= 0) return 0.5 * (x + root);
  return root > 0 ? 2 * width * width / (root - x) : 0;
}

double plus_slope(double x, double width) {
  const double root = std::hypot(x, 2 * width);
  return root > 0 ? 0.5 * (1 + x / root) : 0.5;
}

}  // namespace

void ConeSmoothing::reserve(int blocks, int rows) {
  parts_.reserve(blocks);
  lu_.prepare(rows);
  for (std::vector<double>* v : {&F_, &work_, &change_, &response_, &trial_, &trial_w_, &point_, &point_w_, &good_,
                                 &good_w_, &best_, &best_w_}) {
    v->reserve(rows);
  }
}

void ConeSmoothing::lay_out(const ConeSystem& system) {
  const std::vector<OneContact>& contacts = system.contacts();
  parts_.resize(contacts.size());
  size_ = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    Part& part = parts_[c];
    part = Part{};
    part.first = size_;
    part.count = 1 + contact.friction_axes();
    const int n = contact.normal() - contact.row();
    double trace = contact.entry(n, n);
    for (int i = 0; i < contact.friction_axes(); ++i) {
      trace += contact.axis(i) * contact.axis(i) * contact.entry(contact.axis_row(i), contact.axis_row(i));
    }
    part.scale = trace > 0 ? trace / part.count : 1;
    size_ += part.count;
  }
}

/// F of a contact with friction, and its derivatives.
double ConeSmoothing::evaluate_cone(const OneContact& contact, double epsilon, const double* p, const double* velocity,
                                    Part& part, double* F) {
  const int f = contact.friction_axes(), n = contact.normal() - contact.row();
  const double a = part.scale;
  double q[3], u[3], x[3], length = 0, slip = 0;
  for (int i = 0; i < f; ++i) {
    q[i] = p[contact.axis_row(i)] / contact.axis(i);
    u[i] = velocity[contact.axis_row(i)] * contact.axis(i);
    x[i] = q[i] - u[i] / a;
    length = std::hypot(length, x[i]);
    slip = std::hypot(slip, u[i]);
  }
  const double s = std::hypot(slip, a * epsilon), c = p[n] - contact.floor();
  const double x_n = c - (velocity[n] + contact.offset() + s - a * epsilon) / a;
  const double low = x_n - length, high = x_n + length;
  const double at_low = plus(low, epsilon), at_high = plus(high, epsilon);
  F[0] = c - 0.5 * (at_low + at_high);
  double square = F[0] * F[0];
  const double slope_low = plus_slope(low, epsilon), slope_high = plus_slope(high, epsilon);
  const double along = 0.5 * (slope_high + slope_low), cross = 0.5 * (slope_high - slope_low);
  const double across = high > low ? (at_high - at_low) / (high - low) : slope_low;
  part.slope[0] = along;
  for (int i = 0; i < f; ++i) {
    const double direction = length > 0 ? x[i] / length : 0;
    F[1 + i] = q[i] - 0.5 * (at_high - at_low) * direction;
    square += F[1 + i] * F[1 + i];
    part.slope[1 + i] = part.slope[4 * (1 + i)] = cross * direction;
    for (int j = 0; j < f; ++j) {
      const double other = length > 0 ? x[j] / length : 0;
      part.slope[4 * (1 + j) + 1 + i] = (i == j ? across : 0) + (along - across) * direction * other;
    }
    part.slip[i] = s > 0 ? u[i] / s : 0;
  }
  return a * square;
}

/// Σ a ‖F_ε‖², with F_ and the derivatives.
double ConeSmoothing::evaluate(const ConeSystem& system, double epsilon, const double* p, const double* w) {
  const std::vector<OneContact>& contacts = system.contacts();
  double merit = 0;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    Part& part = parts_[c];
    double* F = F_.data() + part.first;
    if (contact.friction_axes() > 0) {
      merit += evaluate_cone(contact, epsilon, p + contact.row(), w + contact.row(), part, F);
      continue;
    }
    const double own = p[contact.normal()], x = own - (w[contact.normal()] + contact.offset()) / part.scale;
    if (contact.kind() == BlockKind::bilateral) {
      F[0] = own - x;
      part.slope[0] = 1;
    } else if (contact.kind() == BlockKind::bounded) {
      const double above = x - contact.lower(), over = x - contact.upper();
      const bool below = std::isfinite(contact.lower()), capped = std::isfinite(contact.upper());
      F[0] = own - ((below ? contact.lower() + plus(above, epsilon) : x) - (capped ? plus(over, epsilon) : 0));
      part.slope[0] = (below ? plus_slope(above, epsilon) : 1) - (capped ? plus_slope(over, epsilon) : 0);
    } else {
      F[0] = own - contact.floor() - plus(x - contact.floor(), epsilon);
      part.slope[0] = plus_slope(x - contact.floor(), epsilon);
    }
    merit += part.scale * F[0] * F[0];
  }
  return merit;
}

/// dF/dp = I − V (I − y′ / a). Here V is the derivative of P_ε, and y′ = (1 + e_n sᵀ) A in units of the unit cone.
void ConeSmoothing::assemble(const ConeSystem& system) {
  const std::vector<OneContact>& contacts = system.contacts();
  const std::size_t m = size_;
  double* matrix = lu_.prepare(size_);
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    system.ask();
    for (int j = 0; j < parts_[c].count; ++j) {
      double unit[OneContact::max_size] = {};
      unit[j == 0 ? contact.normal() - contact.row() : contact.axis_row(j - 1)] = j == 0 ? 1 : contact.axis(j - 1);
      std::fill(work_.begin(), work_.end(), 0.0);
      system.add_response(contact, unit, work_.data());
      double* out = matrix + (parts_[c].first + j) * m;
      for (std::size_t d = 0; d < contacts.size(); ++d) {
        const OneContact& other = contacts[d];
        const Part& part = parts_[d];
        double y[OneContact::max_size] = {};
        y[0] = work_[other.normal()];
        for (int i = 0; i + 1 < part.count; ++i) {
          y[1 + i] = work_[other.row() + other.axis_row(i)] * other.axis(i);
          y[0] += part.slip[i] * y[1 + i];
        }
        if (c == d) y[j] -= part.scale * (1 - unmoved);
        for (int i = 0; i < part.count; ++i) {
          double sum = 0;
          for (int l = 0; l < part.count; ++l) sum += part.slope[4 * l + i] * y[l];
          out[part.first + i] = sum / part.scale + (c == d && i == j ? 1 : 0);
        }
      }
    }
  }
}

/// change_ and response_ = A change_ of the full step.
bool ConeSmoothing::step(const ConeSystem& system) {
  const std::vector<OneContact>& contacts = system.contacts();
  assemble(system);
  if (!lu_.factor()) return false;
  lu_.solve(F_.data());
  std::fill(change_.begin(), change_.end(), 0.0);
  std::fill(response_.begin(), response_.end(), 0.0);
  bool finite = true;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const OneContact& contact = contacts[c];
    const double* z = F_.data() + parts_[c].first;
    change_[contact.normal()] = -z[0];
    for (int i = 0; i < contact.friction_axes(); ++i) {
      change_[contact.row() + contact.axis_row(i)] = -z[1 + i] * contact.axis(i);
    }
    for (int i = 0; i < parts_[c].count; ++i) finite = finite && std::isfinite(z[i]);
    system.add_response(contact, change_.data() + contact.row(), response_.data());
  }
  return finite;
}

/// One step at the present width, and the next width where it was met. False where the path ends.
bool ConeSmoothing::advance(const ConeSystem& system) {
  const int k = system.rows();
  Path& path = path_;
  double *p = point_.data(), *w = point_w_.data();
  bool lower = false;
  double value = path.merit;
  if (++path.steps_here <= steps_per_width && step(system)) {
    for (double t = 1; t > 0.01 && !lower; t *= 0.5) {
      for (int i = 0; i < k; ++i) {
        trial_[i] = p[i] + t * change_[i];
        trial_w_[i] = w[i] + t * response_[i];
      }
      value = evaluate(system, path.width, trial_.data(), trial_w_.data());
      lower = value <= path.merit * (1 - 1e-4 * t);
    }
  }
  if (!lower) {  // back to the last good point, and on by less; if there is none, begin wider
    path.shrink = path.good_width > 0 ? std::sqrt(path.shrink) : first_shrink;
    path.width = path.good_width > 0 ? path.good_width * path.shrink : path.width * 10;
    path.steps_here = 0;
    std::copy_n(good_.data(), k, p);
    std::copy_n(good_w_.data(), k, w);
    if (path.shrink > most_shrink || path.width > most_width * path.size) return false;
  } else {
    std::copy_n(trial_.data(), k, p);
    std::copy_n(trial_w_.data(), k, w);
    if (value <= centred * centred * path.weight * path.width * path.width) {
      std::copy_n(p, k, good_.data());
      std::copy_n(w, k, good_w_.data());
      path.good_width = path.width;
      if (path.steps_here <= 2) path.shrink = std::max(least_shrink, path.shrink * path.shrink);
      if (path.steps_here > 4) path.shrink = std::sqrt(path.shrink);
      if (path.width <= least_width * path.size) return false;
      path.width *= path.shrink;
      path.steps_here = 0;
    }
  }
  path.merit = evaluate(system, path.width, p, w);
  return true;
}

void ConeSmoothing::start(const ConeSystem& system, const double* p, const double* w) {
  const int k = system.rows();
  lay_out(system);
  F_.resize(size_);
  for (std::vector<double>* v : {&work_, &change_, &response_, &trial_, &trial_w_}) v->resize(k);
  for (std::vector<double>* v : {&point_, &good_, &best_}) v->assign(p, p + k);
  for (std::vector<double>* v : {&point_w_, &good_w_, &best_w_}) v->assign(w, w + k);
  least_ = system.residual(p, w);
  path_ = Path{};
  path_.shrink = first_shrink;
  path_.size = system.impulse_size(p);
  path_.width = first_width * path_.size;
  for (const Part& part : parts_) path_.weight += part.count * part.scale;
  path_.merit = evaluate(system, path_.width, p, w);
}

ConeProgress ConeSmoothing::follow(const ConeSystem& system, double tolerance, int max_steps, double* p, double* w) {
  const int k = system.rows();
  ConeProgress result;
  while (!path_.ended && least_ > tolerance && result.steps < max_steps) {
    ++result.steps;
    system.ask();
    path_.ended = !advance(system);
    const double residual = system.residual(point_.data(), point_w_.data());
    if (residual < least_) {
      least_ = residual;
      std::copy_n(point_.data(), k, best_.data());
      std::copy_n(point_w_.data(), k, best_w_.data());
    }
  }
  result.residual = least_;
  std::copy_n(best_.data(), k, p);
  std::copy_n(best_w_.data(), k, w);
  return result;
}

}  // namespace carom
