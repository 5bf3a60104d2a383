#include "carom/spatial/inertia.h"

#include <cmath>
#include <sstream>

#include "carom/numerics/symmetric_spectrum.h"

namespace carom {

Mat6 SpatialInertia::matrix() const {
  const Mat3 c = skew(center);
  Mat6 I;
  I << central + mass * c * c.transpose(), mass * c, mass * c.transpose(), mass * Mat3::Identity();
  return I;
}

SpatialInertia SpatialInertia::operator+(const SpatialInertia& other) const {
  const double total = mass + other.mass;
  if (total == 0) return {0, center, central + other.central};
  SpatialInertia sum;
  sum.mass = total;
  sum.center = (mass * center + other.mass * other.center) / total;
  const auto about_sum = [&](const SpatialInertia& part) -> Mat3 {
    const Mat3 d = skew(part.center - sum.center);
    return part.central + part.mass * d * d.transpose();
  };
  sum.central = about_sum(*this) + about_sum(other);
  return sum;
}

SpatialInertia SpatialInertia::in(const Transform& X_AB) const {
  return {mass, X_AB * center, X_AB.R * central * X_AB.R.transpose()};
}

std::string inertia_fault(const SpatialInertia& inertia) {
  std::ostringstream fault;
  if (!std::isfinite(inertia.mass) || !inertia.center.allFinite() || !inertia.central.allFinite()) {
    return "has a number that is not finite in its inertia";
  }
  if (!(inertia.mass > 0)) {
    fault << "has mass " << inertia.mass << " kg; a mass must be positive";
    return fault.str();
  }
  const Mat3& I = inertia.central;
  const double scale = I.cwiseAbs().maxCoeff();
  if ((I - I.transpose()).cwiseAbs().maxCoeff() > 1e-9 * scale) return "has an inertia matrix that is not symmetric";
  const Vec3 moments = three_spectrum(I).values;
  if (!(moments[0] >= -1e-14 * moments[2])) {
    fault << "has a principal moment of inertia of " << moments[0] << " kg m²; none may be negative";
    return fault.str();
  }
  if (moments[2] > (moments[0] + moments[1]) * (1 + 1e-6)) {
    fault << "has principal moments of inertia " << moments[0] << ", " << moments[1] << ", " << moments[2]
          << " kg m², which no body can have: the largest may not exceed the sum of the other two";
    return fault.str();
  }
  return {};
}

}  // namespace carom
