#include "carom/stepper/quasi_rigid/contact_law.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/stepper/quasi_rigid/layer_deflection.h"

namespace carom {
namespace {

constexpr int torsion = 2;                    // among the axes t, o, r of friction
constexpr int impulse_row[] = {0, 1, 3};      // of an axis in (p_t, p_o, p_n, p_r)
constexpr int velocity_column[] = {1, 2, 4};  // of an axis in (d, u_t, u_o, u_n, w)

}  // namespace

ContactLaw::ContactLaw(const Vec3& friction, const std::optional<Layer>& layer_a, const std::optional<Layer>& layer_b,
                       SlipKinematics kinematics, const Scale& scale, double share)
    : friction_(friction),
      layers_{layer_a, layer_b},
      kinematics_(kinematics),
      impulse_scale_(scale.mass * scale.speed) {
  for (int axis = 0; axis < 3; ++axis) {
    if (friction[axis] > 0) axis_[axes_++] = axis;
  }
  for (std::optional<Layer>& layer : layers_) {
    if (!layer) continue;
    layer->stiffness *= share;
    layer->damping *= share;
    if (layer->kind != LayerKind::kelvin_voigt) exponent_ = std::max(exponent_, layer->exponent);
  }
  mobility_ = Vec3(1, 1, 1 / (scale.length * scale.length)) / scale.mass;
}

/// ρ: one over the largest change of ŝ by p̂, of bodies and of layers that give way, so that p̂ and ρ ŝ are comparable.
double ContactLaw::rho(double h) const {
  Vec3 mobility = mobility_;
  if (kinematics_ == SlipKinematics::of_layers) {
    for (const auto& layer : layers_) {
      if (!layer || !layer->sideways) continue;
      const Mat3 S = (h * layer->stiffness + layer->damping).inverse();
      mobility.head<2>() += S.diagonal().head<2>() / h;
    }
  }
  return 1 / friction_.cwiseAbs2().dot(mobility);
}

double ContactLaw::lower(int i) const { return i == 0 ? 0 : -std::numeric_limits<double>::infinity(); }

double ContactLaw::greatest_deflection() const {
  double sum = 0;
  for (const auto& layer : layers_) sum += layer ? layer->thickness : 0;
  return sum;
}

NormalImpulse ContactLaw::normal(const Eigen::Ref<const VectorX>& z) const {
  return {std::max(0.0, z[0]), exponent_, impulse_scale_};
}

Eigen::Vector4d ContactLaw::impulse(const Eigen::Ref<const VectorX>& z) const {
  Eigen::Vector4d p(0, 0, normal(z).value(), 0);
  for (int i = 0; i < axes_; ++i) p[impulse_row[axis_[i]]] = friction_[axis_[i]] * z[1 + i];
  return p;
}

void ContactLaw::unknowns(const Eigen::Vector4d& impulse, Eigen::Ref<VectorX> z) const {
  const double p = std::max(0.0, impulse[2]);
  z[0] = exponent_ == 1 ? p : impulse_scale_ * std::pow(p / impulse_scale_, 1 / exponent_);
  for (int i = 0; i < axes_; ++i) z[1 + i] = impulse[impulse_row[axis_[i]]] / friction_[axis_[i]];
  const double length = z.segment(1, axes_).norm();
  if (length > p) z.segment(1, axes_) *= p / length;
}

ContactLaw::Pressed ContactLaw::press(const ContactInput& input, const Eigen::Vector4d& p,
                                      const NormalImpulse& normal) const {
  Pressed pressed;
  for (std::size_t side = 0; side < layers_.size(); ++side) {
    if (!layers_[side]) continue;
    pressed.sides[side] = layer_deflection(*layers_[side], input.h, input.start.of[side], p.head<2>(), normal);
    pressed.delta += pressed.sides[side].delta;
    pressed.slope += pressed.sides[side].slope;
  }
  return pressed;
}

Vec3 ContactLaw::slip(const ContactInput& input, const Vec3& delta) const {
  Vec3 s(input.velocity[0], input.velocity[1], input.velocity[3]);
  if (kinematics_ == SlipKinematics::of_layers) s.head<2>() += (delta - input.start.total()).head<2>() / input.h;
  return s;
}

ContactRows ContactLaw::rows(const ContactInput& input, const Eigen::Ref<const VectorX>& z) const {
  ContactRows rows;
  const NormalImpulse q = normal(z);
  rows.impulse = impulse(z);
  const double p_n = rows.impulse[2], p_slope = q.slope();
  rows.impulse_by_z(2, 0) = p_slope;
  for (int i = 0; i < axes_; ++i) rows.impulse_by_z(impulse_row[axis_[i]], 1 + i) = friction_[axis_[i]];

  const Pressed pressed = press(input, rows.impulse, q);
  // ∂δ/∂z: the columns of `slope` are those of p_t, p_o and q.
  Eigen::Matrix<double, 3, 4> by_z = Eigen::Matrix<double, 3, 4>::Zero();
  by_z.col(0) = pressed.slope.col(2);
  for (int i = 0; i < axes_; ++i) {
    if (axis_[i] != torsion) by_z.col(1 + i) = friction_[axis_[i]] * pressed.slope.col(axis_[i]);
  }
  rows.F[0] = input.gap + pressed.delta[2];
  rows.F_by_motion(0, 0) = 1;
  rows.F_by_z.row(0) = by_z.row(2);
  if (axes_ > 0) add_friction(input, z, pressed.delta, by_z, p_n, p_slope, rows);
  return rows;
}

void ContactLaw::add_friction(const ContactInput& input, const Eigen::Ref<const VectorX>& z, const Vec3& delta,
                              const Eigen::Matrix<double, 3, 4>& delta_by_z, double p_n, double p_slope,
                              ContactRows& rows) const {
  const Vec3 s = slip(input, delta);
  const double rho = this->rho(input.h);
  Vec3 pull = Vec3::Zero(), y = Vec3::Zero();  // ρ ŝ, and p̂ − ρ ŝ
  Eigen::Matrix<double, 3, 5> pull_by_motion = Eigen::Matrix<double, 3, 5>::Zero();
  Eigen::Matrix<double, 3, 4> pull_by_z = Eigen::Matrix<double, 3, 4>::Zero(), y_by_z;
  for (int i = 0; i < axes_; ++i) {
    const int axis = axis_[i];
    const double factor = rho * friction_[axis];
    pull[i] = factor * s[axis];
    y[i] = z[1 + i] - pull[i];
    pull_by_motion(i, velocity_column[axis]) = factor;
    if (axis != torsion && kinematics_ == SlipKinematics::of_layers) {
      pull_by_z.row(i) = factor / input.h * delta_by_z.row(axis);
    }
  }
  y_by_z = -pull_by_z;
  for (int i = 0; i < axes_; ++i) y_by_z(i, 1 + i) += 1;
  const double length = y.norm();
  const auto n = axes_;
  if (length <= p_n) {  // sticks: p̂ − y
    rows.F.segment(1, n) = pull.head(n);
    rows.F_by_motion.middleRows(1, n) = pull_by_motion.topRows(n);
    rows.F_by_z.middleRows(1, n) = pull_by_z.topRows(n);
    return;
  }
  const Vec3 direction = y / length;
  const Mat3 turn = p_n / length * (Mat3::Identity() - direction * direction.transpose());
  rows.F.segment(1, n) = z.segment(1, n) - p_n * direction.head(n);
  rows.F_by_motion.middleRows(1, n) = (turn * pull_by_motion).topRows(n);
  rows.F_by_z.middleRows(1, n) = -(turn * y_by_z).topRows(n);
  rows.F_by_z.block(1, 0, n, 1) -= p_slope * direction.head(n);
  for (int i = 0; i < n; ++i) rows.F_by_z(1 + i, 1 + i) += 1;
}

LayerDeflections ContactLaw::end(const ContactInput& input, const Eigen::Ref<const VectorX>& z) const {
  const Pressed pressed = press(input, impulse(z), normal(z));
  return {{pressed.sides[0].delta, pressed.sides[1].delta}};
}

ContactOutcome ContactLaw::outcome(const ContactInput& input, const Eigen::Ref<const VectorX>& z, double slow) const {
  ContactOutcome outcome;
  const Eigen::Vector4d p = impulse(z);
  const Pressed pressed = press(input, p, normal(z));
  const bool normal_alone = kinematics_ == SlipKinematics::of_bodies;
  outcome.end = {{pressed.sides[0].delta, pressed.sides[1].delta}};
  outcome.slip = slip(input, pressed.delta);
  outcome.stored_start = stored(input.start);
  outcome.stored_end = stored(outcome.end);
  for (std::size_t side = 0; side < layers_.size(); ++side) {
    if (!layers_[side]) continue;
    const LayerLoss loss =
        layer_loss(*layers_[side], input.h, input.start.of[side], outcome.end.of[side], normal_alone);
    outcome.damped += loss.damped;
    outcome.rounded_off += loss.rounded_off;
  }
  outcome.core_impulse = p[2];
  outcome.on_core = p[2] > 0;
  for (std::size_t side = 0; side < layers_.size(); ++side) {
    if (!layers_[side]) continue;
    outcome.core_impulse = std::min(outcome.core_impulse, pressed.sides[side].core);
    outcome.on_core = outcome.on_core && pressed.sides[side].core > 0;
  }
  outcome.spring_impulse = p[2] - outcome.core_impulse;
  if (!(p[2] > 0)) return outcome;
  outcome.rubbed = -(p[0] * outcome.slip[0] + p[1] * outcome.slip[1] + p[3] * outcome.slip[2]);
  const double widest = friction_.head<2>().maxCoeff();
  outcome.slides = outcome.slip.head<2>().norm() > slow;
  const double edge = widest > 0 ? friction_[torsion] / widest : 1;
  outcome.spins = friction_[torsion] > 0 && std::abs(outcome.slip[2]) * edge > slow;
  outcome.mode = outcome.slides || outcome.spins ? ElementMode::slips : ElementMode::sticks;
  return outcome;
}

double ContactLaw::stored(const LayerDeflections& memory) const {
  double energy = 0;
  for (std::size_t side = 0; side < layers_.size(); ++side) {
    if (layers_[side]) {
      energy += layer_energy(*layers_[side], memory.of[side], kinematics_ == SlipKinematics::of_bodies);
    }
  }
  return energy;
}

}  // namespace carom
