#include "carom/geometry/polyhedron.h"

#include <libqhull_r/qhull_ra.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <sstream>
#include <tuple>

#include "carom/error.h"
#include "carom/geometry/qhull.h"
#include "carom/geometry/vertex_tree.h"

namespace carom {
namespace {

/// Meshes are stored in single precision: faces of one plane in the drawing part by so much of the mesh's size.
constexpr double one_plane = 1e-6;

/// Faces whose centres lie within `merged` of one another's planes become one.
bool run(Qhull& qhull, std::vector<Vec3>& points, double merged) {
  std::ostringstream command;
  command << "qhull C-" << merged;
  return qhull.run(3, static_cast<int>(points.size()), points.front().data(), command.str());
}

/// With more points than that, flats are looked for among the corners alone.
constexpr std::size_t many_points = 20000;

/// The first of equal points, in their order. Triangles of a mesh file repeat each vertex about six times, which would
/// cost Qhull more than to find them.
std::vector<Vec3> without_repeats(const std::vector<Vec3>& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const Vec3 &a = points[i], &b = points[j];
    return std::tie(a.x(), a.y(), a.z(), i) < std::tie(b.x(), b.y(), b.z(), j);
  });
  const auto equal = [&](std::size_t i, std::size_t j) { return points[i] == points[j]; };
  order.erase(std::unique(order.begin(), order.end(), equal), order.end());
  std::sort(order.begin(), order.end());
  std::vector<Vec3> first;
  first.reserve(order.size());
  for (const std::size_t i : order) first.push_back(points[i]);
  return first;
}

double largest_extent(const std::vector<Vec3>& points) {
  Vec3 lower = points.front(), upper = points.front();
  for (const Vec3& point : points) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  return (upper - lower).maxCoeff();
}

/// The polygon's area times its unit normal, by Newell's sum.
Vec3 area_vector(const std::vector<Vec3>& vertices, const std::vector<int>& loop) {
  Vec3 area = Vec3::Zero();
  const Vec3& origin = vertices[loop.front()];
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) {
    area += 0.5 * (vertices[loop[k]] - origin).cross(vertices[loop[k + 1]] - origin);
  }
  return area;
}

/// Volume, and volume times centroid, of the tetrahedra between `apex` and the faces.
std::pair<double, Vec3> volume_about(const Polyhedron& solid, const Vec3& apex) {
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  for (const Polyhedron::Face& face : solid.faces) {
    const Vec3 a = solid.vertices[face.vertices[0]] - apex;
    for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
      const Vec3 b = solid.vertices[face.vertices[k]] - apex, c = solid.vertices[face.vertices[k + 1]] - apex;
      const double part = a.dot(b.cross(c)) / 6;
      volume += part;
      moment += part * (a + b + c) / 4;
    }
  }
  return {volume, moment + volume * apex};
}

void join_neighbours(Polyhedron& solid) {
  solid.neighbours.resize(solid.vertices.size());
  for (const Polyhedron::Face& face : solid.faces) {
    // Each edge is met once from either side.
    for (std::size_t k = 0; k < face.vertices.size(); ++k) {
      solid.neighbours[face.vertices[k]].push_back(face.vertices[(k + 1) % face.vertices.size()]);
    }
  }
  for (std::vector<int>& around : solid.neighbours) std::sort(around.begin(), around.end());
}

void find_planes(const std::vector<Vec3>& vertices, const VertexTree& tree, std::vector<Polyhedron::Face>& faces) {
  for (Polyhedron::Face& face : faces) {
    face.normal = area_vector(vertices, face.vertices).normalized();
    face.offset = tree.farthest_reach(face.normal, face.normal.dot(vertices[face.vertices.front()]));
  }
}

void measure(Polyhedron& solid) {
  for (const Vec3& vertex : solid.vertices) solid.radius = std::max(solid.radius, vertex.norm());
  const auto [volume, moment] = volume_about(solid, solid.vertices.front());
  const Vec3 centroid = moment / volume;
  solid.inner_radius = std::numeric_limits<double>::infinity();
  for (const Polyhedron::Face& face : solid.faces) {
    solid.inner_radius = std::min(solid.inner_radius, face.offset - face.normal.dot(centroid));
  }
}

/// The faces as Qhull has them. number[i] is the vertex at points[i], −1 if it has been none; new ones are added.
std::vector<Polyhedron::Face> take_faces(Qhull& qhull, const std::vector<Vec3>& points, std::vector<int>& number,
                                         std::vector<Vec3>& vertices) {
  qhT* qh = qhull.state();
  std::vector<Polyhedron::Face> faces;
  facetT* facet = nullptr;
  FORALLfacets {
    setT* loop = qh_facet3vertex(qh, facet);
    Polyhedron::Face face;
    vertexT *vertex = nullptr, **vertexp = nullptr;
    FOREACHvertex_(loop) {
      const int point = qh_pointid(qh, vertex->point);
      if (number[point] < 0) {
        number[point] = static_cast<int>(vertices.size());
        vertices.push_back(points[point]);
      }
      face.vertices.push_back(number[point]);
    }
    qh_settempfree(qh, &loop);
    std::reverse(face.vertices.begin(), face.vertices.end());  // Qhull goes clockwise
    faces.push_back(std::move(face));
  }
  return faces;
}

}  // namespace

int Polyhedron::farthest(const Vec3& direction) const {
  int best = 0;
  double reach = direction.dot(vertices[0]);
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const double here = direction.dot(vertices[i]);
    if (here > reach) {
      reach = here;
      best = static_cast<int>(i);
    }
  }
  return best;
}

SpatialInertia Polyhedron::inertia(double density) const {
  const auto [volume, moment] = volume_about(*this, vertices.front());
  const Vec3 centroid = moment / volume;
  // Second moments of a tetrahedron with one corner at the centroid: V/20 (Σ vᵢ vᵢᵀ + s sᵀ), s = Σ vᵢ (Tonon 2004).
  Mat3 second = Mat3::Zero();
  for (const Face& face : faces) {
    const Vec3 a = vertices[face.vertices[0]] - centroid;
    for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
      const Vec3 b = vertices[face.vertices[k]] - centroid, c = vertices[face.vertices[k + 1]] - centroid;
      const Vec3 s = a + b + c;
      second +=
          a.dot(b.cross(c)) / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
    }
  }
  return {density * volume, centroid, density * (second.trace() * Mat3::Identity() - second)};
}

Polyhedron convex_hull(const std::vector<Vec3>& points) {
  for (const Vec3& point : points) {
    if (!point.allFinite()) throw Error("a vertex is not finite");
  }
  if (points.size() < 4) {
    throw Error("there are " + std::to_string(points.size()) + " vertices; a solid has at least 4");
  }
  const bool many = points.size() > many_points;
  std::vector<Vec3> outer = without_repeats(points);
  const double size = largest_extent(outer);
  Qhull exact, merged;
  const char* flat = "its vertices lie in one plane, or so nearly that they span no solid";
  if (!(size > 0) || !run(exact, outer, 0)) throw Error(flat);
  Polyhedron solid;
  std::vector<int> number(outer.size(), -1);
  solid.faces = take_faces(exact, outer, number, solid.vertices);
  if (many) {  // faces of one plane are those of the vertices found
    outer = solid.vertices;
    number.resize(outer.size());
    std::iota(number.begin(), number.end(), 0);
  }
  if (!run(merged, outer, one_plane * size)) throw Error(flat);
  solid.flats = take_faces(merged, outer, number, solid.vertices);
  join_neighbours(solid);
  const VertexTree tree(solid.vertices);
  find_planes(solid.vertices, tree, solid.faces);
  find_planes(solid.vertices, tree, solid.flats);
  measure(solid);
  if (!(solid.inner_radius > one_plane * size)) throw Error(flat);
  return solid;
}

}  // namespace carom
