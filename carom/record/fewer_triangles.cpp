#include "carom/record/fewer_triangles.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <limits>

#include "carom/record/visuals.h"

namespace carom {
namespace {

/// The mesh of some of its triangles, with the vertices that these need.
TriangleMesh part_of(const TriangleMesh& mesh, const std::vector<std::uint32_t>& triangles) {
  constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();
  TriangleMesh part;
  std::vector<std::uint32_t> number(mesh.vertices.size(), unused);
  part.triangles.reserve(triangles.size());
  for (const std::uint32_t vertex : triangles) {
    if (number[vertex] == unused) {
      number[vertex] = static_cast<std::uint32_t>(part.vertices.size());
      part.vertices.push_back(mesh.vertices[vertex]);
    }
    part.triangles.push_back(number[vertex]);
  }
  return part;
}

/// The mesh with about `asked` corners of triangles; `points` are its vertices.
TriangleMesh simplified(const TriangleMesh& mesh, const std::vector<float>& points, std::size_t asked) {
  constexpr float any_error = 1;    // of the mesh's extent: the number of triangles decides
  constexpr std::size_t slack = 5;  // a fifth more than asked is as good
  const std::size_t count = mesh.triangles.size();
  constexpr std::size_t stride = 3 * sizeof(float);
  std::vector<std::uint32_t> fewer(count);
  fewer.resize(meshopt_simplify(fewer.data(), mesh.triangles.data(), count, points.data(), mesh.vertices.size(), stride,
                                asked, any_error, 0, nullptr));
  if (fewer.size() <= asked + asked / slack) return part_of(mesh, fewer);
  fewer.resize(count);
  fewer.resize(meshopt_simplifySloppy(fewer.data(), mesh.triangles.data(), count, points.data(), mesh.vertices.size(),
                                      stride, asked, any_error, nullptr));
  return part_of(mesh, fewer);
}

}  // namespace

TriangleMesh with_fewer_triangles(const TriangleMesh& mesh, std::size_t most) {
  std::vector<float> points;
  points.reserve(3 * mesh.vertices.size());
  for (const Vec3& vertex : mesh.vertices) {
    for (const double x : vertex) points.push_back(static_cast<float>(x));
  }
  for (std::size_t asked = 3 * std::max<std::size_t>(most, 1); asked < mesh.triangles.size(); asked *= 2) {
    TriangleMesh fewer = simplified(mesh, points, asked);
    if (has_area(fewer)) return fewer;
  }
  return mesh;
}

}  // namespace carom
