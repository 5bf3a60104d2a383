#pragma once

#include <Eigen/Core>
#include <string>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/friction_cone.h"

namespace carom {

/// Quality of an impulse p as a solution of a contact problem, from the problem and p alone, with u⁺ = u + A p.
/// Dimensionless numbers are relative to the problem's own sizes P and U, which leave out torsion rows. So they do not
/// change with the units of mass and time. Impulses are relative to P, the largest ‖p_i‖. Velocities are relative to U,
/// the largest of ‖u_i‖, −offset_i (|offset_i| of bilateral and bounded rows) and A_nn floor_i. The last is the
/// velocity that an owed impulse makes. If all impulses are zero, P is the largest that the velocities ask for: what U
/// is made from, over A_nn. A size that is still zero is 1.
///
/// Friction is judged against the ellipse {p_t = p_n M s, ‖s‖ ≤ 1} with M = diag(μ_x, μ_y). With torsion it is the
/// ellipsoid of (p_t, p_o) with M = diag(μ_x, μ_y, μ_o). The most power that it can take is p_n ‖M u_t⁺‖. The polygon
/// of its K generators takes at most p_n max_j −(M d_j)·u_t⁺, between cos(π/K) of that and all of it. The difference is
/// the price of the polygon, not a fault of the solver. Both are ≥ −p_t·u_t⁺, what p takes.
struct SolveCertificate {
  double normal_complementarity = 0;  ///< max |min((p_n − floor) / P, (u_n⁺ + offset) / U)|
  double cone_violation = 0;  ///< max of (‖p_t‖ − μ p_n)₊ / max(1, μ) / P, tangent axes scaled as below; on an axis
                              ///< without friction |p_t| / P
  double dissipation_residual =
      0;  ///< max |most power of the polygon (of the ellipse for 0 directions) + p_t·u_t⁺| / (F U), F the larger of P
          ///< and μ p_n, the most that friction could be: a slip of a contact that should stick counts as itself
  double polyhedral_error = 0;  ///< max of (power of the ellipse − of the polygon) / (F U); 0 for an exact cone
  // Bilateral and bounded rows have U_i, the larger of U and √(A_ii P U), the velocity that the energy P U gives them:
  // they may turn, and the rad/s of a light joint are no m/s.
  double bilateral_residual = 0;  ///< max |u⁺ + offset| / U_i of bilateral rows
  double bounded_residual =
      0;  ///< max |p / P − clamp(p / P − (u⁺ + offset) / U_i, lower / P, upper / P)| of bounded rows
  double natural_map = 0;  ///< of the exact cone, see below; meaningful for end-of-step Coulomb contact. Of a block
                           ///< that nothing moves (no diagonal entry) the residual of its normal or only row
  double contact_work = 0;  ///< Σ ½ (u⁺ + u)ᵀ p less push_out over contacts and limits, u the velocity before their
                            ///< impulses but after those of bilateral and bounded rows, J
  double push_out = 0;    ///< Σ min(u_n⁺, push_speed) p_n where that is positive, J
  double worst_work = 0;  ///< largest u⁺ᵀ p of one block less its push_out, J
  int worst_block = -1;   ///< the block that has it; −1 if none is positive
};

/// `directions`: generators of the polyhedral cone that the impulse was solved with, 0 for the exact cone. O(k²),
/// O(non-zeros), or k products.
///
/// natural_map = max_i ‖p_i − P_K(p_i − (u_i⁺ + μ ‖u_t,i⁺‖ z) / a_i)‖ / P. Here K is the circular cone of μ, u_n⁺
/// includes the offset, and a_i = trace(A_ii) / size. It is zero exactly at solutions with the exact cone (De Saxcé and
/// Feng 1998). For an ellipse, μ is the larger of μ_x and μ_y, and the tangent axes are scaled by μ_x / μ and μ_y / μ.
/// Velocities are multiplied by this scale and impulses divided by it, which makes the cone circular. An axis without
/// friction is left out. A torsion axis is scaled likewise.
///
/// The map of a bilateral row is |w / a_i| / P with w = u⁺ + offset. That of a bounded row is |p − clamp(p − w / a_i,
/// lower, upper)| / P. If a floor is owed, the condition is not that of one cone. The map then combines the normal
/// row's and, apart from it, that of the disc of radius μ p_n. A contact that uses less than half of its friction is
/// mapped with a smaller μ: twice what it uses, but no less than 1. Its solutions with that μ are also those with the
/// larger one. If μ > 1, |min(max(p_n, ‖p_t‖), w_n / a_i)| / P counts as well.
SolveCertificate certify(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                         int directions);

/// Motion of one block, as somebody measured it: of its rows in their order, the first size() of each.
struct BlockMotion {
  Eigen::Vector4d impulse = Eigen::Vector4d::Zero();   ///< N s, of torsion N m s
  Eigen::Vector4d velocity = Eigen::Vector4d::Zero();  ///< u⁺, m/s, of torsion rad/s
  Eigen::Vector4d mobility = Eigen::Vector4d::Zero();  ///< A_ii of the row, or a bound of it; 0: unknown, 1/kg
};

/// Scales of a block's residuals: a largest impulse and a largest velocity, both positive.
struct BlockSizes {
  double impulse = 1, velocity = 1;
};

/// Takes the conditions of one block into a certificate: the worse of each residual, natural_map included; not the
/// energies. For those who know velocities and not their problem's A. Formulas are those of certify.
void judge_block(const Block& block, const BlockMotion& motion, const BlockSizes& sizes, int directions,
                 SolveCertificate& certificate);

/// The residual that decides whether a problem is solved. For the exact cone it is the natural map, for polygons the
/// worst of the conditions. For both it includes the residuals of bilateral and bounded rows.
double judged_residual(const SolveCertificate& certificate, FrictionCone cone);

/// Puts the residuals of `judged` in the place of those that a certificate holds; energies stay.
void take_conditions(const SolveCertificate& judged, SolveCertificate& certificate);

/// Takes a further solve into a certificate of several: the worst of every residual, the sums of the energies.
void keep_worst(const SolveCertificate& solve, SolveCertificate& whole);

}  // namespace carom
