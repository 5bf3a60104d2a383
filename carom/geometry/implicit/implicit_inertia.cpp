#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/error.h"
#include "carom/geometry/implicit/implicit_solid.h"

namespace carom {
namespace {

constexpr std::size_t most_cut_triangles = 4000;
constexpr double enough = 1e-9, tolerable = 1e-5;  // of the whole, estimated

/// ∫ dV, ∫ y dV and ∫ y yᵀ dV (xx, yy, zz, yz, zx, xy), y from the inner point.
using Moments = Eigen::Matrix<double, 10, 1>;

/// Radon's rule of degree 5 with 7 points: barycentric coordinates and weights.
struct Node {
  double a, b, c, weight;
};
std::array<Node, 7> radon_rule() {
  const double root = std::sqrt(15.0);
  std::array<Node, 7> rule;
  rule[0] = {1.0 / 3, 1.0 / 3, 1.0 / 3, 9.0 / 40};
  for (const int sign : {-1, 1}) {
    const double a = (6 + sign * root) / 21, b = 1 - 2 * a, weight = (155 + sign * root) / 1200;
    const int first = sign < 0 ? 1 : 4;
    rule[first] = {b, a, a, weight};
    rule[first + 1] = {a, b, a, weight};
    rule[first + 2] = {a, a, b, weight};
  }
  return rule;
}

/// A triangle of an octahedron's face.
struct Triangle {
  Vec3 a, b, c;
};

/// within: no ray is shorter, m.
Moments of_triangle(const ImplicitBody& body, const Triangle& t, double within) {
  static const std::array<Node, 7> rule = radon_rule();
  const Vec3 area = 0.5 * (t.b - t.a).cross(t.c - t.a);
  Moments sum = Moments::Zero();
  for (const Node& node : rule) {
    const Vec3 p = node.a * t.a + node.b * t.b + node.c * t.c, n = p.normalized();
    const double cone = std::abs(area.dot(n)) / p.squaredNorm();  // dΩ
    const double r = ray_length(body, n, within), r3 = r * r * r;
    Moments at;
    at << r3 / 3, r3 * r / 4 * n, r3 * r * r / 5 * n.cwiseAbs2(),
        r3 * r * r / 5 * Vec3(n.y() * n.z(), n.z() * n.x(), n.x() * n.y());
    sum += node.weight * cone * at;
  }
  return sum;
}

/// Four quarters, their moments, and how far those differ from the whole's, in units of the solid.
struct Cut {
  std::array<Triangle, 4> quarters;
  std::array<Moments, 4> moments;
  double error = 0;
  bool operator<(const Cut& other) const { return error < other.error; }
};

Cut cut_triangle(const ImplicitBody& body, const Triangle& t, const Moments& whole, double size, double within) {
  const Vec3 ab = 0.5 * (t.a + t.b), bc = 0.5 * (t.b + t.c), ca = 0.5 * (t.c + t.a);
  Cut made = {{Triangle{t.a, ab, ca}, Triangle{ab, t.b, bc}, Triangle{ca, bc, t.c}, Triangle{ab, bc, ca}}, {}, 0};
  Moments change = -whole;
  for (int i = 0; i < 4; ++i) {
    made.moments[i] = of_triangle(body, made.quarters[i], within);
    change += made.moments[i];
  }
  const double volume = size * size * size;
  made.error = std::max({std::abs(change[0]) / volume, change.segment<3>(1).norm() / (volume * size),
                         change.tail<6>().norm() / (volume * size * size)});
  return made;
}

/// Throws Error if the triangles do not suffice.
Moments moments_of(const ImplicitSolid& solid) {
  const double size = std::cbrt((solid.upper - solid.lower).prod());
  std::vector<Cut> heap;  // worst on top
  double error = 0;
  const double within = solid.inner_radius > 0 ? solid.inner_radius : 1e-3;
  const auto add = [&](const Triangle& t, const Moments& whole) {
    heap.push_back(cut_triangle(solid.body, t, whole, size, within));
    error += heap.back().error;
    std::push_heap(heap.begin(), heap.end());
  };
  for (int octant = 0; octant < 8; ++octant) {
    const Triangle face = {Vec3(octant & 1 ? 1 : -1, 0, 0), Vec3(0, octant & 2 ? 1 : -1, 0),
                           Vec3(0, 0, octant & 4 ? 1 : -1)};
    add(face, of_triangle(solid.body, face, within));
  }
  while (error > enough && heap.size() < most_cut_triangles) {
    std::pop_heap(heap.begin(), heap.end());
    const Cut worst = heap.back();
    heap.pop_back();
    error -= worst.error;
    for (int i = 0; i < 4; ++i) add(worst.quarters[i], worst.moments[i]);
  }
  if (!(error <= tolerable)) {
    throw Error("the inertia of an implicit shape is not found to five digits; give its body a mass and an inertia");
  }
  Moments sum = Moments::Zero();
  for (const Cut& part : heap) {
    for (const Moments& moments : part.moments) sum += moments;
  }
  return sum;
}

}  // namespace

SpatialInertia implicit_inertia(const ImplicitSolid& solid, double density) {
  const auto* sheet = std::get_if<ParametricSurface>(&solid.body.surfaces.front());
  const Moments m = sheet ? sheet->sheet->moments() : moments_of(solid);
  const double volume = m[0];
  const Vec3 center = m.segment<3>(1) / volume;
  Mat3 second;
  second << m[4], m[9], m[8], m[9], m[5], m[7], m[8], m[7], m[6];
  second -= volume * center * center.transpose();
  return {density * volume, solid.body.inside + center, density * (second.trace() * Mat3::Identity() - second)};
}

}  // namespace carom
