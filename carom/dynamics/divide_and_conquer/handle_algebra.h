#pragma once

#include "carom/dynamics/link_algebra.h"
#include "carom/spatial/types.h"

// The algebra of assemblies with two handles, in the world's axes; motions (angular; linear), forces (moment; force).
//
// Paper DCA writes both handles' accelerations by both handles' forces (eqs. 21 to 28). Here the inboard acceleration
// and the outboard force are given, and the other two follow:
//
//   f_in  = P a_in − Ψᵀ f_out + p        P  6 × 6, inertia felt at the inboard handle with the other one free, kg …
//   a_out = Ψ a_in + G f_out + w         G  6 × 6, what the outboard handle yields with the inboard one fixed, 1/kg …
//
// P and G are symmetric and positive semi-definite, of any rank. A joint's free modes are the null space of a P, and
// its constrained ones that of a G. So fixed ends, free ends and links without inertia are no special cases.
namespace carom {

/// A becomes A X, which acts on the same motion expressed about the point that lies at −r (Motion::moved_by).
inline void shift_columns(const Vec3& r, Mat6& A) {
  A.col(0) += r.y() * A.col(5) - r.z() * A.col(4);
  A.col(1) += r.z() * A.col(3) - r.x() * A.col(5);
  A.col(2) += r.x() * A.col(4) - r.y() * A.col(3);
}

/// A becomes Xᵀ A (Force::moved_back_by).
inline void shift_rows(const Vec3& r, Mat6& A) {
  A.row(0) += r.y() * A.row(5) - r.z() * A.row(4);
  A.row(1) += r.z() * A.row(3) - r.x() * A.row(5);
  A.row(2) += r.x() * A.row(4) - r.y() * A.row(3);
}

/// Xᵀ P X of a symmetric P.
inline Mat6 shifted_inertia(const Vec3& r, Mat6 P) {
  shift_columns(r, P);
  shift_rows(r, P);
  return P;
}

inline Vec6 moved_motion(const Vec3& r, Vec6 a) {
  a.tail<3>() += Vec3(a.head<3>()).cross(r);
  return a;
}
inline Vec6 moved_back_force(const Vec3& r, Vec6 f) {
  f.head<3>() += r.cross(Vec3(f.tail<3>()));
  return f;
}

inline Vec6 to_vector(const Motion& a) { return (Vec6() << a.angular, a.linear).finished(); }
inline Vec6 to_vector(const Force& f) { return (Vec6() << f.moment, f.force).finished(); }
inline Motion to_motion(const Vec6& a) { return {a.head<3>(), a.tail<3>()}; }
inline Force to_force(const Vec6& f) { return {f.head<3>(), f.tail<3>()}; }
Mat6 to_matrix(const ArticulatedInertia& I);
/// From a symmetric matrix; reads its lower triangle.
ArticulatedInertia to_articulated(const Mat6& P);

/// Tᵀ S T of a symmetric S, symmetric to the bit.
Mat6 congruent(const Mat6& T, const Mat6& S);

/// F with F Fᵀ = G of a positive semi-definite G, with columns of zeros if its rank is less than six. Cholesky's
/// method, with pivots chosen by their size relative to G's own diagonal, which does not depend on units. A remainder
/// below round-off of the diagonal counts as zero. If G is a difference of larger numbers, `diagonal` replaces G's own
/// as the measure.
Mat6 semidefinite_root(const Mat6& G, const Vec6& diagonal);
inline Mat6 semidefinite_root(const Mat6& G) { return semidefinite_root(G, G.diagonal()); }

/// A handle with response G = F Fᵀ once an inertia P is fixed to it (same point, same axes):
///
///   (1 + G P)⁻¹ G = K Kᵀ,   (1 + G P)⁻¹ = 1 − K Nᵀ,   P (1 + G P)⁻¹ = P − N Nᵀ
///   N = P K,   K = F L⁻ᵀ,   L Lᵀ = 1 + Fᵀ P F
///
/// The matrix that is factored has no eigenvalue below one, whatever P and G. Here the joins of paper DCA (eqs. 26, 27)
/// invert a sum of inverse inertias, which is singular or nearly so in long chains. F plays the part of a joint's free
/// modes, with the whole assembly inboard of it as the joint.
struct Coupling {
  Mat6 K, N;
  Coupling(const Mat6& F, const Mat6& P);
};

}  // namespace carom
