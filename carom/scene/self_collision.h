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

/// Excludes pairs of links from collision, as `choice` says. With SelfCollision::automatic these are the pairs that
/// meet two conditions:
///
/// - On the shortest way between them there are at most three joints, or constraints of two bodies. So pelvis and thigh
///   count if the hip has three hinges; the thighs of two legs do not. A free joint is no way; the world is.
/// - They overlap by more than 1e-6 m at X_WB, a pose for each link.
///
/// Such hulls were not made to touch: a step would throw them apart, or the joint would jam. Planes and height fields
/// are ground, which touches everything. Returns the pairs of the automatic choice. O(n²) in the number of shapes.
std::vector<LeftOut> choose_self_collision(SelfCollision choice, const std::vector<Transform>& X_WB,
                                           ImportedModel& model);

}  // namespace carom
