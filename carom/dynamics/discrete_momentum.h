#pragma once

#include "carom/dynamics/workspace.h"

// Discrete mechanics of trees by the midpoint rule (paper PROP, section VI; Marsden and West, Acta Numerica 10, 2001):
//
//   L_d(q₀, q₁, h) = h L(q_m, v),   q₀ = q_m ⊞ (−h/2) v,   q₁ = q_m ⊞ (h/2) v        (⊞: integrate)
//   p⁻ = −D₁ L_d,   p⁺ = D₂ L_d
//
// with L = ½ vᵀ M(q) v − V(q) and v in the coordinates of q_m. Along a step every joint moves by its own exponential.
// Lengths and angles change at constant rates, and rotations are about a fixed axis. A free body's centre of mass moves
// on a straight line. So q_m is the middle of the path and L_d is symmetric, of second order.
//
// Write μ = ∂L/∂v = M v, and f = ∂L/∂q along integrate with v's components constant. Variations of q₀ and q₁, both
// turned into the axes of q_m, give those of q_m and v. For scalar coordinates:
//
//   p^± = μ ± (h/2) f
//
// For rotations, R₀ = R_m exp(−x), R₁ = R_m exp(x), x = (h/2) ω, θ = |x|. The right and left differentials of exp
// satisfy
//
//   J_l(x) + J_r(x) = 2 G,   G = 1 + (1 − sin θ/θ) [x]²/θ²,   J_l − J_r = 2 (1 − cos θ)/θ² [x]
//
// and it follows that
//
//   R_m-axes of p^± = G⁻¹ μ + (h/2) (tan(θ/2)/θ) x × f ± (h/2) f,   G⁻¹ = 1 + (1 − θ/sin θ) [x]²/θ²
//
// This holds below half a turn in half a step (θ < π). For a joint on the world without forces f is zero, so free
// rotation keeps R p to round-off, for any h. A free body's coordinates are R and its centre of mass in F. The velocity
// of the centre in the body's axes turns with R, which adds −(v_C × μ_C) to f.
//
// The formulas of the Cayley map would be rational, but integrate and difference move by exp. With exp, states of all
// steppers mean the same motion, and a spin about a principal axis turns by its exact angle.
//
// Sources: Marsden, Pekarsky and Shkoller, Nonlinearity 12, 1999 (Lie groups); Bou-Rabee and Marsden, Found. Comput.
// Math. 9, 2009 (exp and its differentials). Recursions: Lee, Liu, Park and Srinivasa, A linear-time variational
// integrator for multibody systems, WAFR 2016. They use one exponential of SE(3) for a free body, which curves the path
// of its centre of mass.
namespace carom {

/// The middle of a step, from which both its ends follow. Covectors in the coordinates of v at q_m.
struct MidpointMomentum {
  VectorX mean;     ///< ½ (p⁺ + p⁻), kg m/s or kg m²/s
  VectorX impulse;  ///< p⁺ − p⁻ = h f, N s or N m s
};

/// μ = M v and f = ∂(½ vᵀ M v)/∂q. Needs forward_velocity at q and v. O(n).
///
///   μ_k = S_k · h_k,   f_k = h_k · (B_k × S_k)
///
/// h_k: momentum of all bodies beyond the coordinate; B_k: velocity of what carries its own displacement, the parent's
/// body or, in a product of exponentials, also the coordinates before it.
void kinetic_slopes(const Model& model, const VectorX& v, DynamicsWorkspace& workspace, VectorX& momentum,
                    VectorX& slope);

/// Mean and impulse of a step of length h, s, through q_m at v. The arguments `momentum` and `slope` are those of
/// kinetic_slopes there. The argument `force` (nv) is all other forces at the middle, conservative or not. It does its
/// work on variations of q_m: a discrete force of (h/2) f on either side. O(n).
void midpoint_momentum(const Model& model, const VectorX& v, double h, const VectorX& momentum, const VectorX& slope,
                       const VectorX& force, MidpointMomentum& at_middle);

/// The same momentum (or force) in the coordinates of another position, as transport_velocity does for velocities: p_to
/// · transport_velocity(v) = p_from · v. The arguments p_to and p_from may be the same. O(n).
void transport_momentum(const Model& model, const VectorX& q_from, const VectorX& q_to, const VectorX& p_from,
                        VectorX& p_to);

}  // namespace carom
