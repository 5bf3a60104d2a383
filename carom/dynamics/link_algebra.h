#pragma once

#include <array>

#include "carom/spatial/symmetric.h"

// Spatial vectors and inertias as the recursions use them. They are in the world's axes, about the origin O of the
// frame M of a body's inboard joint. The step from a body to its parent then turns nothing. It only moves the reference
// point, by r = O − O_parent (Featherstone 2008, eqs. 2.21 to 2.25 and 2.66 with E = 1). The distances are those within
// the mechanism, so nothing is lost far from the world's origin.
namespace carom {

/// Angular velocity (or acceleration) and that of the body's point at O.
struct Motion {
  Vec3 angular = Vec3::Zero(), linear = Vec3::Zero();

  Motion& operator+=(const Motion& m) {
    angular += m.angular;
    linear += m.linear;
    return *this;
  }
  /// The parent's motion, expressed about the point that lies at r from its own.
  Motion moved_by(const Vec3& r) const { return {angular, linear + angular.cross(r)}; }
};

/// Moment about O, and force.
struct Force {
  Vec3 moment = Vec3::Zero(), force = Vec3::Zero();

  Force& operator+=(const Force& f) {
    moment += f.moment;
    force += f.force;
    return *this;
  }
  /// The child's force, expressed about the point from which its own lies at r.
  Force moved_back_by(const Vec3& r) const { return {moment + r.cross(force), force}; }
};

inline double dot(const Force& f, const Motion& m) { return f.moment.dot(m.angular) + f.force.dot(m.linear); }

/// V × m (Featherstone 2008, eq. 2.31).
inline Motion cross(const Motion& V, const Motion& m) {
  return {V.angular.cross(m.angular), V.angular.cross(m.linear) + V.linear.cross(m.angular)};
}

/// V ×* f (eq. 2.32).
inline Force cross(const Motion& V, const Force& f) {
  return {V.angular.cross(f.moment) + V.linear.cross(f.force), V.angular.cross(f.force)};
}

/// Inertia of a rigid body: mass, mass times centre of mass from O, rotational inertia about O.
struct RigidInertia {
  double mass = 0;
  Vec3 moment = Vec3::Zero();
  Sym3 rotational;

  Force operator*(const Motion& m) const {
    return {rotational * m.angular + moment.cross(m.linear), mass * m.linear + m.angular.cross(moment)};
  }
  /// Adds a body whose O lies at r from this one's: I + (h·r) terms of the parallel-axis theorem, with h the first
  /// moment about its own O.
  void add_shifted(const RigidInertia& I, const Vec3& r) {
    const Vec3 h = I.moment + 0.5 * I.mass * r;  // −[r][h] − [h][r], with h between both moments, is what r adds
    const double trace = 2 * h.dot(r);
    mass += I.mass;
    moment += I.moment + I.mass * r;
    rotational += I.rotational;
    rotational += Sym3{trace - 2 * h.x() * r.x(), -h.x() * r.y() - h.y() * r.x(), -h.x() * r.z() - h.z() * r.x(),
                       trace - 2 * h.y() * r.y(), -h.y() * r.z() - h.z() * r.y(), trace - 2 * h.z() * r.z()};
  }
};

/// Inertia of an articulated body, [A C; Cᵀ L] on (angular; linear) with A and L symmetric: 21 numbers.
struct ArticulatedInertia {
  Sym3 A;
  std::array<Vec3, 3> C{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};  ///< rows
  Sym3 L;

  ArticulatedInertia() = default;
  explicit ArticulatedInertia(const RigidInertia& I) : A(I.rotational), L{I.mass, 0, 0, I.mass, 0, I.mass} {
    C[0] = Vec3(0, -I.moment.z(), I.moment.y());
    C[1] = Vec3(I.moment.z(), 0, -I.moment.x());
    C[2] = Vec3(-I.moment.y(), I.moment.x(), 0);
  }

  Force of_angular(const Vec3& a) const { return {A * a, a.x() * C[0] + a.y() * C[1] + a.z() * C[2]}; }
  Force of_linear(const Vec3& a) const { return {Vec3(C[0].dot(a), C[1].dot(a), C[2].dot(a)), L * a}; }
  Force operator*(const Motion& m) const {
    Force f = of_angular(m.angular);
    f += of_linear(m.linear);
    return f;
  }
  /// Subtracts U Uᵀ / D, which a joint of one coordinate does not pass on (table 7.1). Here U = I S and D = Sᵀ U.
  void eliminate(const Force& U, double D_inverse) {
    const Vec3 m = D_inverse * U.moment, f = D_inverse * U.force;
    A += Sym3{-m.x() * U.moment.x(), -m.x() * U.moment.y(), -m.x() * U.moment.z(),
              -m.y() * U.moment.y(), -m.y() * U.moment.z(), -m.z() * U.moment.z()};
    for (int i = 0; i < 3; ++i) C[i] -= m[i] * U.force;
    L += Sym3{-f.x() * U.force.x(), -f.x() * U.force.y(), -f.x() * U.force.z(),
              -f.y() * U.force.y(), -f.y() * U.force.z(), -f.z() * U.force.z()};
  }
  /// Adds an inertia about a point that lies at r from this one's: C + [r] L, and A + [r] Cᵀ − (C + [r] L)[r].
  void add_shifted(const ArticulatedInertia& I, const Vec3& r) {
    const Vec3 x = r.cross(Vec3(I.L.xx, I.L.xy, I.L.xz)), y = r.cross(Vec3(I.L.xy, I.L.yy, I.L.yz)),
               z = r.cross(Vec3(I.L.xz, I.L.yz, I.L.zz));
    Vec3 moved[3], twice[3];
    for (int i = 0; i < 3; ++i) moved[i] = I.C[i] + Vec3(x[i], y[i], z[i]);
    for (int i = 0; i < 3; ++i) twice[i] = r.cross(I.C[i]), C[i] += moved[i];
    const Vec3 a = r.cross(moved[0]), b = r.cross(moved[1]), c = r.cross(moved[2]);
    A += I.A;
    A += Sym3{twice[0].x() + a.x(), twice[1].x() + a.y(), twice[2].x() + a.z(),
              twice[1].y() + b.y(), twice[2].y() + b.z(), twice[2].z() + c.z()};
    L += I.L;
  }
};

}  // namespace carom
