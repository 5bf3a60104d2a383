#pragma once

#include "carom/model/model.h"

namespace carom {

/// Motion of M in F of one joint, as motion vectors about M's origin in M's axes (Featherstone 2008, chapter 4):
/// V_FM = S(q) v, and its rate at v̇ = 0 is `bias` = Ṡ v.
struct JointMotion {
  Transform X_FM;
  Twists S;  ///< 6 × velocity_size
  Vec6 bias = Vec6::Zero();
};

/// q and v are the joint's own coordinates. Scalar coordinates by the product of exponentials of their twists.
JointMotion joint_motion(const Joint& joint, Eigen::Ref<const VectorX> q, Eigen::Ref<const VectorX> v);

/// True if a joint's subspace changes in M's own axes: with two or more scalar coordinates, of which each carries the
/// twists before it along.
inline bool subspace_varies(const Joint& joint) {
  return has_scalar_coordinates(joint.type) && velocity_size(joint) > 1;
}

/// q_out = q moved for a time h along the velocity v (q_out may be q).
///
/// Rotations move by the exponential map about v's axis and keep unit length. A free body turns about its centre of
/// mass, whose path is straight, so that free flight keeps momentum wherever the body frame sits. First order in h,
/// exact for a constant twist of that kind. O(n).
void integrate(const Model& model, const VectorX& q, const VectorX& v, double h, VectorX& q_out);

/// The rate of q at the velocity v; of quaternions in q's own length. O(n).
void position_rate(const Model& model, const VectorX& q, const VectorX& v, VectorX& rate);

/// Makes the quaternions of q unit length again after an integration of position_rate. O(n).
void normalize_quaternions(const Model& model, VectorX& q);

/// The velocity v for which integrate(q_from, v, 1) is q_to. Rotations by the shorter way. O(n).
void difference(const Model& model, const VectorX& q_from, const VectorX& q_to, VectorX& v);

/// The same motion, expressed in the coordinates of another position.
///
/// Angular velocities of spherical and free joints are kept in the axes of the parent's joint frame F. So is the
/// velocity of a free body's centre of mass. Both are re-expressed in the body's axes at q_to. Other joints' rates are
/// unchanged. v_to may be v_from. Transport along integrate(q, v, h) with v itself leaves the angular components as
/// they are. O(n).
void transport_velocity(const Model& model, const VectorX& q_from, const VectorX& q_to, const VectorX& v_from,
                        VectorX& v_to);

/// Sets every quaternion in q to unit length. Throws Error naming the joint if one has none.
void normalize(const Model& model, VectorX& q);

}  // namespace carom
