#pragma once

#include "carom/spatial/transform.h"

// Finite motions from constant twists (Lynch and Park, Modern Robotics, 2017: sections 3.3.3, 4.1 and 5.1; there, too,
// the angular part comes first). A twist ξ = (ω; v) is a motion vector per unit of its coordinate. The coordinate is in
// rad if ω is not zero, and in m if it is.
//
//   X(q) = exp(ξ₁ q₁) exp(ξ₂ q₂) … exp(ξₙ qₙ),        X⁻¹ Ẋ = S(q) q̇,
//   S_k = Ad((exp(ξ_k+1 q_k+1) … exp(ξₙ qₙ))⁻¹) ξ_k,    Ṡ q̇ = Σ_k Σ_j>k (S_k q̇_k) × (S_j q̇_j),
//
// with × that of motion vectors. S loses rank where twists line up (gimbal lock of three turns). O(n), O(n) for Ṡ q̇.
namespace carom {

/// One motion vector per column, at most six; allocates nothing.
using Twists = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

/// exp(ξ): where a frame that moves with the constant twist ξ, about F's origin in F, is after a unit of time.
/// To the last digit for small turns too.
Transform exponential_of_twist(const Vec6& twist);

/// X(q), and S(q) in the axes of the frame that moves, about its origin.
struct ExponentialProduct {
  Transform X;
  Twists S;
};
ExponentialProduct exponential_product(const Twists& twists, Eigen::Ref<const VectorX> q);

/// Ṡ q̇ from S(q) alone. Motion vectors, in whichever frame those of S are: the bracket is the same in all of them.
Vec6 exponential_product_bias(const Twists& S, Eigen::Ref<const VectorX> rates);

}  // namespace carom
