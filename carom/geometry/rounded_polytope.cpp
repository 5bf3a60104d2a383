#include "carom/geometry/rounded_polytope.h"

#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

namespace carom {
namespace {

/// ∫ dV, ∫ x dV and ∫ x xᵀ dV.
struct PolytopeMoments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  /// Adds the set of all a + y, with y of the given moments.
  void add(const Vec3& a, const PolytopeMoments& y) {
    volume += y.volume;
    first += y.first + y.volume * a;
    second += y.second + a * y.first.transpose() + y.first * a.transpose() + y.volume * a * a.transpose();
  }
};

/// An edge from its lower vertex to the higher, and the normals beside it.
struct Edge {
  std::vector<Vec3> normals;
};
using Edges = std::map<std::pair<int, int>, Edge>;

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

void add_face(const Polyhedron& core, const Polyhedron::Face& face, double r, PolytopeMoments& moments) {
  const Vec3& n = face.normal;
  const Vec3& a = core.vertices[face.vertices[0]];
  for (std::size_t k = 1; k + 1 < face.vertices.size(); ++k) {
    const Vec3 b = core.vertices[face.vertices[k]] - a, c = core.vertices[face.vertices[k + 1]] - a, s = b + c;
    const double area = 0.5 * n.dot(b.cross(c));
    const Vec3 first = area * s / 3;
    PolytopeMoments prism;
    prism.volume = area * r;
    prism.first = r * first + r * r / 2 * area * n;
    prism.second = r * area / 12 * (b * b.transpose() + c * c.transpose() + s * s.transpose()) +
                   r * r / 2 * (first * n.transpose() + n * first.transpose()) +
                   r * r * r / 3 * area * n * n.transpose();
    moments.add(a, prism);
  }
}

void add_edge(const Vec3& from, const Vec3& to, const Vec3& n1, const Vec3& n2, double r, PolytopeMoments& moments) {
  const double angle = angle_between(n1, n2), L = (to - from).norm();
  if (!(angle > 1e-12)) return;  // a cut in a flat face
  const Vec3 u = (to - from) / L, bisector = (n1 + n2).normalized(), across = (n2 - n1).normalized();
  const double area = angle * r * r / 2;
  const Vec3 offset = r * r * r / 3 * std::tan(angle / 2) * (n1 + n2);
  PolytopeMoments sector;
  sector.volume = area * L;
  sector.first = area * L * L / 2 * u + L * offset;
  sector.second = area * L * L * L / 3 * u * u.transpose() +
                  L * L / 2 * (u * offset.transpose() + offset * u.transpose()) +
                  L * std::pow(r, 4) / 8 *
                      ((angle + std::sin(angle)) * bisector * bisector.transpose() +
                       (angle - std::sin(angle)) * across * across.transpose());
  moments.add(from, sector);
}

/// The parts of balls at the corners.
void add_corners(const Polyhedron& core, const Edges& edges, double r, PolytopeMoments& moments) {
  std::vector<double> solid_angle(core.vertices.size(), 2 * std::numbers::pi);
  std::vector<Vec3> first(core.vertices.size(), Vec3::Zero());   // ∫ n dΩ
  std::vector<Mat3> second(core.vertices.size(), Mat3::Zero());  // Σ tan(θ/2) (n_f + n_g) mᵀ
  for (const Polyhedron::Face& face : core.faces) {
    const std::size_t count = face.vertices.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Vec3& here = core.vertices[face.vertices[k]];
      const Vec3 on = core.vertices[face.vertices[(k + 1) % count]] - here;
      const Vec3 back = core.vertices[face.vertices[(k + count - 1) % count]] - here;
      solid_angle[face.vertices[k]] -= angle_between(on, back);
    }
  }
  for (const auto& [ends, edge] : edges) {
    const Vec3 m = (core.vertices[ends.second] - core.vertices[ends.first]).normalized();
    const double angle = angle_between(edge.normals[0], edge.normals[1]);
    const Vec3 arc = std::tan(angle / 2) * (edge.normals[0] + edge.normals[1]);
    first[ends.first] -= angle / 2 * m;
    first[ends.second] += angle / 2 * m;
    second[ends.first] += arc * m.transpose();
    second[ends.second] -= arc * m.transpose();
  }
  for (std::size_t i = 0; i < core.vertices.size(); ++i) {
    PolytopeMoments part;
    part.volume = std::pow(r, 3) / 3 * solid_angle[i];
    part.first = std::pow(r, 4) / 4 * first[i];
    part.second = std::pow(r, 5) / 15 * (solid_angle[i] * Mat3::Identity() - second[i]);
    moments.add(core.vertices[i], part);
  }
}

}  // namespace

std::shared_ptr<const Polyhedron> box_polyhedron(const Box& box) {
  const Vec3& h = box.half_extents;
  std::vector<Vec3> corners;
  corners.reserve(8);
  for (int i = 0; i < 8; ++i)
    corners.emplace_back(i & 1 ? h.x() : -h.x(), i & 2 ? h.y() : -h.y(), i & 4 ? h.z() : -h.z());
  return std::make_shared<const Polyhedron>(convex_hull(corners));
}

SpatialInertia rounded_inertia(const Polyhedron& core, double radius, double density) {
  const SpatialInertia of_core = core.inertia(1);
  PolytopeMoments moments, solid;
  solid.volume = of_core.mass;
  solid.second = of_core.central.trace() / 2 * Mat3::Identity() - of_core.central;
  moments.add(of_core.center, solid);
  Edges edges;
  for (const Polyhedron::Face& face : core.faces) {
    add_face(core, face, radius, moments);
    for (std::size_t k = 0; k < face.vertices.size(); ++k) {
      const auto ends = std::minmax(face.vertices[k], face.vertices[(k + 1) % face.vertices.size()]);
      edges[{ends.first, ends.second}].normals.push_back(face.normal);
    }
  }
  for (const auto& [ends, edge] : edges) {
    add_edge(core.vertices[ends.first], core.vertices[ends.second], edge.normals[0], edge.normals[1], radius, moments);
  }
  add_corners(core, edges, radius, moments);

  const Vec3 center = moments.first / moments.volume;
  Mat3 second = moments.second - moments.volume * center * center.transpose();
  second = 0.5 * (second + second.transpose()).eval();
  return {density * moments.volume, center, density * (second.trace() * Mat3::Identity() - second)};
}

}  // namespace carom
