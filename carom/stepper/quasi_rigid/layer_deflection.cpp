#include "carom/stepper/quasi_rigid/layer_deflection.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "carom/impact/elastic_layer.h"

namespace carom {
namespace {

constexpr int n = 2;  // the normal's place in (t, o, n)

struct Root {
  double value = 0, slope = 0;
};

/// Fully coupled springs and dampers.
LayerDeflection coupled(const Layer& layer, double h, const Vec3& start, const Vec3& p, double p_slope) {
  LayerDeflection result;
  const Mat3 S = (h * layer.stiffness + layer.damping).inverse();
  result.delta = S * (p + layer.damping * start);
  result.slope = S;
  const double beyond = result.delta[n] - layer.thickness;
  if (beyond > 0) {
    const Vec3 column = S.col(n) / S(n, n);
    result.core = beyond / S(n, n);
    result.delta -= column * beyond;
    result.delta[n] = layer.thickness;
    result.slope -= column * S.row(n);
    result.slope.row(n).setZero();
    result.slope.col(n).setZero();
  }
  result.slope.col(n) *= p_slope;
  return result;
}

/// Along the surface, on its own.
void deflect_sideways(const Layer& layer, double h, const Vec3& start, const Eigen::Vector2d& p,
                      LayerDeflection& result) {
  const Mat2 K = layer.stiffness.topLeftCorner<2, 2>(), C = layer.damping.topLeftCorner<2, 2>();
  const Mat2 S = (h * K + C).inverse();
  result.delta.head<2>() = S * (p + C * start.head<2>());
  result.slope.topLeftCorner<2, 2>() = S;
}

/// δ of h K δ^η = p, by q.
Root elastic_root(double hK, double exponent, const NormalImpulse& p) {
  const double power = p.exponent / exponent, at_scale = std::pow(p.scale / hK, 1 / exponent), x = p.q / p.scale;
  return {at_scale * std::pow(x, power), at_scale * power * std::pow(x, power - 1) / p.scale};
}

/// The greatest δ ≥ 0 with K δ^η (a δ + b) = p. Needs p ≥ 0, a > 0; b = h − a δ₀ may be negative.
double damped_root(double K, double exponent, double a, double b, double p) {
  const double rest = std::max(0.0, -b / a);
  if (!(p > 0)) return rest;
  // Above the root: every one of these leaves out a positive part of the product.
  double above = rest + std::pow(p / (K * a), 1 / (exponent + 1));
  if (b > 0) above = std::min(above, std::pow(p / (K * b), 1 / exponent));
  if (rest > 0) above = std::min(above, rest + p / (K * a * std::pow(rest, exponent)));
  constexpr int most = 60;
  for (int i = 0; i < most; ++i) {
    const double power = K * std::pow(above, exponent - 1), line = b < 0 ? a * (above - rest) : a * above + b;
    const double step = (power * above * line - p) / (power * (exponent * line + a * above));
    const double next = std::max(rest, above - step);
    if (!(next < above)) break;
    above = next;
  }
  return above;
}

Root hunt_crossley_root(const Layer& layer, double h, double start, const NormalImpulse& p) {
  const double K = layer.stiffness(n, n), a = 1.5 * layer.dissipation, b = h - a * start, eta = layer.exponent;
  if (a == 0) return elastic_root(h * K, eta, p);
  Root root{damped_root(K, eta, a, b, p.value()), 0};
  // At the beginning of contact the slope is a limit, of a root so near to it that the force is a power of δ.
  constexpr double beginning = 1e-9;
  NormalImpulse at = p;
  at.q = std::max(p.q, beginning * p.scale);
  const double delta = at.q == p.q ? root.value : damped_root(K, eta, a, b, at.value());
  root.slope = at.slope() / (K * std::pow(delta, eta - 1) * (eta * (a * delta + b) + a * delta));
  return root;
}

}  // namespace

double NormalImpulse::value() const { return exponent == 1 ? q : scale * std::pow(q / scale, exponent); }

double NormalImpulse::slope() const { return exponent == 1 ? 1 : exponent * std::pow(q / scale, exponent - 1); }

LayerDeflection layer_deflection(const Layer& layer, double h, const Vec3& start, const Eigen::Vector2d& tangential,
                                 const NormalImpulse& normal) {
  const double p = normal.value(), K = layer.stiffness(n, n), C = layer.damping(n, n);
  const bool linear = layer.kind == LayerKind::kelvin_voigt;
  if (linear && layer.sideways) {
    return coupled(layer, h, start, Vec3(tangential.x(), tangential.y(), p), normal.slope());
  }
  LayerDeflection result;
  if (layer.sideways) deflect_sideways(layer, h, start, tangential, result);
  Root root;
  switch (layer.kind) {
    case LayerKind::kelvin_voigt:
      root = {(p + C * start[n]) / (h * K + C), normal.slope() / (h * K + C)};
      break;
    case LayerKind::hertz:
      root = elastic_root(h * K, layer.exponent, normal);
      break;
    case LayerKind::hunt_crossley:
      root = hunt_crossley_root(layer, h, start[n], normal);
      break;
  }
  if (root.value > layer.thickness) {
    const double bound = layer.thickness, change = bound - start[n];
    const ElasticLayer spring{.stiffness = K, .exponent = layer.exponent};
    result.core =
        p - (linear ? h * K * bound + C * change : spring.force(bound) * (h + 1.5 * layer.dissipation * change));
    root = {bound, 0};
  }
  result.delta[n] = root.value;
  result.slope(n, n) = root.slope;
  return result;
}

double layer_energy(const Layer& layer, const Vec3& delta, bool normal_alone) {
  const bool linear = layer.kind == LayerKind::kelvin_voigt;
  const Vec3 along = linear && !normal_alone && layer.sideways ? delta : Vec3(0, 0, linear ? delta[n] : 0);
  double energy = 0.5 * along.dot(layer.stiffness * along);
  if (linear) return energy;
  if (layer.sideways && !normal_alone) {
    energy += 0.5 * delta.head<2>().dot(layer.stiffness.topLeftCorner<2, 2>() * delta.head<2>());
  }
  return energy + ElasticLayer{.stiffness = layer.stiffness(n, n), .exponent = layer.exponent}.energy(delta[n]);
}

LayerLoss layer_loss(const Layer& layer, double h, const Vec3& start, const Vec3& end, bool normal_alone) {
  const bool linear = layer.kind == LayerKind::kelvin_voigt;
  Vec3 change = end - start;
  const double normal = change[n];
  if (normal_alone || !layer.sideways) change.head<2>().setZero();
  if (!linear) change[n] = 0;
  LayerLoss loss{change.dot(layer.damping * change) / h, 0.5 * change.dot(layer.stiffness * change)};
  if (linear) return loss;
  const ElasticLayer spring{.stiffness = layer.stiffness(n, n), .exponent = layer.exponent};
  const double force = spring.force(end[n]);
  if (layer.kind == LayerKind::hunt_crossley) loss.damped += force * 1.5 * layer.dissipation * normal * normal / h;
  loss.rounded_off += std::max(0.0, force * normal - spring.energy(end[n]) + spring.energy(start[n]));
  return loss;
}

}  // namespace carom
