#pragma once

#include <string>
#include <vector>

#include "carom/import/imported_model.h"

namespace carom {

/// Which links of one model file touch one another.
enum class SelfCollision {
  automatic,  ///< all that the file lets, without near links that overlap where the file puts them
  all,        ///< all that the file lets
  none        ///< no two links; what the file fixes to the world still touches them
};

/// Links that are left out of collision, and by how much their shapes overlap.
struct LeftOut {
  std::string a, b;  ///< names of links, "the world" for what the file fixes to it
  double depth = 0;  ///< m
};

/// Takes pairs of links out of collision, as `choice` says. With SelfCollision::automatic these are the pairs that
///
/// - no more than three joints, or constraints of two bodies, part on the shortest way between them, so that of a hip
///   of three hinges pelvis and thigh count, and of two legs the thighs do not; a free joint is no way, the world is;
/// - overlap by more than 1e-6 m where X_WB, a pose for each link, puts them.
///
/// Such hulls were not made to touch: a step would throw them apart, or the joint would jam. Planes and height fields
/// are ground, which touches everything. Returns the pairs of the automatic choice. O(n²) in the number of shapes.
std::vector<LeftOut> choose_self_collision(SelfCollision choice, const std::vector<Transform>& X_WB,
                                           ImportedModel& model);

}  // namespace carom
