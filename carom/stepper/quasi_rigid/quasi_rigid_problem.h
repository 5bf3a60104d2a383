#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/geometry/implicit/closest_point_system.h"
#include "carom/spatial/transform.h"

namespace carom {

/// A free body of a geometrically implicit step, in its frame C: origin at the centre of mass.
struct QuasiRigidBody {
  double mass = 0;              ///< kg
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of C, kg m²
  ImplicitBody surface;         ///< in C; its outermost surface, layers not deflected
  bool moves = true;            ///< false: fixed in the world; mass and inertia play no part
};

/// Where a body is and how it moves.
struct QuasiRigidMotion {
  Transform X_WC;                        ///< p: the centre of mass
  Vec3 velocity = Vec3::Zero();          ///< of the centre of mass, world axes, m/s
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes, rad/s
};

/// A compliant layer on a rigid core, as the normal spring and damper of one contact (Kelvin and Voigt).
struct QuasiRigidLayer {
  double stiffness = 0;  ///< K, N/m, > 0
  double damping = 0;    ///< C, N s/m
  double thickness = 0;  ///< δ°, the greatest deflection, m, > 0; infinity where no core is reached
};

/// A pair of bodies that may touch, at one point; without friction.
struct QuasiRigidPair {
  int a = 0, b = 0;            ///< bodies; n points from b towards a
  bool compliant = false;      ///< false: both rigid, and `layer` is not read
  QuasiRigidLayer layer = {};  ///< between them
  double deflection = 0;       ///< δ at the start of the step, m
};

/// One step of length h of free bodies with contacts that are implicit in the geometry: a mixed complementarity problem
/// for the velocities at the end of the step, the closest points there, deflections and impulses together,
///
///     m (v⁺ − v) = h m g + Σ ±n p                        c⁺ = c + h v⁺,  R⁺ = exp(h ω⁺) R
///     I (ω⁺ − ω) = −h ω × I ω + Σ (a − c⁺) × (±n p)      a₁, a₂, n, d, l, m: ClosestPointSystem at (c⁺, R⁺)
///
///     rigid:       0 ≤ p ⊥ d ≥ 0
///     compliant:   p = p_s + p_r,    p_s = h K δ + C (δ − δ_start),
///                  0 ≤ p_s ⊥ d + δ ≥ 0,    0 ≤ p_r ⊥ δ° − δ ≥ 0.
///
/// Source: Chakraborty, Berard, Akella and Trinkle 2007, eqs. (14), (15) without friction, (16) to (22).
/// Departures: the spring law holds for p_s, as eq. (17) and the text have it, not for p_s + p_r as (14) does; the
/// second row of (22) is δ° − δ. The deflection is measured along n from the surfaces without deflection, by the signed
/// gap d, where the paper takes a level of g and then its distance, (11) and (12): the same for a half-space, and to
/// first order in δ times curvature elsewhere. Turns are exponentials, so orientations stay orthonormal inside the
/// residual. I and the gyroscopic term are those of the start of the step.
///
/// Unknowns and rows, in the same order: 6 of every moving body (v⁺, then ω⁺), then of every pair those of its
/// ClosestPointSystem, and p or δ, p_s, p_r. A solution need not be unique where closest points are not. Cost: one
/// ClosestPointSystem per pair; the Jacobian is dense, and allocates.
class QuasiRigidProblem {
 public:
  using Input = Eigen::Ref<const VectorX>;

  /// Throws Error with a sentence if a body, pair or layer makes no sense. bodies must outlive this.
  QuasiRigidProblem(const std::vector<QuasiRigidBody>& bodies, std::vector<QuasiRigidPair> pairs, const Vec3& gravity);

  int size() const { return size_; }
  /// Where the unknowns of a body lie, −1 if it does not move; those of a pair; and the pair's p or δ, p_s, p_r.
  int velocity_index(int body) const { return body_index_[body]; }
  int pair_index(int pair) const { return pair_index_[pair]; }
  int impulse_index(int pair) const { return impulse_index_[pair]; }
  const std::vector<QuasiRigidPair>& pairs() const { return pairs_; }
  std::vector<QuasiRigidPair>& pairs() { return pairs_; }

  /// −∞ for free unknowns, 0 for those that are complementary to their row.
  VectorX lower() const;

  /// Poses and velocities at the end of a step of length h from `start` with the unknowns z.
  void end(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
           std::vector<QuasiRigidMotion>& motions) const;
  /// F, size(). motions: scratch.
  void residual(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
                std::vector<QuasiRigidMotion>& motions, Eigen::Ref<VectorX> F) const;
  /// ∂F/∂z, size() × size(). J must arrive as zero.
  void jacobian(const std::vector<QuasiRigidMotion>& start, double h, const Input& z,
                std::vector<QuasiRigidMotion>& motions, Eigen::Ref<MatrixX> J) const;

 private:
  double normal_impulse(int pair, const Input& z) const;
  void add_pair_jacobian(int pair, double h, const Input& z, const std::vector<QuasiRigidMotion>& motions,
                         Eigen::Ref<MatrixX> J) const;
  void add_law_jacobian(int pair, double h, Eigen::Ref<MatrixX> J) const;

  const std::vector<QuasiRigidBody>* bodies_;
  std::vector<QuasiRigidPair> pairs_;
  std::vector<ClosestPointSystem> systems_;
  Vec3 gravity_;
  std::vector<int> body_index_, pair_index_, impulse_index_;
  int size_ = 0;
};

}  // namespace carom
