#pragma once

#include <cmath>
#include <random>

#include "carom/spatial/inertia.h"

namespace carom {

/// Random vectors, poses and inertias from a seed.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
  }
  Vec3 vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, z};
  }
  Vec6 vector6() {
    Vec6 v;
    v << vector(), vector();
    return v;
  }
  Transform pose() {
    const Vec3 axis = vector().normalized();
    const Mat3 R = Eigen::AngleAxisd(between(-3, 3), axis).toRotationMatrix();
    return {R, vector()};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace carom
