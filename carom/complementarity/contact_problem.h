#pragma once

#include <Eigen/Core>
#include <span>
#include <string>

#include "carom/complementarity/contact_operator.h"
#include "carom/complementarity/solver_rung.h"

namespace carom {

/// Demand of a group of rows of a contact problem, w = u⁺ + offset. Rows of a contact are ordered x, y, z (normal
/// last), torsion fourth.
enum class BlockKind {
  bilateral,  ///< 1 row:  w = 0, p free (a loop, a weld, a prescribed motion)
  bounded,  ///< 1 row:  lower ≤ p ≤ upper; w ≥ 0 where p = lower, ≤ 0 where p = upper, 0 between (dry friction or a
            ///< drive of limited torque: p opposes w)
  unilateral,  ///< 1 row:  0 ≤ w ⊥ p − floor ≥ 0 (a joint's limit, a frictionless contact)
  cone,        ///< 3 rows: the same for the normal row, and Coulomb friction on the tangent rows
  ellipsoid,   ///< 4 rows: the same with a frictional torque about the normal (paper QR, eqs. 5)
};

/// Rows [row, row + size) of a contact problem.
///
/// Friction of a cone: p_t lies in {p_n (μ_x s_x, μ_y s_y), ‖s‖ ≤ 1} and there opposes the slip u_t⁺ with the most
/// power. For an ellipsoid, the same holds for (p_t, p_o) in {p_n (μ_x s_x, μ_y s_y, μ_o s_o), ‖s‖ ≤ 1} against (u_t⁺,
/// ω_n⁺).
struct Block {
  BlockKind kind = BlockKind::unilateral;
  int row = 0;
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();  ///< semi-axes μ_x, μ_y per unit normal impulse
  double torsion = 0;  ///< semi-axis μ_o of the ellipsoid: torque impulse per unit normal impulse, m
  double offset = 0;   ///< added to the velocity in the condition (of a contact: the normal one), m/s or rad/s
  double push_speed =
      0;  ///< at which the offset drives an existing overlap apart, ≥ 0; 0 without overlap, m/s or rad/s
  double restitution = 0;  ///< for the laws that read it; 0 where the contact is at rest
  double floor = 0;        ///< normal impulse that is owed whatever the velocity (Poisson's expansion), N s
  double lower = 0;        ///< of a bounded row, N s or N m s
  double upper = 0;        ///< of a bounded row, ≥ lower

  int size() const { return kind == BlockKind::cone ? 3 : kind == BlockKind::ellipsoid ? 4 : 1; }
  /// The normal row of a contact; of other kinds their one row.
  int normal_row() const { return size() == 1 ? row : row + 2; }
  bool is_contact() const { return kind == BlockKind::cone || kind == BlockKind::ellipsoid; }
};

/// Contact velocities u⁺ = u + A p of impulses p, and what each block demands of them. A view: the data stay the
/// caller's.
///
/// The matrix A = J M⁻¹ Jᵀ is k × k, symmetric positive semidefinite, in 1/kg (or the like for rotations). It comes as
/// a dense or sparse matrix, as factors or as a product. The vector u has the k contact velocities before the impulses,
/// m/s. A solver or an impact law sees no more of a mechanism.
struct ContactProblem {
  ContactOperator A;
  Eigen::Ref<const Eigen::VectorXd> u;
  std::span<const Block> blocks;
};

/// Throws carom::Error if sizes disagree, blocks overlap or leave rows uncovered, friction is negative, bounds cross or
/// a number is not finite. Also throws if A is not symmetric; a product is not looked into. O(k²), or O(non-zeros).
void check(const ContactProblem& problem);

/// Why a solver stopped.
enum class SolveStatus {
  solved,           ///< residual within tolerance, as computed after the solve
  secondary_ray,    ///< Lemke's path ended on a ray: no solution found, none may exist
  iteration_limit,  ///< budget of pivots, sweeps or iterations spent
  inaccurate,       ///< ended where no further progress is possible, with a residual above tolerance
  infeasible,       ///< no impulse satisfies the conditions, shown by a dual vector (infeasibility.h)
};
std::string status_name(SolveStatus status);

/// The method that gave the result.
enum class SolverKind {
  none,          ///< nothing to solve
  lemke,         ///< LCP of polyhedral cones, Lemke's path
  pivoting,      ///< LCP of polyhedral cones, principal pivoting
  gauss_seidel,  ///< exact cone, block by block
  proximal,      ///< exact cone, first-order proximal method
  newton,        ///< exact cone, semismooth Newton
  multipliers,   ///< either cone, A in factors: Newton, interior point, proximal points, multipliers
};
std::string solver_name(SolverKind kind);

/// Result of solving a contact problem.
struct ContactSolution {
  SolveStatus status = SolveStatus::solved;
  SolverKind solver = SolverKind::none;  ///< that gave the result
  int iterations = 0;                    ///< pivots, or sweeps and Newton steps, of all methods that were tried
  int paths = 0;                         ///< of Lemke's method: 1 unless the first ended badly
  int size = 0;  ///< of the LCP: a row per block, and K + 1 more per cone with friction; of the exact cone: rows
  double tolerance = 0;  ///< on the residual, that the result was held to; 0: by elimination
  double residual = 0;   ///< lcp_residual (of the mixed form mixed_lcp_residual); of the exact cone the natural map
  RungTrace rungs;       ///< methods that were entered, and which of them gave the result
};

}  // namespace carom
