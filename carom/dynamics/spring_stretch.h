#pragma once

#include "carom/model/model.h"

namespace carom {

/// Numbers by the coordinates of one joint's v.
using OfCoordinates = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;

/// The stretch s of a joint's spring: the way from where it is slack, in the coordinates of v, rad or m:
///
///   Scalar coordinates              q − rest
///   A rotation                      the rotation vector of R_restᵀ R_FM
///   A free joint's displacement     R_FMᵀ (p − p_rest)
///
/// The spring's force is −stiffness s and its energy ½ Σ stiffness s². The rotation vector θ n is the same in the axes
/// of R_rest and of M, and d(½ θ²)/dt = θ n·ω. So the force is the slope of the energy, because a rotation has one
/// stiffness for all axes. At half a turn, θ = π, the vector changes its sign: the energy has a ridge there, and its
/// slope jumps.
OfCoordinates spring_stretch(const Joint& joint, const VectorX& q);

}  // namespace carom
