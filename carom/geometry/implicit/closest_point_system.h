#pragma once

#include <Eigen/Core>

#include "carom/geometry/implicit/implicit_body.h"
#include "carom/spatial/transform.h"

namespace carom {

/// The equations that the closest points a₁ of A and a₂ of B satisfy, in the world frame. The inequalities of A are
/// fᵢ(x) ≤ 0 and those of B gⱼ(x) ≤ 0, carried by the bodies:
///
///     a₁ − a₂ − d n = 0                          (3 rows)     0 ≤ l_i ⊥ −fᵢ(a₁) ≥ 0
///     n + Σ l_i ∇fᵢ(a₁) = 0                      (3)          0 ≤ m_j ⊥ −gⱼ(a₂) ≥ 0
///     n − Σ m_j ∇gⱼ(a₂) = 0                      (3)
///     (n·n − 1)/2 = 0                            (1)
///
/// for a₁, a₂ (m), the unit normal n from B towards A, the signed gap d (m) and the multipliers l, m. There are
/// 10 + N_A + N_B equations and as many unknowns. Source: Chakraborty, Berard, Akella and Trinkle 2007, eq. (9), whose
/// two vector equations between directions are these with n and d eliminated.
///
/// Departures. (9) equates unit vectors, so each of its vector equations has one row too many. Projected on a tangent
/// plane they are six for six unknowns. But then they also hold where the normals agree instead of opposing each other,
/// and need bases that turn with the surface. Here n and d stay unknown: as many rows as unknowns, sign included, and
/// nothing to choose. Every inequality keeps a multiplier, so edges and corners need no case. The paper's (9) has a₁ −
/// a₂ = −‖a₁ − a₂‖ n̂₁, which overlapping bodies never satisfy; d may be negative here.
///
/// Touching and crossing: where the surfaces cross, a₁ = a₂ solves (8) with zero multipliers. Here n has length 1, so
/// multipliers cannot all vanish. The normals must oppose each other at d = 0, which they do at touching points alone.
///
/// Solutions. As every f is convex, l, m ≥ 0 make a₁ and a₂ the points of A and B farthest along −n and n. Then d is
/// the separation s(n) of the bodies along n: a lower bound of the signed distance, and the distance if d > 0. If
/// bodies overlap, several n may solve the system, one for each way out and its bounds. The signed distance is the
/// greatest d. The Jacobian is regular where a₁, a₂, l and m are unique and none of l, m vanishes with its inequality.
/// Parallel faces or edges have many closest points, and a corner of more than three faces has many multipliers.
///
/// Cost: one evaluation of every inequality; (10 + N_A + N_B)² for a dense Jacobian.
class ClosestPointSystem {
 public:
  using Input = Eigen::Ref<const VectorX>;

  /// The body whose surface is moved to a level of its inequalities until the other one touches it: with B moved,
  ///
  ///     a₁ − a₂ = 0,    0 ≤ m_j ⊥ d − gⱼ(a₂) ≥ 0
  ///
  /// in place of the rows above. So a₁ = a₂ is the point of A where the greatest gⱼ is least, and d its value there.
  /// This is −δ̄ of (11) if d < 0; the bodies are apart if d > 0. With one inequality, or planes, d is the gap as far
  /// as levels are parallel. The problem is convex: whatever solves it is that point.
  enum class Level { none, of_a, of_b };

  /// The bodies must outlive this. Nothing is checked: see check(ImplicitBody).
  ClosestPointSystem(const ImplicitBody& a, const ImplicitBody& b, Level level = Level::none)
      : a_(&a), b_(&b), level_(level) {}

  /// Places of the unknowns: a₁ at 0, a₂ at 3, n at 6, d at 9, then l and m. The rows have the same order.
  static constexpr int point_a = 0, point_b = 3, normal = 6, gap = 9, multipliers_a = 10;
  int multipliers_b() const { return multipliers_a + static_cast<int>(a_->surfaces.size()); }
  int size() const { return multipliers_b() + static_cast<int>(b_->surfaces.size()); }
  /// True for unknowns that are ≥ 0 and complementary to their row; the others are free and their rows equations.
  static bool is_multiplier(int i) { return i >= multipliers_a; }

  /// F, size(), at the unknowns z.
  void residual(const Transform& X_WA, const Transform& X_WB, const Input& z, Eigen::Ref<VectorX> F) const;

  /// ∂F/∂z, size() × size(). J must arrive as zero.
  void jacobian(const Transform& X_WA, const Transform& X_WB, const Input& z, Eigen::Ref<MatrixX> J) const;

  /// ∂F/∂(θ_A, p_A, θ_B, p_B), size() × 12. The bodies turn by the small rotation vectors θ about their frames' origins
  /// (rad) and move by p (m), all in the world frame. J must arrive as zero.
  void pose_jacobian(const Transform& X_WA, const Transform& X_WB, const Input& z, Eigen::Ref<MatrixX> J) const;

  /// Unknowns to start from. The normal n is along `direction` (of any length but 0). The points a₁ and a₂ are where
  /// the rays from the bodies' inner points along −n and n leave the bodies (within 1e3 m). Only the inequalities
  /// through which they leave have multipliers.
  void start(const Transform& X_WA, const Transform& X_WB, const Vec3& direction, Eigen::Ref<VectorX> z) const;

 private:
  const ImplicitBody* a_;
  const ImplicitBody* b_;
  Level level_;
};

}  // namespace carom
