#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/model/state.h"

// Distance of two motions of one body. One motion puts the body at (p₁, R₁), the other at (p₂, R₂). The body has mass
// m, centre of mass c and central inertia I, all in the body frame. Its second moment of mass about c is Σ. Then
//
//     Σ = ½ tr(I) 1 − I,
//     d² = |c₁ − c₂|² + tr((R₁ − R₂) Σ (R₁ − R₂)ᵀ) / m
//
// is the mean square distance between the two positions of its points of mass. It is in metres, whatever turns or
// shifts, and the same in every frame. With the rates of c and R in their place, it is a difference of velocities, m/s.
namespace carom {

/// Place of a body frame's origin and motion of the frame, all in world axes.
struct BodyMotion {
  Vec3 position;           ///< of the body frame's origin, m
  Quaternion orientation;  ///< R_WB, w ≥ 0
  Vec3 velocity;           ///< of the origin, m/s
  Vec3 angular_velocity;   ///< rad/s
};

/// One entry per body of the model. O(n).
std::vector<BodyMotion> body_motions(const Model& model, const State& state);
/// The same with memory of the caller's, which allocates nothing once `motions` has its size.
void body_motions(const Model& model, const VectorX& q, const VectorX& v, DynamicsWorkspace& workspace,
                  std::vector<BodyMotion>& motions);

/// The distance of the body's two places, m. Zero for a body without mass.
double body_distance(const Body& body, const BodyMotion& first, const BodyMotion& second);
/// The difference of its two motions, m/s.
double body_speed_difference(const Body& body, const BodyMotion& first, const BodyMotion& second);
/// Largest radius of gyration of a body, m; zero where none has mass.
double largest_gyration(const Model& model);
/// Root mean square speed of its points of mass, m/s.
double body_speed(const Body& body, const BodyMotion& motion);

}  // namespace carom
