#pragma once

#include <algorithm>
#include <cmath>

#include "carom/spatial/types.h"
#include "carom/validation/planar_impact_file.h"

// Laws of one contact in a plane by formulas: Routh's method and the complementarity problems
// case by case. P = (P_t, P_n) is the impulse per unit mass, u = (u_t, u_n) the velocity of the contact point, u_n < 0.
namespace carom::test {

/// The contact of a planar body: u⁺ = u + K P.
struct PlanarContact {
  double tt, tn, nn;  ///< K
  Vec2 u;
  Vec2 arm;
  Vec3 before;
  double k;

  PlanarContact(const PlanarImpact& impact, double gyration_radius)
      : arm(impact.contact), before(impact.before), k(gyration_radius) {
    const double x = arm[0] / k, z = arm[1] / k;
    tt = 1 + z * z;
    tn = -x * z;
    nn = 1 + x * x;
    u = {before[0] - before[2] * arm[1], before[1] + before[2] * arm[0]};
  }
  Vec3 after(const Vec2& P) const { return before + Vec3(P[0], P[1], (arm[0] * P[1] - arm[1] * P[0]) / (k * k)); }
  /// No jam: friction of either direction leaves the normal impulse its effect.
  bool is_tame(double friction) const { return nn > friction * std::abs(tn); }
};

/// One complementarity problem: the normal velocity `end` at its end, sticking or with the friction of the slip there.
inline Vec2 one_problem(const PlanarContact& c, const Vec2& u, double friction, double end) {
  const double determinant = c.tt * c.nn - c.tn * c.tn;
  const double a = -u[0], b = end - u[1];
  const Vec2 stick((c.nn * a - c.tn * b) / determinant, (c.tt * b - c.tn * a) / determinant);
  if (std::abs(stick[0]) <= friction * stick[1]) return stick;
  for (const double s : {1.0, -1.0}) {
    const double P = b / (c.nn - friction * s * c.tn);
    if (P >= 0 && s * (u[0] + (c.tn - friction * s * c.tt) * P) >= 0) return {-friction * s * P, P};
  }
  return {NAN, NAN};
}

inline Vec2 newton_impulse(const PlanarContact& c, double friction, double e) {
  return one_problem(c, c.u, friction, -e * c.u[1]);
}

/// Compression by one problem; then the normal impulse e times as large, with friction of the slip at its end.
inline Vec2 poisson_impulse(const PlanarContact& c, double friction, double e) {
  const Vec2 first = one_problem(c, c.u, friction, 0);
  const Vec2 u(c.u[0] + c.tt * first[0] + c.tn * first[1], 0);
  const double P = e * first[1];
  const double stick = -(u[0] + c.tn * P) / c.tt;
  return first + Vec2(std::clamp(stick, -friction * P, friction * P), P);
}

enum class RouthEnd { poisson, energetic };

/// Routh's method: friction acts against the slip of the moment all along the normal impulse p.
inline Vec2 routh_impulse(const PlanarContact& c, double friction, double e, RouthEnd end) {
  Vec2 u = c.u, P = Vec2::Zero();
  double work = 0, least_work = 0, compression = 0;
  bool expands = false;
  while (true) {
    double s = u[0] > 0 ? 1 : u[0] < 0 ? -1 : 0, f = -friction * s;
    if (s == 0 && std::abs(c.tn) > friction * c.tt) f = -friction * (c.tn > 0 ? 1 : -1);
    if (s == 0 && std::abs(c.tn) <= friction * c.tt) f = -c.tn / c.tt;
    const double rate_t = s == 0 && f == -c.tn / c.tt ? 0 : c.tn + c.tt * f, rate_n = c.nn + c.tn * f;
    double ahead;  // along p to the end of the phase
    if (!expands) {
      ahead = -u[1] / rate_n;
    } else if (end == RouthEnd::poisson) {
      ahead = (1 + e) * compression - P[1];
    } else {
      const double owed = (1 - e * e) * least_work - work;
      ahead = (-u[1] + std::sqrt(u[1] * u[1] + 2 * rate_n * owed)) / rate_n;
    }
    const bool stops = s * rate_t < 0 && -u[0] / rate_t < ahead;
    if (stops) ahead = -u[0] / rate_t;
    work += u[1] * ahead + 0.5 * rate_n * ahead * ahead;
    P += Vec2(f, 1) * ahead;
    u += Vec2(rate_t, rate_n) * ahead;
    if (stops) {
      u[0] = 0;
    } else if (!expands) {
      u[1] = 0;
      compression = P[1];
      least_work = work;
      expands = true;
    } else {
      return P;
    }
  }
}

/// Rebound over approach of Hunt and Crossley's contact f = K z^η (1 + 3/2 c z′) on anything that slides throughout.
/// With λ = 3/2 c, v before and w after, λ v − ln(1 + λ v) = −λ w − ln(1 − λ w).
inline double hunt_crossley_rebound(double dissipation, double v) {
  const double l = 1.5 * dissipation * v, left = l - std::log1p(l);
  double low = 0, high = std::min(1.0, 1 / l);
  for (int i = 0; i < 200; ++i) {
    const double e = 0.5 * (low + high);
    (-l * e - std::log1p(-l * e) < left ? low : high) = e;
  }
  return 0.5 * (low + high);
}

}  // namespace carom::test
