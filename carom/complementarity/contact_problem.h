#pragma once

#include <Eigen/Core>
#include <span>
#include <string>

namespace carom {

/// What a group of rows of a contact problem demands. Rows of a cone are ordered x, y, z (normal last).
enum class BlockKind {
  unilateral,  ///< 1 row:  0 ≤ u⁺ + offset ⊥ p − floor ≥ 0
  cone,        ///< 3 rows: the same for the normal row, and Coulomb friction on the tangent rows
};

/// Rows [row, row + size) of a contact problem.
struct Block {
  BlockKind kind = BlockKind::unilateral;
  int row = 0;
  Eigen::Vector2d friction = Eigen::Vector2d::Zero();  ///< semi-axes of the friction ellipse per unit normal impulse
  double offset = 0;  ///< added to the normal velocity in the complementarity condition, m/s or rad/s
  double push_speed =
      0;  ///< at which the offset drives an existing overlap apart, ≥ 0; 0 without overlap, m/s or rad/s
  double restitution = 0;  ///< for the laws that read it; 0 where the contact is at rest
  double floor = 0;        ///< normal impulse that is owed whatever the velocity (Poisson's expansion), N s

  int size() const { return kind == BlockKind::cone ? 3 : 1; }
  int normal_row() const { return row + size() - 1; }
};

/// Contact velocities u⁺ = u + A p of impulses p, and what each block demands of them. A view: the data stay the
/// caller's.
///
/// A: k × k, symmetric positive semidefinite, A = J M⁻¹ Jᵀ, 1/kg (or the like for rotations). u: k, contact velocities
/// before the impulses, m/s. All that a solver or an impact law sees of a mechanism.
struct ContactProblem {
  Eigen::Ref<const Eigen::MatrixXd> A;
  Eigen::Ref<const Eigen::VectorXd> u;
  std::span<const Block> blocks;
};

/// Throws carom::Error if sizes disagree, blocks overlap or leave rows uncovered, A is not symmetric, friction is
/// negative or a number is not finite. O(k²).
void check(const ContactProblem& problem);

/// Why a solver stopped.
enum class SolveStatus {
  solved,         ///< residual within tolerance, as computed after the solve
  secondary_ray,  ///< Lemke's path ended on a ray: no solution found, none may exist
  pivot_limit,    ///< budget spent
  inaccurate,     ///< ended at a basis whose residual is above tolerance
};
std::string status_name(SolveStatus status);

}  // namespace carom
