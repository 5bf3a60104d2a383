#include "carom/certificate/layer_condition.h"

#include <algorithm>
#include <cmath>

#include "carom/complementarity/worse_of.h"

namespace carom {
namespace {

/// p_s of the springs and dampers.
Vec3 spring_impulse(const Layer& layer, double h, const PressedLayer& pressed) {
  const Mat3 K = pressed.share * layer.stiffness, C = pressed.share * layer.damping;
  const Vec3 change = pressed.end - pressed.start;
  const bool linear = layer.kind == LayerKind::kelvin_voigt;
  Vec3 p = Vec3::Zero();
  if (linear && layer.sideways) return h * K * pressed.end + C * change;
  if (layer.sideways) {
    p.head<2>() = h * K.topLeftCorner<2, 2>() * pressed.end.head<2>() + C.topLeftCorner<2, 2>() * change.head<2>();
  }
  const double c = layer.kind == LayerKind::hunt_crossley ? layer.dissipation : 0;
  p.z() = linear ? h * K(2, 2) * pressed.end.z() + C(2, 2) * change.z()
                 : K(2, 2) * std::pow(std::max(0.0, pressed.end.z()), layer.exponent) * (h + 1.5 * c * change.z());
  return p;
}

}  // namespace

double layer_residual(const Layer& layer, double h, const PressedLayer& pressed, const Vec3& p, double impulse,
                      double length) {
  const Vec3 left = p - spring_impulse(layer, h, pressed);
  const double sideways = layer.sideways ? left.head<2>().norm() / impulse : pressed.end.head<2>().norm() / length;
  const double room = layer.thickness - pressed.slack - pressed.end.z();
  double residual = worse_of(sideways, std::abs(std::min(left.z() / impulse, room / length)));
  if (layer.kind == LayerKind::kelvin_voigt) return residual;
  const double back = layer.kind == LayerKind::hunt_crossley && layer.dissipation > 0
                          ? pressed.start.z() - h / (1.5 * layer.dissipation)
                          : 0;
  residual = worse_of(residual, std::max(0.0, std::max(0.0, back) - pressed.end.z()) / length);
  return residual;
}

}  // namespace carom
