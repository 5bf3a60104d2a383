#include "carom/import/relaxed_inertia.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "carom/numerics/symmetric_spectrum.h"

namespace carom {

std::optional<SpatialInertia> nearest_inertia(const SpatialInertia& inertia) {
  constexpr double least_share = 1e-6, round_off = 1e-9;
  const Mat3& I = inertia.central;
  if (!std::isfinite(inertia.mass) || !(inertia.mass > 0) || !inertia.center.allFinite() || !I.allFinite()) return {};
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > round_off * I.cwiseAbs().maxCoeff()) return {};
  const Mat3 sigma = 0.5 * I.trace() * Mat3::Identity() - I;
  const ThreeSpectrum principal = three_spectrum(sigma);
  Vec3 moments = principal.values;
  if (!(moments[2] > 0)) return {};
  moments = moments.cwiseMax(least_share * moments[2]);
  const Mat3 nearest = principal.vectors * moments.asDiagonal() * principal.vectors.transpose();
  SpatialInertia relaxed = inertia;
  relaxed.central = moments.sum() * Mat3::Identity() - 0.5 * (nearest + nearest.transpose());
  return relaxed;
}

std::string told_of_nearest(const SpatialInertia& given, const SpatialInertia& nearest) {
  const Mat3& I = nearest.central;
  const double scale = given.central.cwiseAbs().maxCoeff();
  const double change = 100 * (I - given.central).cwiseAbs().maxCoeff() / scale;
  std::ostringstream text;
  text.precision(6);
  text << "ixx " << I(0, 0) << ", ixy " << I(0, 1) << ", ixz " << I(0, 2) << ", iyy " << I(1, 1) << ", iyz " << I(1, 2)
       << ", izz " << I(2, 2) << " about its mass centre";
  text.precision(3);
  text << ", a change of " << change << " % of the largest entry";
  return text.str();
}

}  // namespace carom
