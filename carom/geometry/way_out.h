#pragma once

#include <algorithm>
#include <array>

#include "carom/spatial/types.h"

// The least value of a support function over the sphere: how far a point within a convex body is from its surface.
//
//   h(n) = max_{x ∈ M} n·x,   least over unit vectors n,   M convex, 0 ∈ M.
//
// h has many minima there, and no descent knows which is least. Branch and bound does: the sphere is cut into spherical
// triangles. Let nⱼ be the corners of one and pᵢ the points of M farthest along them. Then every m = Σ λⱼ nⱼ of the
// flat triangle has
//
//   h(m) ≥ max_i pᵢ·m ≥ V = min_λ max_i Σ_j (pᵢ·nⱼ) λⱼ = max_w min_j Σ_i wᵢ (pᵢ·nⱼ),
//
// the value of a game of three rows and columns. As h(m/|m|) = h(m)/|m| and 1/√3 ≤ |m| ≤ 1, a triangle with V above the
// least value known holds no better one. Other triangles are cut in two. V is exact if the pᵢ are all corners of M that
// matter, and else misses by the square of the triangle's size. So the certificate takes a tolerance τ. It takes some
// √(size/τ) triangles where h is equal along a curve, and size/τ where it is equal all around.
//
// Source: the bound is that of the expanding polytope (van den Bergen 2001). Here it is stated for cones of normals,
// which no round-off can tear, instead of faces. Does not allocate.
namespace carom {

/// A direction n with a point of M that is farthest along it; n·p = h(n).
struct Reach {
  Vec3 n = Vec3::Zero(), p = Vec3::Zero();
};

/// max_w min_j Σ_i wᵢ pᵢ·nⱼ over w ≥ 0, Σ w = 1: what is best lies on a corner, on an edge or within.
double least_reach(const std::array<Reach, 3>& corners);

/// The search through triangles. It asks `reach(n)` for points of M, and passes every direction tried to
/// `tried(reach)`. It cuts triangles that only the tolerance discards until their sides are at most `finest` (rad).
/// Then it passes the triangle's middle to `left(n)`. The function `least()` gives the least value known; it may fall
/// in these calls. The vectors `axes` are any three orthonormal ones: the first triangles are their octants.
///
/// Returns whether it is done: then h ≥ least() − tolerance everywhere. False after `most` triangles, or when 80 wait.
template <class ReachOf, class Tried, class Left, class Least>
bool search_ways_out(const Mat3& axes, double tolerance, double finest, int most, ReachOf&& reach, Tried&& tried,
                     Left&& left, Least&& least) {
  using Triangle = std::array<Reach, 3>;
  const auto at = [&](const Vec3& n) {
    Reach found = {n, reach(n)};
    tried(found);
    return found;
  };
  std::array<Reach, 6> poles;
  for (int k = 0; k < 6; ++k) poles[k] = at(k % 2 ? Vec3(-axes.col(k / 2)) : Vec3(axes.col(k / 2)));
  std::array<Triangle, 80> stack;  // a cut leaves one triangle for later, and each second one halves the size
  int count = 0;
  for (int octant = 0; octant < 8; ++octant) {
    stack[count++] = {poles[octant & 1], poles[2 + (octant >> 1 & 1)], poles[4 + (octant >> 2 & 1)]};
  }
  for (int seen = 0; count > 0; ++seen) {
    if (seen >= most) return false;
    const Triangle triangle = stack[--count];
    const double bound = least_reach(triangle), below = bound < 0 ? 1.75 * bound : bound;
    if (below >= least()) continue;
    int longest = 0;
    double length = 0;
    for (int k = 0; k < 3; ++k) {
      const double side = (triangle[(k + 1) % 3].n - triangle[k].n).squaredNorm();
      if (side > length) {
        length = side;
        longest = k;
      }
    }
    if (count + 2 > static_cast<int>(stack.size())) return false;
    if (below >= least() - tolerance && length <= finest * finest) {
      left(Vec3((triangle[0].n + triangle[1].n + triangle[2].n).normalized()));
      continue;
    }
    const int next = (longest + 1) % 3;
    const Reach middle = at((triangle[longest].n + triangle[next].n).normalized());
    Triangle first = triangle, second = triangle;
    first[longest] = middle;
    second[next] = middle;
    stack[count++] = first;
    stack[count++] = second;
  }
  return true;
}

}  // namespace carom
