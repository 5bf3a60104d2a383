#include "carom/complementarity/cone/one_contact.h"

#include <algorithm>
#include <cmath>

namespace carom {

namespace {

/// Below this share of the block's size an eigenvalue is round-off.
constexpr double round_off = 1e-14;
/// Share that conditions in units of the problem's impulses and velocities have in a residual beside the natural map.
constexpr double both_sizes = 0.1;

double norm(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

}  // namespace

void OneContact::prepare(const Block& block, const double* A, int stride) {
  kind_ = block.kind;
  row_ = block.row;
  size_ = block.size();
  normal_ = block.normal_row();
  offset_ = block.offset;
  floor_ = block.floor;
  lower_ = block.lower;
  upper_ = block.upper;
  friction_ = 0;
  lambda_ = largest_axis_ = 0;
  for (int j = 0; j < size_; ++j) {
    for (int i = 0; i < size_; ++i) A_[i + max_size * j] = A[i + static_cast<std::ptrdiff_t>(stride) * j];
  }
  mean_diagonal_ = a_ = entry(normal_ - row_, normal_ - row_);
  velocity_noise_ = 0;
  for (int i = 0; i < size_; ++i) diagonal_[i] = entry(i, i);
  if (!block.is_contact()) return;
  const double axes[3] = {block.friction.x(), block.friction.y(), block.torsion};
  largest_axis_ = std::max(axes[0], axes[1]) > 0 ? std::max(axes[0], axes[1]) : axes[2] > 0 ? 1.0 : 0.0;
  for (int axis = 0; axis < size_ - 1; ++axis) {
    if (axes[axis] == 0) continue;
    const int local = axis < 2 ? axis : 3;
    axis_row_[friction_] = local;
    axis_[friction_++] = axes[axis];
    mean_diagonal_ += (axes[axis] / largest_axis_) * (axes[axis] / largest_axis_) * entry(local, local);
  }
  mean_diagonal_ /= size_;
  factor();
}

void OneContact::set_sizes(double mean_diagonal, double velocity_noise) {
  mean_diagonal_ = mean_diagonal;
  velocity_noise_ = velocity_noise;
  factor();
}

void OneContact::add_diagonal(const double* weight) {
  for (int i = 0; i < size_; ++i) {
    A_[i * (max_size + 1)] = diagonal_[i] + weight[i];
  }
  factor();
}

void OneContact::factor() {
  a_ = entry(normal_ - row_, normal_ - row_);
  if (friction_ == 0) return;
  double S[3][3];
  tiny_ = 0;
  for (int i = 0; i < friction_; ++i) {
    c_[i] = axis_[i] * entry(axis_row_[i], normal_ - row_);
    for (int j = 0; j < friction_; ++j) {
      S[i][j] = axis_[i] * axis_[j] * 0.5 * (entry(axis_row_[i], axis_row_[j]) + entry(axis_row_[j], axis_row_[i]));
    }
    tiny_ = std::max({tiny_, round_off * S[i][i], 10 * round_off * axis_[i] * axis_[i] * mean_diagonal_});
  }
  if (floor_ == 0 && a_ > 0) {
    for (int i = 0; i < friction_; ++i) {
      for (int j = 0; j < friction_; ++j) S[i][j] -= c_[i] * c_[j] / a_;
    }
  }
  diagonalise(S);
}

/// Jacobi's rotations: for two axes one, and small eigenvalues of graded blocks keep their digits.
void OneContact::diagonalise(double (*S)[3]) {
  const int f = friction_;
  for (int i = 0; i < f; ++i) {
    for (int j = 0; j < f; ++j) vectors_[i][j] = i == j ? 1 : 0;
  }
  for (int round = 0; round < (f == 3 ? 12 : f - 1); ++round) {
    for (int k = 0; k < f; ++k) {
      for (int l = k + 1; l < f; ++l) {
        if (S[k][l] == 0) continue;
        const double theta = 0.5 * (S[l][l] - S[k][k]) / S[k][l];
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::hypot(theta, 1.0));
        const double c = 1 / std::hypot(t, 1.0), s = c * t;
        for (int i = 0; i < f; ++i) {
          const double x = S[i][k], y = S[i][l];
          S[i][k] = c * x - s * y;
          S[i][l] = s * x + c * y;
        }
        for (int i = 0; i < f; ++i) {
          const double x = S[k][i], y = S[l][i];
          S[k][i] = c * x - s * y;
          S[l][i] = s * x + c * y;
          const double v = vectors_[k][i], w = vectors_[l][i];
          vectors_[k][i] = c * v - s * w;
          vectors_[l][i] = s * v + c * w;
        }
        S[k][l] = S[l][k] = 0;
      }
    }
  }
  for (int i = 0; i < f; ++i) {
    values_[i] = std::max(S[i][i], tiny_);
    arm_[i] = 0;
    if (!(a_ > 0)) continue;
    for (int j = 0; j < f; ++j) arm_[i] += vectors_[i][j] * c_[j] / a_;
  }
}

/// p_n(λ) / ‖q(λ)‖ − 1, which is nearly linear in λ where g is not, its slope, and q along the eigenvectors.
double OneContact::evaluate(double lambda, double p0, const double* arm, const double* s, double* q,
                            double& slope) const {
  double square = 0, turn = 0, p_n = p0, p_slope = 0;
  for (int i = 0; i < friction_; ++i) {
    const double inverse = 1 / (values_[i] + lambda);
    q[i] = -s[i] * inverse;
    const double derivative = -q[i] * inverse;
    square += q[i] * q[i];
    turn += q[i] * derivative;
    p_n -= arm[i] * q[i];
    p_slope -= arm[i] * derivative;
  }
  const double inverse_length = 1 / std::sqrt(square);
  slope = (p_slope - p_n * turn / square) * inverse_length;
  return p_n * inverse_length - 1;
}

/// q(λ) with λ ≥ 0 from slip s (both along the eigenvectors) and p_n(λ) = p0 − arm·q, which is returned.
double OneContact::slide(double p0, const double* arm, const double* s, double* q, State& state) {
  state.friction = State::Friction::stick;
  state.lambda = 0;
  double length = 0, longest_arm = 0;
  bool movable = true;
  for (int i = 0; i < friction_; ++i) {
    length = std::max(length, std::abs(s[i]));
    longest_arm = std::max(longest_arm, std::abs(arm[i]));
    movable = movable && (values_[i] > tiny_ || s[i] == 0);
    q[i] = 0;
  }
  if (length == 0) return p0;
  double slope = 0, guess = 0;
  if (movable) {
    double p_n = p0;
    for (int i = 0; i < friction_; ++i) {
      q[i] = s[i] == 0 ? 0 : -s[i] / values_[i];
      p_n -= arm[i] * q[i];
    }
    if (norm(q, friction_) <= p_n) return p_n;
    const double value = values_[0] > 0 ? evaluate(0, p0, arm, s, q, slope) : 0;
    if (value < 0 && slope > 0) guess = -value / slope;
  }
  double low = 0, high = 4 * length * (1 + longest_arm) / p0;
  double lambda = lambda_ > 0 && lambda_ < high ? lambda_ : guess > 0 && guess < high ? guess : high / 16;
  for (int i = 0; i < 100; ++i) {
    const double value = evaluate(lambda, p0, arm, s, q, slope);
    if (std::abs(value) <= 2e-15) break;
    (value < 0 ? low : high) = lambda;
    double next = lambda - value / slope;
    if (!(next > low && next < high)) {
      next = low == 0 ? high / 16 : high > 16 * low ? std::sqrt(low * high) : 0.5 * (low + high);
    }
    if (next == lambda || high - low <= 4e-16 * high) break;
    lambda = next;
  }
  lambda_ = state.lambda = lambda;
  state.friction = State::Friction::slide;
  double p_n = p0;
  for (int i = 0; i < friction_; ++i) p_n -= arm[i] * q[i];
  const double shrink = std::max(0.0, p_n) / norm(q, friction_);  // on the cone, but for round-off
  for (int i = 0; i < friction_; ++i) q[i] *= shrink;
  return std::max(0.0, p_n);
}

/// Slip (along the eigenvectors) that is round-off of the terms it was made from, where nothing can move it, is none.
void OneContact::drop_noise(double size, double* s) const {
  for (int i = 0; i < friction_; ++i) {
    if (values_[i] <= tiny_ && std::abs(s[i]) <= 10 * round_off * size + velocity_noise_ * largest_axis_) s[i] = 0;
  }
}

/// Normal impulse ≥ floor > 0: friction is a disc's at every p_n, and u_n(p_n) is brought to zero.
void OneContact::solve_owed(double b_n, const double* slip, double* p_n, double* q, State& state) {
  static constexpr double none[3] = {};
  const auto normal_velocity = [&](double t) {
    double s[3] = {}, u_n = b_n + a_ * t, size = 0;
    for (int i = 0; i < friction_; ++i) {
      s[i] = slip[i] + a_ * arm_[i] * t;
      size = std::max({size, std::abs(slip[i]), std::abs(a_ * arm_[i] * t)});
    }
    drop_noise(size, s);
    slide(t, none, s, q, state);
    for (int i = 0; i < friction_; ++i) u_n += a_ * arm_[i] * q[i];
    *p_n = t;
    return u_n;
  };
  double low = floor_, at_low = normal_velocity(low);
  if (at_low >= 0 || !(a_ > 0)) return;
  state.normal_free = true;
  double high = std::max(2 * low, -2 * b_n / a_), at_high = normal_velocity(high);
  for (int i = 0; i < 60 && at_high < 0; ++i) {
    low = high;
    at_low = at_high;
    high *= 2;
    at_high = normal_velocity(high);
  }
  if (at_high < 0) return;
  // False position, the end that stays twice halved in value.
  int stayed = 0;
  for (int i = 0; i < 200 && high - low > 2e-16 * high; ++i) {
    double t = low - at_low * (high - low) / (at_high - at_low);
    if (!(t > low && t < high)) t = 0.5 * (low + high);
    if (t == low || t == high) break;
    const double value = normal_velocity(t);
    if (value == 0) return;
    if (value < 0) {
      low = t;
      at_low = value;
      if (stayed == -1) at_high *= 0.5;
      stayed = -1;
    } else {
      high = t;
      at_high = value;
      if (stayed == 1) at_low *= 0.5;
      stayed = 1;
    }
  }
}

OneContact::State OneContact::solve(const double* b, double* p) {
  const int n = normal_ - row_;
  const double b_n = b[n] + offset_;
  State state;
  for (int i = 0; i < size_; ++i) p[i] = 0;
  if (friction_ == 0) {
    const bool bilateral = kind_ == BlockKind::bilateral, bounded = kind_ == BlockKind::bounded;
    const double bound = b_n > 0 ? lower_ : b_n < 0 ? upper_ : 0.0;
    const double free = a_ > 0 ? -b_n / a_ : std::isfinite(bound) ? bound : 0.0;
    p[n] = bilateral ? (a_ > 0 ? free : 0) : bounded ? std::clamp(free, lower_, upper_) : std::max(floor_, free);
    state.normal_free = a_ > 0 && p[n] == free;
    return state;
  }
  if (floor_ == 0 && (b_n >= 0 || !(a_ > 0))) return state;
  double slip[3] = {}, q[3] = {}, p_n = floor_ == 0 ? -b_n / a_ : 0;
  double size = 0;
  for (int j = 0; j < friction_; ++j) {
    const double b_f = axis_[j] * b[axis_row_[j]];
    for (int i = 0; i < friction_; ++i) slip[i] += vectors_[i][j] * b_f;
    size = std::max({size, std::abs(b_f), std::abs(c_[j] * p_n)});
  }
  if (floor_ > 0) {
    solve_owed(b_n, slip, &p_n, q, state);
  } else {
    for (int i = 0; i < friction_; ++i) slip[i] -= arm_[i] * b_n;
    drop_noise(size, slip);
    state.normal_free = true;
    p_n = slide(p_n, arm_, slip, q, state);
  }
  p[n] = p_n;
  for (int j = 0; j < friction_; ++j) {
    double sum = 0;
    for (int i = 0; i < friction_; ++i) sum += vectors_[i][j] * q[i];
    p[axis_row_[j]] = axis_[j] * sum;
  }
  return state;
}

OneContact::Steps OneContact::steps_from(const double* p, double velocity_size) const {
  const int n = normal_ - row_;
  const double a = std::max(a_, 1e-4 * mean_diagonal_);
  Steps steps;
  steps.normal = a > 0 ? 1 / a : 1;
  if (friction_ == 0) {
    if (kind_ == BlockKind::unilateral) steps.normal = std::max(steps.normal, p[n] / velocity_size);
    return steps;
  }
  double D = 0, length = 0;
  for (int i = 0; i < friction_; ++i) {
    D += axis_[i] * axis_[i] * entry(axis_row_[i], axis_row_[i]) / friction_;
    length = std::hypot(length, p[axis_row_[i]] / axis_[i]);
  }
  D = std::max(D, 1e-4 * mean_diagonal_ * largest_axis_ * largest_axis_);
  const double size = std::max(p[n], length);
  if (size > 0) steps.normal = std::max(steps.normal / std::max(1.0, largest_axis_), size / velocity_size);
  steps.friction = std::max(1 / D, length / (largest_axis_ * velocity_size));
  return steps;
}

OneContact::State OneContact::project_apart(const double* p, const double* velocity, const Steps& steps,
                                            double* projected) const {
  const int n = normal_ - row_;
  const double w = velocity[n] + offset_, target = a_ > 0 ? p[n] - w * steps.normal : p[n];
  State state;
  for (int i = 0; i < size_; ++i) projected[i] = 0;
  if (kind_ == BlockKind::bilateral) {
    projected[0] = target;
    state.normal_free = a_ > 0;
    return state;
  }
  projected[n] = kind_ == BlockKind::bounded ? std::clamp(target, lower_, upper_) : std::max(floor_, target);
  state.normal_free = a_ > 0 && projected[n] == target;
  if (friction_ == 0 || projected[n] <= 0) return state;
  double x[3], length = 0;
  for (int i = 0; i < friction_; ++i) {
    x[i] = p[axis_row_[i]] / axis_[i] - axis_[i] * velocity[axis_row_[i]] * steps.friction;
    length = std::hypot(length, x[i]);
  }
  const double radius = projected[n];
  state.friction = length > radius ? State::Friction::slide : State::Friction::stick;
  if (length > radius) state.lambda = (length - radius) / (radius * steps.friction);
  for (int i = 0; i < friction_; ++i) projected[axis_row_[i]] = axis_[i] * x[i] * std::min(1.0, radius / length);
  return state;
}

OneContact::State OneContact::nearest_state(const double* p, const double* velocity, const Steps& steps,
                                            double noise) const {
  constexpr double near_limit = 0.9;
  if (friction_ == 0) {
    double target[max_size];
    return project_apart(p, velocity, steps, target);
  }
  State state;
  const double p_n = p[normal_ - row_];
  state.normal_free = a_ > 0 && p_n > floor_;
  if (!(p_n > 0)) return state;
  double used = 0, slip = 0;
  for (int i = 0; i < friction_; ++i) {
    used = std::hypot(used, p[axis_row_[i]] / axis_[i]);
    slip = std::hypot(slip, velocity[axis_row_[i]] * axis_[i] / largest_axis_);
  }
  const bool slides = used > near_limit * p_n && slip > noise;
  state.friction = slides ? State::Friction::slide : State::Friction::stick;
  return state;
}

void OneContact::aim(const double* p, const double* velocity, State& state, double* target) const {
  const int n = normal_ - row_;
  for (int i = 0; i < size_; ++i) target[i] = 0;
  target[n] = state.normal_free ? p[n] : kind_ == BlockKind::bounded ? std::clamp(p[n], lower_, upper_) : floor_;
  if (state.friction == State::Friction::none) return;
  double q[3], length = 0, slip = 0;
  for (int i = 0; i < friction_; ++i) {
    q[i] = p[axis_row_[i]] / axis_[i];
    length = std::hypot(length, q[i]);
    slip = std::hypot(slip, axis_[i] * velocity[axis_row_[i]]);
  }
  if (state.friction == State::Friction::slide) state.lambda = length > 0 ? slip / length : 0;
  for (int i = 0; i < friction_; ++i) target[axis_row_[i]] = axis_[i] * q[i];
}

/// P_K(p − (w + μ‖w_f‖ z) step / a) in the coordinates of certify. Friction axes are relative to the largest, so that
/// the cone is circular: impulses are divided by that scale, velocities multiplied.
void OneContact::project_contact(const double* p, const double* velocity, double step, double mu,
                                 double* projected) const {
  const int n = normal_ - row_;
  const double a = mean_diagonal_ / step, c = p[n] - floor_, u_n = velocity[n] + offset_;
  double u_f[3], x_f[3];
  for (int i = 0; i < friction_; ++i) {
    const double scale = axis_[i] / largest_axis_;
    u_f[i] = scale * velocity[axis_row_[i]];
    x_f[i] = p[axis_row_[i]] / scale - u_f[i] / a;
  }
  const double length = norm(x_f, friction_);
  const double x_n = c - (u_n + (floor_ > 0 ? 0 : mu * norm(u_f, friction_))) / a;
  double y_n = 0, y_f = 0;  // the projection: y_n, and x_f times y_f
  if (floor_ > 0) {         // not one cone's condition: the normal row's and the disc's apart
    const double radius = mu * std::max(0.0, p[n]);
    y_n = std::max(0.0, x_n);
    y_f = length > radius ? radius / length : 1;
  } else if (length <= mu * x_n) {
    y_n = x_n;
    y_f = 1;
  } else if (mu * length > -x_n) {
    y_n = (mu * length + x_n) / (1 + mu * mu);
    y_f = mu * y_n / length;
  }
  projected[n] = floor_ + y_n;
  for (int i = 0; i < friction_; ++i) projected[axis_row_[i]] = y_f * x_f[i] * axis_[i] / largest_axis_;
}

void OneContact::project(const double* p, const double* velocity, double step, double* projected) const {
  const int n = normal_ - row_;
  for (int i = 0; i < size_; ++i) projected[i] = 0;
  if (!(mean_diagonal_ > 0)) {  // no impulse changes anything
    projected[n] = kind_ == BlockKind::bounded     ? std::clamp(p[n], lower_, upper_)
                   : kind_ == BlockKind::bilateral ? p[n]
                                                   : std::max(0.0, p[n]);
    return;
  }
  const double target = p[n] - (velocity[n] + offset_) * step / mean_diagonal_;
  if (kind_ == BlockKind::bilateral) {
    projected[n] = target;
  } else if (kind_ == BlockKind::bounded) {
    projected[n] = std::clamp(target, lower_, upper_);
  } else if (friction_ == 0) {
    projected[n] = std::max(floor_, target);
  } else {
    project_contact(p, velocity, step, largest_axis_, projected);
  }
}

/// Friction whose large values are judged by the little use that is made of them, as in certificate.cpp.
double OneContact::judged_friction(double p_f, double p_n) const {
  if (p_f == 0) return std::min(largest_axis_, 1.0);
  return p_n > 0 ? std::min(largest_axis_, std::max(1.0, 2 * p_f / p_n)) : largest_axis_;
}

double OneContact::natural_map(const double* p, const double* velocity) const {
  double projected[max_size], friction = 0;
  const int n = normal_ - row_;
  for (int i = 0; i < friction_; ++i) friction = std::hypot(friction, p[axis_row_[i]] * largest_axis_ / axis_[i]);
  const bool has_friction = friction_ > 0 && mean_diagonal_ > 0;
  if (has_friction) {
    for (int i = 0; i < size_; ++i) projected[i] = 0;
    project_contact(p, velocity, 1, judged_friction(friction, p[n]), projected);
  } else {
    project(p, velocity, 1, projected);
  }
  double square = (p[n] - projected[n]) * (p[n] - projected[n]);
  for (int i = 0; i < friction_; ++i) {
    const double d = (p[axis_row_[i]] - projected[axis_row_[i]]) * largest_axis_ / axis_[i];
    square += d * d;
  }
  if (!has_friction || largest_axis_ <= 1 || floor_ > 0) return std::sqrt(square);
  // The normal impulse of a contact that slides at high friction is small beside it, and with it what opens it.
  const double pushes = std::max(p[n], friction), opens = (velocity[n] + offset_) / mean_diagonal_;
  return std::max(std::sqrt(square), std::abs(std::min(pushes, opens)));
}

double OneContact::row_residual(const double* p, const double* velocity, double P, double U) const {
  const int n = normal_ - row_;
  const double w = velocity[n] + offset_;
  if (kind_ == BlockKind::bounded) {
    const double nearest = std::clamp(p[n] / P - w / U, lower_ / P, upper_ / P);
    return std::abs(p[n] / P - nearest);
  }
  if (!(mean_diagonal_ > 0)) {
    return kind_ == BlockKind::bilateral ? std::abs(w) / U : std::abs(std::min((p[n] - floor_) / P, w / U));
  }
  if (kind_ == BlockKind::bilateral) return both_sizes * std::abs(w) / U;
  double pushes = p[n] - floor_, slip = 0;
  if (friction_ > 0) {
    double x[3], own[3];
    for (int i = 0; i < friction_; ++i) {
      const double scale = axis_[i] / largest_axis_;
      own[i] = p[axis_row_[i]] / (scale * P);
      x[i] = own[i] - scale * velocity[axis_row_[i]] / U;
    }
    if (floor_ == 0) pushes = std::max(pushes, norm(own, friction_) * P);
    const double length = norm(x, friction_), radius = largest_axis_ * std::max(0.0, p[n]) / P;
    const double shrink = length > radius ? radius / length : 1;
    for (int i = 0; i < friction_; ++i) slip = std::hypot(slip, own[i] - shrink * x[i]);
  }
  return both_sizes * std::max(slip, std::abs(std::min(pushes / P, w / U)));
}

}  // namespace carom
