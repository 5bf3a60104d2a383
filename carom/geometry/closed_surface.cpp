#include "carom/geometry/closed_surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "carom/error.h"

namespace carom::cutting {

bool before(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

void check_triangles(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles) {
  if (triangles.size() % 3 != 0) throw Error("the indices of triangles are no multiple of three");
  for (const std::uint32_t i : triangles) {
    if (i >= vertices.size()) {
      throw Error("a triangle names vertex " + std::to_string(i) + " of " + std::to_string(vertices.size()));
    }
    if (!vertices[i].allFinite()) throw Error("a vertex is not finite");
  }
}

Mesh welded(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles) {
  check_triangles(vertices, triangles);
  Mesh mesh;
  for (const std::uint32_t i : triangles) mesh.vertices.push_back(vertices[i] + Vec3::Zero());  // −0 becomes 0
  const std::vector<Vec3> corners = mesh.vertices;
  std::sort(mesh.vertices.begin(), mesh.vertices.end(), before);
  mesh.vertices.erase(std::unique(mesh.vertices.begin(), mesh.vertices.end()), mesh.vertices.end());
  const auto number = [&](const Vec3& corner) {
    return static_cast<int>(std::lower_bound(mesh.vertices.begin(), mesh.vertices.end(), corner, before) -
                            mesh.vertices.begin());
  };
  for (std::size_t k = 0; k < corners.size(); k += 3) {
    Triangle t = {number(corners[k]), number(corners[k + 1]), number(corners[k + 2])};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;  // its edges cancel
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    mesh.triangles.push_back(t);
  }
  std::sort(mesh.triangles.begin(), mesh.triangles.end());
  return mesh;
}

std::map<std::pair<int, int>, int> edges_of(const Mesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const std::pair<int, int> edge(mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]);
      if (!edges.emplace(edge, static_cast<int>(t)).second) return {};
    }
  }
  for (const auto& [edge, t] : edges) {
    if (!edges.contains({edge.second, edge.first})) return {};
  }
  return edges;
}

double signed_volume(const Mesh& mesh) {
  double volume = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3& o = mesh.vertices.front();
    volume += (mesh.vertices[t[0]] - o).dot((mesh.vertices[t[1]] - o).cross(mesh.vertices[t[2]] - o)) / 6;
  }
  return volume;
}

Vec3 twice_area(const Mesh& mesh, const Triangle& t) {
  return (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

double WindingNumber::at(const Vec3& x) const {
  return mesh_.triangles.empty() ? 0 : angle(0, x) / (4 * std::numbers::pi);
}

int WindingNumber::build(int first, int last) {
  Node node;
  node.first = first;
  node.last = last;
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  double weight = 0;
  for (int t = first; t < last; ++t) {
    const Vec3 area = twice_area(mesh_, mesh_.triangles[t]) / 2, sum = thrice_centroid(mesh_.triangles[t]);
    node.area += area;
    node.center += area.norm() / 3 * sum;
    weight += area.norm();
    lower = lower.cwiseMin(sum);
    upper = upper.cwiseMax(sum);
  }
  node.center = weight > 0 ? Vec3(node.center / weight) : Vec3((lower + upper) / 6);
  for (int t = first; t < last; ++t) {
    for (const int i : mesh_.triangles[t]) {
      node.radius = std::max(node.radius, (mesh_.vertices[i] - node.center).norm());
    }
  }
  const int place = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  if (last - first > 8) {
    int axis = 0;
    (upper - lower).maxCoeff(&axis);
    const auto begin = mesh_.triangles.begin();
    const int middle = (first + last) / 2;
    std::nth_element(begin + first, begin + middle, begin + last, [&](const Triangle& a, const Triangle& b) {
      const double at_a = thrice_centroid(a)[axis], at_b = thrice_centroid(b)[axis];
      return at_a < at_b || (at_a == at_b && a < b);
    });
    build(first, middle);
    nodes_[place].second_child = build(middle, last);
  }
  return place;
}

double WindingNumber::angle(int place, const Vec3& x) const {
  const Node& node = nodes_[place];
  const Vec3 away = node.center - x;
  const double distance = away.norm();
  if (distance > 3 * node.radius) return node.area.dot(away) / (distance * distance * distance);
  if (node.second_child != 0) return angle(place + 1, x) + angle(node.second_child, x);
  double sum = 0;
  for (int t = node.first; t < node.last; ++t) {
    const Triangle& triangle = mesh_.triangles[t];
    const Vec3 a = mesh_.vertices[triangle[0]] - x, b = mesh_.vertices[triangle[1]] - x,
               c = mesh_.vertices[triangle[2]] - x;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum;
}

}  // namespace carom::cutting
