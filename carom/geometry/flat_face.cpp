#include "carom/geometry/flat_face.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/geometry/core.h"

namespace carom {
namespace {

const double gauss = 1 / std::sqrt(3.0);  // the rule of two points on [−1, 1]

/// ⌈x⌉, at least 1; at most what is far beyond any use, so that small spacings make no number that int can't hold.
int whole(double x) {
  constexpr double most = 1e6;
  return static_cast<int>(std::ceil(std::clamp(x, 1.0, most)));
}

/// Pieces of a length that hold two nodes each.
int pieces(double length, double spacing) { return whole(length / (2 * spacing)); }

/// Nodes up to a number, as they are added.
struct NodeList {
  std::size_t most;
  std::vector<FaceNode> nodes;

  bool is_full() const { return nodes.size() >= most; }
  void add(const FaceNode& node) {
    if (!is_full()) nodes.push_back(node);
  }
};

/// A rectangle about `center` with half edges u and v.
void add_rectangle(const Vec3& center, const Vec3& u, const Vec3& v, const Vec3& normal, double spacing,
                   NodeList& list) {
  const int nu = pieces(2 * u.norm(), spacing), nv = pieces(2 * v.norm(), spacing);
  const double area = u.norm() * v.norm() / nu / nv;
  const auto place = [](int i, int n) {
    const double side = i % 2 == 0 ? -gauss : gauss;
    const int piece = i / 2;
    return (2 * piece + 1 + side) / n - 1;
  };
  for (int i = 0; i < 2 * nu && !list.is_full(); ++i) {
    for (int j = 0; j < 2 * nv && !list.is_full(); ++j) {
      list.add({center + place(i, nu) * u + place(j, nv) * v, normal, area});
    }
  }
}

/// Three nodes of a triangle, where two of their barycentric coordinates are 1/6: exact for squares.
void add_small_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal, NodeList& list) {
  const Vec3 sum = (a + b + c) / 6;
  const double area = (b - a).cross(c - a).norm() / 6;
  for (const Vec3& corner : {a, b, c}) list.add({sum + corner / 2, normal, area});
}

void add_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal, double spacing, NodeList& list) {
  const double area = (b - a).cross(c - a).norm() / 2;
  const int n = whole(std::sqrt(area / 3) / spacing);
  const auto at = [&](int i, int j) -> Vec3 { return a + (i * (b - a) + j * (c - a)) / n; };
  for (int i = 0; i < n && !list.is_full(); ++i) {
    for (int j = 0; i + j < n && !list.is_full(); ++j) {
      add_small_triangle(at(i, j), at(i + 1, j), at(i, j + 1), normal, list);
      if (i + j + 1 < n) add_small_triangle(at(i + 1, j + 1), at(i, j + 1), at(i + 1, j), normal, list);
    }
  }
}

/// A disc about (0, 0, z).
void add_disc(double radius, double z, const Vec3& normal, double spacing, NodeList& list) {
  constexpr double turn = 2 * std::numbers::pi;
  const int rings = pieces(radius, spacing);
  for (int i = 0; i < 2 * rings && !list.is_full(); ++i) {
    const int ring = i / 2;
    const double inner = radius * ring / rings, outer = radius * (ring + 1) / rings;
    const double middle = (inner * inner + outer * outer) / 2, half = (outer * outer - inner * inner) / 2;
    const double r = std::sqrt(middle + (i % 2 == 0 ? -gauss : gauss) * half);
    const int count = std::max(4, whole(turn * r / spacing));
    for (int k = 0; k < count && !list.is_full(); ++k) {
      const double angle = turn * (k + 0.5 * (i % 2)) / count;
      list.add({{r * std::cos(angle), r * std::sin(angle), z}, normal, turn / 2 * half / count});
    }
  }
}

}  // namespace

FlatFace face_along(const Shape& shape, const Vec3& direction) {
  FlatFace face;
  const auto take = [&](const Vec3& n, const Vec3& p) {
    if (n.dot(direction) > face.cosine) face = {n, p, n.dot(direction)};
  };
  if (std::holds_alternative<HalfSpace>(shape)) {
    take(Vec3::UnitZ(), Vec3::Zero());
  } else if (const auto* box = std::get_if<Box>(&shape)) {
    for (int i = 0; i < 3; ++i) {
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 n = sign * Vec3::Unit(i);
        take(n, n * box->half_extents[i]);
      }
    }
  } else if (const Polyhedron* solid = polyhedron_of(shape)) {
    const double rounding = core_radius(shape);
    for (const Polyhedron::Face& f : solid->faces) take(f.normal, f.normal * (f.offset + rounding));
  } else if (std::holds_alternative<Cone>(shape)) {
    take(-Vec3::UnitZ(), Vec3::Zero());
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 n = sign * Vec3::UnitZ();
      take(n, n * cylinder->half_length);
    }
  }
  return face;
}

std::vector<FaceNode> face_nodes(const Shape& shape, double spacing, std::size_t most) {
  NodeList list{most, {}};
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vec3& half = box->half_extents;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 n = sign * Vec3::Unit(i);
        add_rectangle(half[i] * n, half[j] * Vec3::Unit(j), half[k] * Vec3::Unit(k), n, spacing, list);
      }
    }
  } else if (const Polyhedron* solid = polyhedron_of(shape)) {
    const double rounding = core_radius(shape);
    for (const Polyhedron::Face& face : solid->flats) {
      const Vec3 out = rounding * face.normal;
      const auto corner = [&](std::size_t i) -> Vec3 { return solid->vertices[face.vertices[i]] + out; };
      for (std::size_t i = 1; i + 1 < face.vertices.size(); ++i) {
        add_triangle(corner(0), corner(i), corner(i + 1), face.normal, spacing, list);
      }
    }
  } else if (const auto* cone = std::get_if<Cone>(&shape)) {
    add_disc(cone->radius, 0, -Vec3::UnitZ(), spacing, list);
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    for (const double sign : {-1.0, 1.0}) {
      add_disc(cylinder->radius, sign * cylinder->half_length, sign * Vec3::UnitZ(), spacing, list);
    }
  }
  return list.nodes;
}

}  // namespace carom
