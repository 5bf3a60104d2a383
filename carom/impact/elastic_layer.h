#pragma once

#include <cmath>

namespace carom {

/// A layer between two bodies at a contact: f = K z^η at the compression z, nothing while z ≤ 0 (apart).
struct ElasticLayer {
  double stiffness = 1;   ///< K > 0, N/m^η
  double exponent = 1.5;  ///< η ≥ 1: 3/2 after Hertz, 1 of a linear spring

  /// N.
  double force(double z) const {
    if (!(z > 0)) return 0;
    if (exponent == 1.5) return stiffness * z * std::sqrt(z);
    if (exponent == 1) return stiffness * z;
    return stiffness * std::pow(z, exponent);
  }
  /// dF/dz, N/m; at z = 0 that of a compression that begins.
  double slope(double z) const {
    if (exponent == 1) return z < 0 ? 0 : stiffness;
    return z > 0 ? exponent * force(z) / z : 0;
  }
  /// Energy stored, K z^(η + 1) / (η + 1), J.
  double energy(double z) const { return z > 0 ? force(z) * z / (exponent + 1) : 0; }
  /// Compression at which a mass 1 / a that meets the layer with the speed s comes to rest, m. All of its energy ½ s² /
  /// a is then stored.
  double depth(double a, double s) const {
    return std::pow(0.5 * (exponent + 1) * s * s / (a * stiffness), 1 / (exponent + 1));
  }
};

}  // namespace carom
