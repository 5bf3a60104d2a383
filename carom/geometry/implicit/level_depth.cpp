#include "carom/geometry/implicit/level_depth.h"

#include <cmath>

namespace carom {

LevelDepth level_depth(const ImplicitBody& body, const Vec3& x) {
  const ImplicitSurface* surface = &body.surfaces.front();
  SurfaceJet here = evaluate(*surface, x);
  for (const ImplicitSurface& other : body.surfaces) {
    const SurfaceJet jet = evaluate(other, x);
    if (!(jet.value > here.value)) continue;
    here = jet;
    surface = &other;
  }
  const double slope = here.gradient.norm();
  const Vec3 normal = here.gradient / slope;
  double s = -here.value / slope;
  if (here.value > 0) return {s, -normal + here.value / (slope * slope) * here.hessian * normal};
  constexpr int most = 60;
  for (int k = 0; k < most; ++k) {
    const SurfaceJet jet = evaluate(*surface, x + s * normal);
    const double change = -jet.value / jet.gradient.dot(normal);
    // Beyond the root all is convex and Newton's method comes down on it: what changes the sign again is round-off.
    if (!(std::abs(change) > 1e-15 * std::abs(s)) || (k > 1 && change > 0)) break;
    s += change;
  }
  const Vec3 there = evaluate(*surface, x + s * normal).gradient;
  const Mat3 turn = (Mat3::Identity() - normal * normal.transpose()) * here.hessian / slope;
  return {s, -(there + s * turn.transpose() * there) / there.dot(normal)};
}

}  // namespace carom
