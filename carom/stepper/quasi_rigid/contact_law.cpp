#include "carom/stepper/quasi_rigid/contact_law.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

constexpr int torsion = 2;                    // among the axes t, o, r of friction
constexpr int impulse_row[] = {0, 1, 3};      // of an axis in (p_t, p_o, p_n, p_r)
constexpr int velocity_column[] = {1, 2, 4};  // of an axis in (d, u_t, u_o, u_n, w)

/// ∂(p_t, p_o, q)/∂z, which deflections are functions of.
Eigen::Matrix<double, 3, ContactRows::most> by_unknowns(const ContactRows& rows) {
  Eigen::Matrix<double, 3, ContactRows::most> slope = rows.impulse_by_z.topRows<3>();
  slope.row(2).setZero();
  slope(2, 0) = 1;
  return slope;
}

/// Fixes c where nothing slips and nothing presses: a = e / (1 + e / speed) with e = g² / (g + w). Derivatives are by
/// g ≥ 0 and w ≥ 0, both m/s.
struct Ease {
  double value = 0, by_gap = 0, by_impulse = 0;
};
Ease ease(double g, double w, double speed) {
  if (!(g > 0)) return {};
  const double sum = g + w, e = g * g / sum, bounded = 1 / (1 + e / speed), slope = bounded * bounded;
  return {e * bounded, slope * (g / sum) * (1 + w / sum), -slope * (g / sum) * (g / sum)};
}

}  // namespace

ContactLaw::ContactLaw(const Vec3& friction, const std::optional<Layer>& layer_a, const std::optional<Layer>& layer_b,
                       SlipKinematics kinematics, const Scale& scale, double share)
    : friction_(friction),
      layers_{layer_a, layer_b},
      kinematics_(kinematics),
      mass_(scale.mass),
      speed_(scale.speed),
      length_(scale.length),
      widest_(Vec3(friction[0], friction[1], friction[torsion] / scale.length).maxCoeff()) {
  for (int axis = 0; axis < 3; ++axis) {
    if (friction[axis] > 0) axis_[axes_++] = axis;
  }
  for (std::optional<Layer>& layer : layers_) {
    if (!layer) continue;
    layer->stiffness *= share;
    layer->damping *= share;
    if (layer->kind != LayerKind::kelvin_voigt) exponent_ = std::max(exponent_, layer->exponent);
  }
}

double ContactLaw::lower(int i) const {
  return i == 0 || i == 1 + axes_ ? 0 : -std::numeric_limits<double>::infinity();
}

double ContactLaw::unknown_size(int i) const {
  if (i == 0) return mass_ * speed_;
  if (i == 1 + axes_) return speed_;
  // Friction as large as the normal impulse matters, which is little of the cone if friction is great.
  const int axis = axis_[i - 1];
  return 1 / std::max(1.0, axis == torsion ? friction_[axis] / length_ : friction_[axis]);
}

double ContactLaw::greatest_deflection() const {
  double sum = slack();
  for (const auto& layer : layers_) sum += layer ? layer->thickness : 0;
  return sum;
}

void ContactLaw::set_slack(double slack_a, double slack_b) {
  const std::array<double, 2> slack{slack_a, slack_b};
  for (std::size_t side = 0; side < layers_.size(); ++side) {
    if (layers_[side]) layers_[side]->thickness += slack_[side] - slack[side];
  }
  slack_ = slack;
}

NormalImpulse ContactLaw::normal(const Eigen::Ref<const VectorX>& z) const {
  return {std::max(0.0, z[0]), exponent_, mass_ * speed_};
}

Eigen::Vector4d ContactLaw::impulse(const Eigen::Ref<const VectorX>& z) const {
  const double p_n = normal(z).value();
  Eigen::Vector4d p(0, 0, p_n, 0);
  for (int i = 0; i < axes_; ++i) p[impulse_row[axis_[i]]] = acting_ * p_n * friction_[axis_[i]] * z[1 + i];
  return p;
}

void ContactLaw::unknowns(const Eigen::Vector4d& impulse, const Eigen::Vector4d& velocity,
                          Eigen::Ref<VectorX> z) const {
  // If nothing presses and nothing slips, rows have no slope by c and σ; Newton's method starts off that point.
  constexpr double least_q = 1e-6, least_slip = 1e-3;
  const double p = std::max(0.0, impulse[2]), scale = mass_ * speed_;
  z.setZero();
  z[0] = std::max(least_q * scale, exponent_ == 1 ? p : scale * std::pow(p / scale, 1 / exponent_));
  if (axes_ == 0) return;
  double square = 0;
  for (int i = 0; i < axes_; ++i) {
    const double slip = friction_[axis_[i]] / widest_ * velocity[impulse_row[axis_[i]]];
    square += slip * slip;
    if (p > 0) z[1 + i] = impulse[impulse_row[axis_[i]]] / (friction_[axis_[i]] * p);
  }
  const double used = z.segment(1, axes_).norm();
  if (used > 1) z.segment(1, axes_) /= used;
  z[1 + axes_] = std::max(least_slip * speed_, std::sqrt(square));
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
  const double p_n = q.value(), p_slope = q.slope();
  rows.impulse = impulse(z);
  rows.impulse_by_z(2, 0) = p_slope;
  for (int i = 0; i < axes_; ++i) {
    const int row = impulse_row[axis_[i]];
    const double friction = acting_ * friction_[axis_[i]];
    rows.impulse_by_z(row, 0) = p_slope * friction * z[1 + i];
    rows.impulse_by_z(row, 1 + i) = p_n * friction;
  }
  const Pressed pressed = press(input, rows.impulse, q);
  const double give = creep_ * input.h / mass_;
  rows.F[0] = input.gap + pressed.delta[2] + give * p_n;
  rows.F_by_motion(0, 0) = 1;
  rows.F_by_z.row(0) = pressed.slope.row(2) * by_unknowns(rows);
  rows.F_by_z(0, 0) += give * p_slope;
  if (axes_ > 0) add_friction(input, z, pressed, rows);
  return rows;
}

void ContactLaw::add_friction(const ContactInput& input, const Eigen::Ref<const VectorX>& z, const Pressed& pressed,
                              ContactRows& rows) const {
  const Vec3 s = slip(input, pressed.delta);
  const int last = 1 + axes_;
  const double h = input.h;
  const Ease held = ease(rows.F[0] / h, std::max(0.0, z[0]) / mass_, speed_);
  const double sigma = z[last] + held.value;
  const bool of_layers = kinematics_ == SlipKinematics::of_layers;
  const Eigen::Matrix<double, 3, ContactRows::most> delta_by_z = pressed.slope * by_unknowns(rows);
  for (int i = 0; i < axes_; ++i) {
    const int axis = axis_[i], row = 1 + i;
    const double part = friction_[axis] / widest_, c = z[row];
    const double creep = creep_ / (axis == torsion ? mass_ * length_ * length_ : mass_);
    rows.F[row] = part * (s[axis] + creep * rows.impulse[impulse_row[axis]]) + sigma * c;
    rows.F_by_motion(row, velocity_column[axis]) = part;
    rows.F_by_motion(row, 0) = held.by_gap / h * c;
    if (of_layers && axis != torsion) rows.F_by_z.row(row) = part / h * delta_by_z.row(axis);
    rows.F_by_z.row(row) += part * creep * rows.impulse_by_z.row(impulse_row[axis]);
    rows.F_by_z.row(row) += held.by_gap / h * c * rows.F_by_z.row(0);
    rows.F_by_z(row, 0) += held.by_impulse / mass_ * c;
    rows.F_by_z(row, row) += sigma;
    rows.F_by_z(row, last) = c;
    rows.F_by_z(last, row) = -c;
  }
  rows.F[last] = 0.5 * (1 - z.segment(1, axes_).squaredNorm());
}

LayerDeflections ContactLaw::end(const ContactInput& input, const Eigen::Ref<const VectorX>& z) const {
  const Pressed pressed = press(input, impulse(z), normal(z));
  return {{pressed.sides[0].delta, pressed.sides[1].delta}};
}

ElementOutcome ContactLaw::outcome(const ContactInput& input, const Eigen::Ref<const VectorX>& z, double slow) const {
  ElementOutcome outcome;
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
  // A layer that couples directions can pull on its core, which then bears more than p_n.
  outcome.core_impulse = has_layer() ? std::numeric_limits<double>::infinity() : p[2];
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

LayerDeflections ContactLaw::pressed_in(double depth) const {
  LayerDeflections at;
  depth = std::min(depth, greatest_deflection() - slack());
  const auto force = [&](std::size_t side, double delta) {
    const Layer& layer = *layers_[side];
    return layer.stiffness(2, 2) * (layer.kind == LayerKind::kelvin_voigt ? delta : std::pow(delta, layer.exponent));
  };
  if (!layers_[0] || !layers_[1]) {
    at.of[layers_[0] ? 0 : 1].z() = depth;
    return at;
  }
  // Share of A at which its force, which rises with the share, meets that of B, which falls.
  double low = std::max(0.0, depth - layers_[1]->thickness), high = std::min(depth, layers_[0]->thickness);
  constexpr int bisections = 60;
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (low + high);
    (force(0, middle) < force(1, depth - middle) ? low : high) = middle;
  }
  at.of[0].z() = low;
  at.of[1].z() = depth - low;
  return at;
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
