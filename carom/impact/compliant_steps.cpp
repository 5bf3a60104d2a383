// The rules by which CompliantImpact takes a step.
#include <algorithm>
#include <cmath>

#include "carom/impact/compliant_impact.h"

namespace carom {
namespace {

/// Newton's iterations of an implicit step before it is given up for a shorter one.
constexpr int newton_limit = 12;
/// Most rate at which friction on a tangential spring turns with the slip, times √(m/k) of the contact.
constexpr double most_turning = 300;

bool is_finite(const std::vector<double>& state) {
  return std::all_of(state.begin(), state.end(), [](double x) { return std::isfinite(x); });
}

}  // namespace

void CompliantImpact::set_velocity(const double* P) {
  double* v = velocity_.data();
  const double* w = rows_.velocity();
  for (int i = 0; i < m_; ++i) v[i] = w[i];
  const double* column = rows_.matrix();
  for (int j = 0; j < m_; ++j, column += m_) {
    const double p = P[j];
    if (p == 0) continue;
    for (int i = 0; i < m_; ++i) v[i] += p * column[i];
  }
}

/// f of m entries at the compressions z and velocity_, without what tangential springs change.
void CompliantImpact::forces(const double* z, double* f) {
  ++evaluations_;
  const double* v = velocity_.data();
  for (int i = 0; i < n_; ++i) {
    const Law& law = laws_[i];
    f[i] = damped_force(law.layer, law.dissipation, z[i], v[i]);
    if (law.tangent < 0) continue;
    const double x = v[law.tangent], y = v[law.tangent + 1];
    const double length = std::sqrt(x * x + y * y);
    double share = 0;
    if (f[i] > 0 && length > 0) {
      share = psi_.at(std::hypot(x * law.inverse_friction[0], y * law.inverse_friction[1])) * f[i] / length;
    }
    f[law.tangent] = -share * x;
    f[law.tangent + 1] = -share * y;
  }
}

void CompliantImpact::derivative(const double* state, double* rate) {
  set_velocity(state + n_);
  for (int i = 0; i < n_; ++i) rate[i] = -velocity_[i];
  forces(state, rate + n_);
  for (Spring& spring : springs_) {
    const std::ptrdiff_t at = n_ + m_ + 2 * (&spring - springs_.data());
    shear(spring, state[spring.contact], state + at, rate + n_, rate + at);
  }
}

/// Force of a contact with a spring of deflection d, in place of the one without, and the rate of d.
void CompliantImpact::shear(Spring& spring, double z, const double* d, double* f, double* rate) {
  const Law& law = laws_[spring.contact];
  const double* v = velocity_.data();
  const Eigen::Vector2d inverse(law.inverse_friction[0], law.inverse_friction[1]);
  const Eigen::Vector2d slip = inverse.cwiseProduct(Eigen::Vector2d(v[law.tangent], v[law.tangent + 1]));
  Eigen::Map<Eigen::Vector2d> d_rate(rate);
  spring.sheared = {};
  d_rate.setZero();
  if (z < 0 || (z == 0 && v[spring.contact] >= 0)) return;
  d_rate = slip;
  if (z == 0) return;
  ShearedSurfaces surfaces{law.layer, law.dissipation, spring.material};
  surfaces.quickest = most_turning * std::sqrt(law.layer.slope(z) * rows_.matrix()[spring.contact * (m_ + 1)]);
  const double share = psi_.at(std::max(slip.norm(), psi_.transition));  // as friction_of_spring
  for (int axis = 0; axis < 2; ++axis) surfaces.friction[axis] = inverse[axis] > 0 ? share / inverse[axis] : 0;
  spring.sheared = sheared_layer(surfaces, z, {slip[0], slip[1], v[spring.contact]}, {d[0], d[1]});
  spring.farthest = std::max(spring.farthest, spring.sheared.beyond);
  d_rate = spring.sheared.rate;
  f[spring.contact] = spring.sheared.force[2];
  for (int axis = 0; axis < 2; ++axis) f[law.tangent + axis] = inverse[axis] * spring.sheared.force[axis];
}

/// From state_, whose rate is k1_; next_ is set. Returns the error over what is allowed.
double CompliantImpact::try_step(double h) {
  return integrator_ == CompliantIntegrator::runge_kutta_merson ? try_merson(h) : try_doubled(h);
}

/// Merson's five stages.
double CompliantImpact::try_merson(double h) {
  const double *y = state_.data(), *k1 = k1_.data();
  double *s = stage_.data(), *k3 = k3_.data(), *k4 = k4_.data(), *k5 = k5_.data(), *k2 = k3;
  for (int i = 0; i < size_; ++i) s[i] = y[i] + h / 3 * k1[i];
  derivative(s, k2);
  for (int i = 0; i < size_; ++i) s[i] = y[i] + h / 6 * (k1[i] + k2[i]);
  derivative(s, k3);
  for (int i = 0; i < size_; ++i) s[i] = y[i] + h / 8 * (k1[i] + 3 * k3[i]);
  derivative(s, k4);
  for (int i = 0; i < size_; ++i) s[i] = y[i] + h / 2 * (k1[i] - 3 * k3[i] + 4 * k4[i]);
  derivative(s, k5);
  double worst = 0;
  for (int i = 0; i < size_; ++i) {
    next_[i] = y[i] + h / 6 * (k1[i] + 4 * k4[i] + k5[i]);
    const double error = h / 30 * (2 * k1[i] - 9 * k3[i] + 8 * k4[i] - k5[i]);
    worst = std::max(worst, std::abs(error) * weight_[i]);
  }
  return is_finite(next_) ? worst : INFINITY;
}

/// A step of Euler's, and two of half its length. To first order, the difference of the two is the error left in the
/// second.
double CompliantImpact::try_doubled(double h) {
  const int size = n_ + m_;
  double *whole = stage_.data(), *half = k3_.data(), *rate = k4_.data();
  // Guesses of an implicit step: where it starts, then on the way to where the last one led.
  for (int i = 0; i < size; ++i) whole[i] = state_[i];
  if (!euler_step(state_.data(), k1_.data(), h, whole)) return INFINITY;
  for (int i = 0; i < size; ++i) half[i] = 0.5 * (state_[i] + whole[i]);
  if (!euler_step(state_.data(), k1_.data(), h / 2, half)) return INFINITY;
  if (integrator_ == CompliantIntegrator::semi_explicit_euler) forces(half, rate + n_);  // velocity_ is that of half
  for (int i = 0; i < size; ++i) next_[i] = whole[i];
  if (!euler_step(half, rate, h / 2, next_.data())) return INFINITY;
  double worst = 0;
  for (int i = 0; i < size; ++i) {
    const double error = next_[i] - whole[i];
    worst = std::max(worst, std::abs(error) * weight_[i]);
    if (extrapolate_) next_[i] += error;
  }
  return is_finite(next_) ? worst : INFINITY;
}

/// rate: that of `from`, whose impulses' part is read by the semi-explicit rule. `to` holds a guess and then the step's
/// end, velocity_ its velocity. False if there is none to be found.
bool CompliantImpact::euler_step(const double* from, const double* rate, double h, double* to) {
  if (integrator_ == CompliantIntegrator::implicit_euler) return implicit_step(from, h, to);
  for (int i = n_; i < n_ + m_; ++i) to[i] = from[i] + h * rate[i];
  set_velocity(to + n_);
  for (int i = 0; i < n_; ++i) to[i] = from[i] - h * velocity_[i];
  return true;
}

bool CompliantImpact::implicit_step(const double* from, double h, double* to) {
  double* f = k5_.data();
  const auto compress = [&] {
    set_velocity(to + n_);
    for (int i = 0; i < n_; ++i) to[i] = from[i] - h * velocity_[i];
  };
  for (int iteration = 0; iteration < newton_limit; ++iteration) {
    compress();
    forces(to, f);
    fill_jacobian(h, to, f);
    for (int i = 0; i < m_; ++i) miss_[i] = to[n_ + i] - from[n_ + i] - h * f[i];
    lu_.compute(jacobian_);
    correction_ = lu_.solve(miss_);
    double largest = 0;
    for (int i = 0; i < m_; ++i) {
      to[n_ + i] -= correction_[i];
      largest = std::max(largest, std::abs(correction_[i]) * weight_[n_ + i]);
    }
    if (!correction_.allFinite()) return false;
    if (largest > newton_tolerance_) continue;
    compress();
    return true;
  }
  return false;
}

CompliantImpact::Response CompliantImpact::response(const Law& law, int contact, double z, double h,
                                                    const double* f) const {
  const double* v = velocity_.data();
  Response R = Response::Zero();
  if (!(f[contact] > 0)) return R;
  const double elastic = law.layer.force(z), damping = 1 - 1.5 * law.dissipation * v[contact];
  // f_n = K z^η (1 − (3/2) c u_n) with z = z₀ − h u_n
  R(0, 0) = -1.5 * law.dissipation * elastic - h * law.layer.exponent * elastic / z * damping;
  if (law.tangent < 0) return R;
  const Eigen::Vector2d t(v[law.tangent], v[law.tangent + 1]);
  const double length = t.norm();
  if (!(length > 0)) return R;
  const Eigen::Vector2d axes(law.inverse_friction[0], law.inverse_friction[1]);
  const double slip = t.cwiseProduct(axes).norm(), share = psi_.at(slip), slope = psi_.slope(slip);
  const Eigen::Vector2d along = t / length;
  R.col(0).tail<2>() = -share * along * R(0, 0);
  // −f_n ψ(‖slip‖) t / ‖t‖
  const Eigen::Vector2d slip_gradient = t.cwiseProduct(axes).cwiseProduct(axes) / (slip > 0 ? slip : 1);
  R.bottomRightCorner<2, 2>() =
      -f[contact] * (slope * along * slip_gradient.transpose() +
                     share / length * (Eigen::Matrix2d::Identity() - along * along.transpose()));
  return R;
}

/// 1 − h R A.
void CompliantImpact::fill_jacobian(double h, const double* z, const double* f) {
  jacobian_.setIdentity(m_, m_);
  const Eigen::Map<const Eigen::MatrixXd> B(rows_.matrix(), m_, m_);
  for (int i = 0; i < n_; ++i) {
    const Law& law = laws_[i];
    const Response R = response(law, i, z[i], h, f);
    const int row[3] = {i, law.tangent, law.tangent + 1};
    const int count = law.tangent < 0 ? 1 : 3;
    for (int j = 0; j < m_; ++j) {
      for (int a = 0; a < count; ++a) {
        double sum = 0;
        for (int b = 0; b < count; ++b) sum += R(a, b) * B(row[b], j);
        jacobian_(row[a], j) -= h * sum;
      }
    }
  }
}

}  // namespace carom
