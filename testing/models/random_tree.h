#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Numbers and mechanisms that are the same on every run.
class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double uniform(double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  int index(int count) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(count)); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  VectorX vector(int count, double size);
  Mat3 rotation();
  Transform transform(double size);
  /// Positive definite, with principal moments that a body can have.
  SpatialInertia inertia();

 private:
  std::mt19937_64 bits_;
};

struct TreeOptions {
  int bodies = 10;
  double springs = 0;     ///< largest stiffness
  double reflected = 1;   ///< largest reflected inertia
  double new_root = 0.2;  ///< chance that a body hangs on the world
  std::vector<JointType> types{std::begin(joint_types), std::end(joint_types)};
};

/// A joint of the type, with frames in general position, and everything that the type may have but limits. Twists are
/// one to six, of a basis of the motions a little changed, so S keeps its rank for turns up to 1 rad.
Joint random_joint(Random& random, JointType type, const TreeOptions& options = {});

/// Bodies hung on earlier ones at random, with joint frames, centres of mass and gravity in general position.
Model random_tree(Random& random, const TreeOptions& options);

VectorX random_position(const Model& model, Random& random);

/// Rates of q for velocities v, by the definition of the joints' coordinates.
VectorX position_rate(const Model& model, const VectorX& q, const VectorX& v);

}  // namespace carom
