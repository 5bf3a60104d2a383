#pragma once

#include <random>
#include <vector>

#include "carom/spatial/rotation.h"
#include "carom/validation/toss_protocol.h"

namespace carom::test {

/// Components between −1 and 1.
inline Vec3 random_vector(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const double x = number(random), y = number(random), z = number(random);
  return {x, y, z};
}

inline Quaternion random_rotation(std::mt19937& random) {
  std::normal_distribution<double> number;
  const double w = number(random), x = number(random), y = number(random), z = number(random);
  return Quaternion(w, x, y, z).normalized();
}

/// A throw that stays in the air for a few frames and lands within a second.
inline Release random_release(std::mt19937& random) {
  Release release;
  release.position = 0.3 * random_vector(random) + Vec3(0, 0, 0.6);
  release.orientation = random_rotation(random);
  release.velocity = random_vector(random);
  release.angular_velocity = 8 * random_vector(random);
  return release;
}

/// Free flight with constant spin in the board's frame, through the board if it lasts.
inline std::vector<Pose> flight(const Release& release, int frames, const TossProtocol& protocol) {
  std::vector<Pose> poses;
  for (int k = 0; k < frames; ++k) {
    const double t = k / protocol.frame_rate;
    poses.push_back({release.position + release.velocity * t - Vec3(0, 0, 0.5 * protocol.gravity * t * t),
                     exponential(Vec3(t * release.angular_velocity)) * release.orientation});
  }
  return poses;
}

}  // namespace carom::test
