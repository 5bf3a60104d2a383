#include "carom/model/layer.h"

#include <cmath>

#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

bool is_symmetric(const Mat3& matrix) {
  return (matrix - matrix.transpose()).lpNorm<Eigen::Infinity>() <= 1e-12 * matrix.lpNorm<Eigen::Infinity>();
}

bool couples_the_normal(const Mat3& matrix) { return matrix(2, 0) != 0 || matrix(2, 1) != 0; }

void check_matrices(const Layer& layer, std::vector<LayerFault>& faults) {
  if (!is_symmetric(layer.stiffness)) {
    faults.push_back({"stiffness", "must be a symmetric matrix: else the layer would give energy for nothing"});
  } else if (!(three_spectrum(layer.stiffness).values[0] > 0)) {
    faults.push_back({"stiffness", "must be positive, as a matrix positive definite"});
  }
  // Round-off may make the least eigenvalue of a positive semidefinite matrix negative.
  const double rounding = 1e-12 * layer.damping.lpNorm<Eigen::Infinity>();
  if (!is_symmetric(layer.damping) || !(three_spectrum(layer.damping).values[0] >= -rounding)) {
    faults.push_back({"damping", "must not be negative, as a matrix symmetric and positive semidefinite"});
  }
}

}  // namespace

std::vector<LayerFault> layer_faults(const Layer& layer) {
  std::vector<LayerFault> faults;
  if (!layer.stiffness.allFinite() || !layer.damping.allFinite()) {
    return {{layer.stiffness.allFinite() ? "damping" : "stiffness", "must be finite"}};
  }
  if (layer.sideways) {
    check_matrices(layer, faults);
  } else {
    if (!(layer.stiffness(2, 2) > 0)) faults.push_back({"stiffness", "must be positive"});
    if (!(layer.damping(2, 2) >= 0)) faults.push_back({"damping", "must not be negative"});
  }
  if (layer.kind != LayerKind::kelvin_voigt) {
    if (couples_the_normal(layer.stiffness) || couples_the_normal(layer.damping)) {
      faults.push_back({"stiffness", "must not couple the normal with the other directions, but of kind kelvin-voigt"});
    }
    if (layer.damping(2, 2) != 0) {
      faults.push_back({"damping", "along the normal belongs to kind kelvin-voigt; hunt-crossley has dissipation"});
    }
  }
  if (!(std::isfinite(layer.dissipation) && layer.dissipation >= 0)) {
    faults.push_back({"dissipation", "must be finite and not negative"});
  } else if (layer.dissipation != 0 && layer.kind != LayerKind::hunt_crossley) {
    faults.push_back({"dissipation", "belongs to kind hunt-crossley"});
  }
  if (!(std::isfinite(layer.exponent) && layer.exponent >= 1)) {
    faults.push_back({"exponent", "must be finite and at least 1"});
  } else if (layer.exponent != Layer{}.exponent && layer.kind == LayerKind::kelvin_voigt) {
    faults.push_back({"exponent", "belongs to kinds hertz and hunt-crossley"});
  }
  if (!(layer.thickness > 0)) faults.push_back({"thickness", "must be positive; without a layer a body is rigid"});
  if (!(std::isfinite(layer.patch_spacing) && layer.patch_spacing >= 0)) {
    faults.push_back({"patch", "must have a finite, positive spacing"});
  }
  return faults;
}

const std::vector<std::string>& layer_kind_names() {
  static const std::vector<std::string> names{"kelvin-voigt", "hertz", "hunt-crossley"};
  return names;
}

}  // namespace carom
