#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "carom/spatial/types.h"

namespace carom::cutting {

using Triangle = std::array<int, 3>;

struct Mesh {
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
};

/// An order of points, by x, then y, then z.
bool before(const Vec3& a, const Vec3& b);

/// Throws Error for an index too large, or a vertex of a triangle that is not finite.
void check_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles);

/// Equal vertices become one. Vertices and triangles are sorted, so that their order in the file changes nothing.
/// Throws Error as check_triangles does.
Mesh welded(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles);

/// The triangle at the left of each directed edge; empty if the surface is not closed.
std::map<std::pair<int, int>, int> edges_of(const Mesh& mesh);

/// Volume within it, m³; < 0 if it is inside out.
double signed_volume(const Mesh& mesh);

/// Twice the triangle's area times its unit normal.
Vec3 twice_area(const Mesh& mesh, const Triangle& t);

/// Says how often the surface winds round a point: the sum of the triangles' solid angles (van Oosterom and Strackee
/// 1983) over 4π. Triangles far away are taken together as one dipole, as Barill, Dickson, Schmidt, Levin and Jacobson
/// (2018) do: O(log n) a point.
class WindingNumber {
 public:
  explicit WindingNumber(Mesh mesh) : mesh_(std::move(mesh)) {
    if (!mesh_.triangles.empty()) build(0, static_cast<int>(mesh_.triangles.size()));
  }

  double at(const Vec3& x) const;

 private:
  struct Node {
    Vec3 center = Vec3::Zero(), area = Vec3::Zero();
    double radius = 0;
    int first = 0, last = 0, second_child = 0;  ///< the first child follows; no children if 0
  };

  Vec3 thrice_centroid(const Triangle& t) const {
    return mesh_.vertices[t[0]] + mesh_.vertices[t[1]] + mesh_.vertices[t[2]];
  }

  int build(int first, int last);
  double angle(int place, const Vec3& x) const;

  Mesh mesh_;
  std::vector<Node> nodes_;
};

}  // namespace carom::cutting
