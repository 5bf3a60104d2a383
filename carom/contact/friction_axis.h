#pragma once

#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Direction whose projection on the tangent plane is the x axis of a contact's frame: `axis` in the frame of `body`
/// (−1: the world). Friction that differs along the surface, `friction: [a, b]`, is given along that frame's x and y.
struct FrictionAxis {
  int body = -1;
  Vec3 axis = Vec3::UnitX();

  Vec3 in_world(const std::vector<Transform>& X_WB) const { return body < 0 ? axis : Vec3(X_WB[body].R * axis); }
};

/// Axis of a contact between two colliders with a unit normal: the `friction_axis` of the collider that has one. If
/// both have, the first of the model wins, since two ellipses with axes of their own have no sum that is an ellipse. If
/// neither has, it is the world's x axis, or y if the normal is nearer to x (contact_frame). The same holds if the axis
/// is within 0.6° of the normal, so that its projection says nothing.
FrictionAxis friction_axis(const Model& model, int collider_a, int collider_b, const Vec3& normal,
                           const std::vector<Transform>& X_WB);

}  // namespace carom
