#include "carom/geometry/convex_parts.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "carom/error.h"
#include "carom/geometry/closed_surface.h"
#include "carom/geometry/cut_polygons.h"
#include "carom/geometry/part_hull.h"

// A part is the solid within a convex cell. Cells are made by cutting the bounding box by planes, so they are convex
// and disjoint, and so are the hulls of the parts. The extreme points of a part are vertices of the mesh, points in
// which its edges and triangles meet the cell's faces and edges, and corners of the cell that lie in the solid. So
// triangles clipped to the cell say it all, and no cut need be triangulated.
//
// Planes by reflex edges are the classic choice (Chazelle 1984); to choose them by volume is that of Ghosh, Amato, Lu
// and Lien (2013) and of CoACD (Wei, Liu, Ling and Su 2022), in the simplest form: greedy.
namespace carom {
namespace {

using namespace cutting;

/// More triangles than that are given fewer planes, and one attempt if it meets the bound.
constexpr std::size_t large = 5000;

/// A point in the solid, and the volume for which it stands.
struct Sample {
  Vec3 point = Vec3::Zero();
  double volume = 0;
};

struct ReflexEdge {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), normal_1 = Vec3::Zero(), normal_2 = Vec3::Zero();
  double angle = 0;  ///< beyond π, rad
  double weight() const { return angle * (b - a).norm(); }
};

struct Part {
  Soup surface, cell;
  std::vector<ReflexEdge> reflex;
  std::vector<Sample> samples;
  double volume = 0;  ///< of the solid in it, about
  Hull hull;
  bool final = false;  ///< no plane cuts it
  double excess() const { return hull.volume - volume; }
};

/// Points along parallel lines through the solid, 48 lines across its longest side. The lines are askew to any box, so
/// that a wall thinner than their distance has its share.
std::vector<Sample> samples_of(const Mesh& mesh, double volume) {
  const Mat3 turn = Eigen::Quaterniond(0.8, 0.31, 0.43, 0.27).normalized().toRotationMatrix();
  std::vector<Vec3> turned;
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (const Vec3& vertex : mesh.vertices) {
    turned.push_back(turn * vertex);
    lower = lower.cwiseMin(turned.back());
    upper = upper.cwiseMax(turned.back());
  }
  constexpr int across = 48;
  const double step = (upper - lower).maxCoeff() / across;
  std::vector<std::vector<double>> crossings(across * across);
  const auto line = [&](double x, int axis) { return lower[axis] + (x + 0.5) * step; };
  for (const Triangle& t : mesh.triangles) {
    const Vec3 &a = turned[t[0]], &b = turned[t[1]], &c = turned[t[2]];
    const Vec3 normal = (b - a).cross(c - a);
    if (normal.z() == 0) continue;
    const Vec3 low = (a.cwiseMin(b).cwiseMin(c) - lower) / step, high = (a.cwiseMax(b).cwiseMax(c) - lower) / step;
    for (int i = std::max(0, static_cast<int>(low.x() - 0.5)); i < across && i + 0.5 <= high.x(); ++i) {
      for (int j = std::max(0, static_cast<int>(low.y() - 0.5)); j < across && j + 0.5 <= high.y(); ++j) {
        const Vec3 p(line(i, 0), line(j, 1), 0);
        const auto side = [&](const Vec3& from, const Vec3& to) {
          return ((to - from).cross(p - from)).z() * normal.z() >= 0;
        };
        if (!side(a, b) || !side(b, c) || !side(c, a)) continue;
        crossings[i * across + j].push_back(a.z() - normal.head<2>().dot((p - a).head<2>()) / normal.z());
      }
    }
  }
  std::vector<Sample> samples;
  double sum = 0;
  for (int k = 0; k < across * across; ++k) {
    std::vector<double>& z = crossings[k];
    if (z.size() % 2 != 0) continue;  // the line meets an edge
    std::sort(z.begin(), z.end());
    for (std::size_t i = 0; i < z.size(); i += 2) {
      const double length = z[i + 1] - z[i], pieces = std::ceil(length / step);
      for (int n = 0; n < pieces; ++n) {
        const int row = k / across, column = k % across;
        const Vec3 point(line(row, 0), line(column, 1), z[i] + (n + 0.5) * length / pieces);
        samples.push_back({turn.transpose() * point, length / pieces});
      }
      sum += length;
    }
  }
  for (Sample& sample : samples) sample.volume *= volume / sum;
  return samples;
}

std::vector<ReflexEdge> reflex_edges(const Mesh& mesh, const std::map<std::pair<int, int>, int>& edges) {
  constexpr double flat = 1e-3;  // rad
  std::vector<ReflexEdge> found;
  for (const auto& [edge, t] : edges) {
    if (edge.first > edge.second) continue;
    const Triangle& other = mesh.triangles[edges.at({edge.second, edge.first})];
    const Vec3 m = twice_area(mesh, mesh.triangles[t]), n = twice_area(mesh, other);
    if (!(m.norm() > 0 && n.norm() > 0)) continue;
    const Vec3 &a = mesh.vertices[edge.first], &b = mesh.vertices[edge.second];
    // n is m turned about the edge, clockwise if the edge is reflex.
    const double angle = std::atan2(-m.cross(n).dot((b - a).normalized()), m.dot(n));
    if (angle > flat) found.push_back({a, b, m.normalized(), n.normalized(), angle});
  }
  return found;
}

/// Planes of faces next to reflex edges, and those that halve the angle at one; those that mend most come first.
std::vector<Plane> reflex_planes(std::vector<ReflexEdge> edges, std::size_t most_planes, double tolerance) {
  constexpr std::size_t most_edges = 200;
  std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight() > b.weight(); });
  if (edges.size() > most_edges) edges.resize(most_edges);
  std::vector<std::pair<double, Plane>> found;
  for (const ReflexEdge& edge : edges) {
    for (const Vec3& across : {edge.normal_1, edge.normal_2, Vec3(edge.normal_1 - edge.normal_2)}) {
      const Vec3 normal = across.normalized();
      const Plane plane{normal, normal.dot(edge.a)};
      const auto same = std::find_if(found.begin(), found.end(), [&](const auto& other) {
        const double sign = normal.dot(other.second.normal) < 0 ? -1 : 1;
        return (normal - sign * other.second.normal).norm() < 1e-6 &&
               std::abs(plane.offset - sign * other.second.offset) < tolerance;
      });
      if (same != found.end()) {
        same->first += edge.weight();
      } else {
        found.emplace_back(edge.weight(), plane);
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Plane> planes;
  for (std::size_t k = 0; k < std::min(found.size(), most_planes); ++k) planes.push_back(found[k].second);
  return planes;
}

/// Least and greatest signed distance of the points from the plane.
std::pair<double, double> reach(const Plane& plane, const std::vector<Vec3>& points) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& point : points) {
    low = std::min(low, plane.gap(point));
    high = std::max(high, plane.gap(point));
  }
  return {low, high};
}

/// Planes across the principal axes of the part.
std::vector<Plane> axis_planes(const Part& part) {
  Vec3 mean = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Vec3& x : part.hull.corners) mean += x / static_cast<double>(part.hull.corners.size());
  if (part.samples.size() >= 4) {
    mean.setZero();
    for (const Sample& s : part.samples) mean += s.volume / part.volume * s.point;
    for (const Sample& s : part.samples) second += s.volume * (s.point - mean) * (s.point - mean).transpose();
  } else {
    for (const Vec3& x : part.hull.corners) second += (x - mean) * (x - mean).transpose();
  }
  std::vector<Plane> planes;
  const Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(second).eigenvectors();
  for (int k = 2; k >= 0; --k) {
    const Vec3 axis = axes.col(k);
    const auto [low, high] = reach({axis, 0}, part.hull.corners);
    for (const int eighth : {4, 2, 6, 3, 5, 1, 7}) planes.push_back({axis, low + eighth / 8.0 * (high - low)});
  }
  return planes;
}

class Decomposition {
 public:
  Decomposition(const Mesh& mesh, const std::map<std::pair<int, int>, int>& edges, double volume);
  /// balance: weight of a cut's lopsidedness, see best_plane.
  void cut(const ConvexPartsOptions& options, double balance);
  void join(const ConvexPartsOptions& options);
  double excess() const;  ///< of the hulls over the solid, m³
  const std::vector<Hull>& hulls() const { return hulls_; }

 private:
  std::vector<Vec3> extreme_points(const Soup& surface, const Soup& cell) const;
  std::optional<Plane> best_plane(const Part& part, double balance) const;
  std::array<Part, 2> cut_by(const Part& part, const Plane& plane) const;

  WindingNumber winding_;
  double volume_ = 0, size_ = 0, tolerance_ = 0;
  std::vector<Part> parts_;
  std::vector<Hull> hulls_;
};

Decomposition::Decomposition(const Mesh& mesh, const std::map<std::pair<int, int>, int>& edges, double volume)
    : winding_(mesh), volume_(volume) {
  Part whole;
  whole.surface.points = mesh.vertices;
  Vec3 lower = mesh.vertices.front(), upper = lower;
  for (const Vec3& vertex : mesh.vertices) {
    lower = lower.cwiseMin(vertex);
    upper = upper.cwiseMax(vertex);
  }
  for (const Triangle& t : mesh.triangles) {
    whole.surface.loops.insert(whole.surface.loops.end(), t.begin(), t.end());
    whole.surface.ends.push_back(static_cast<int>(whole.surface.loops.size()));
  }
  size_ = (upper - lower).norm();
  tolerance_ = 1e-9 * size_;
  for (int i = 0; i < 8; ++i) {
    whole.cell.points.emplace_back(i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(),
                                   i & 4 ? upper.z() : lower.z());
  }
  whole.cell.loops = {0, 2, 6, 4, 1, 5, 7, 3, 0, 4, 5, 1, 2, 3, 7, 6, 0, 1, 3, 2, 4, 6, 7, 5};
  whole.cell.ends = {4, 8, 12, 16, 20, 24};
  whole.reflex = reflex_edges(mesh, edges);
  whole.samples = samples_of(mesh, volume);
  whole.volume = volume;
  whole.hull = hull_of(mesh.vertices);
  parts_.push_back(std::move(whole));
}

std::vector<Vec3> Decomposition::extreme_points(const Soup& surface, const Soup& cell) const {
  std::vector<Vec3> points = surface.points;
  Vec3 center = Vec3::Zero();
  for (const Vec3& corner : cell.points) center += corner / static_cast<double>(cell.points.size());
  // A corner may lie on the surface, where the winding number jumps. It counts if the solid is next to it in the cell.
  for (const Vec3& corner : cell.points) {
    if (winding_.at(corner + 1e-6 * (center - corner)) > 0.5) points.push_back(corner);
  }
  return points;
}

/// Least is best: the hulls' volume after the cut in units of the excess, more if one side is much the larger, less for
/// each reflex edge in the plane, which is none afterwards. The latter two lead where no single cut gains, as in a
/// ring. The weights are by trial on gears, rings, hooks, cups and tori.
std::optional<Plane> Decomposition::best_plane(const Part& part, double balance) const {
  const bool many = part.surface.ends.size() > large;
  std::vector<Plane> planes = reflex_planes(part.reflex, many ? 12 : 40, tolerance_);
  const std::vector<Plane> across = axis_planes(part);
  planes.insert(planes.end(), across.begin(), across.end());
  const double scale = std::max(part.excess(), 1e-3 * part.hull.volume);
  std::vector<double> scores(planes.size(), std::numeric_limits<double>::infinity()), cured(planes.size(), 0);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const Plane& plane = planes[i];
    const auto [low, high] = reach(plane, part.hull.corners);
    if (std::min(-low, high) < 1e-3 * (high - low)) continue;
    const std::array<Soup, 2> surface = split(part.surface, plane, tolerance_);
    std::array<Soup, 2> cell = split(part.cell, plane, tolerance_);
    std::array<double, 2> volume = {};
    for (int k = 0; k < 2; ++k) {
      close(cell[k], plane, tolerance_);
      volume[k] = rough_volume(extreme_points(surface[k], cell[k]));
    }
    const double sum = volume[0] + volume[1];
    scores[i] = sum / scale + balance * std::abs(volume[0] - volume[1]) / sum;
    for (const ReflexEdge& edge : part.reflex) {
      if (std::max(std::abs(plane.gap(edge.a)), std::abs(plane.gap(edge.b))) <= tolerance_) cured[i] += edge.weight();
    }
  }
  double total = 0;
  for (const ReflexEdge& edge : part.reflex) total += edge.weight();
  const double most = *std::max_element(cured.begin(), cured.end());
  for (std::size_t i = 0; i < planes.size() && most > 0; ++i) {
    scores[i] -= 0.1 * cured[i] / most + cured[i] / total;
  }
  const auto best = std::min_element(scores.begin(), scores.end());
  if (!std::isfinite(*best)) return {};
  return planes[best - scores.begin()];
}

std::array<Part, 2> Decomposition::cut_by(const Part& part, const Plane& plane) const {
  std::array<Part, 2> sides;
  std::array<Soup, 2> surface = split(part.surface, plane, tolerance_), cell = split(part.cell, plane, tolerance_);
  for (const ReflexEdge& edge : part.reflex) {
    const double at_a = plane.gap(edge.a), at_b = plane.gap(edge.b);
    const Vec3 middle = edge.a + at_a / (at_a - at_b) * (edge.b - edge.a);
    const bool crosses = std::min(at_a, at_b) < -tolerance_ && std::max(at_a, at_b) > tolerance_;
    for (int k = 0; k < 2; ++k) {
      const double sign = k == 0 ? -1 : 1;
      if (std::max(sign * at_a, sign * at_b) <= tolerance_) continue;
      ReflexEdge piece = edge;
      if (crosses) (sign * at_a > 0 ? piece.b : piece.a) = middle;
      sides[k].reflex.push_back(piece);
    }
  }
  for (const Sample& sample : part.samples) {
    Part& side = sides[plane.gap(sample.point) > 0 ? 1 : 0];
    side.samples.push_back(sample);
    side.volume += sample.volume;
  }
  for (int k = 0; k < 2; ++k) {
    close(cell[k], plane, tolerance_);
    sides[k].surface = std::move(surface[k]);
    sides[k].cell = std::move(cell[k]);
    sides[k].hull = hull_of(extreme_points(sides[k].surface, sides[k].cell));
  }
  return sides;
}

double Decomposition::excess() const {
  double sum = -volume_;
  for (const Part& part : parts_) sum += part.hull.volume;
  for (const Hull& hull : hulls_) sum += hull.volume;
  return sum;
}

void Decomposition::cut(const ConvexPartsOptions& options, double balance) {
  while (excess() > options.error * volume_ && static_cast<int>(parts_.size()) < options.most) {
    const auto worst = std::max_element(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) {
      return std::pair(!a.final, a.excess()) < std::pair(!b.final, b.excess());
    });
    if (worst->final) break;
    const std::optional<Plane> plane = best_plane(*worst, balance);
    if (!plane) {
      worst->final = true;
      continue;
    }
    std::array<Part, 2> sides = cut_by(*worst, *plane);
    *worst = std::move(sides[0]);
    parts_.push_back(std::move(sides[1]));
  }
  for (Part& part : parts_) hulls_.push_back(std::move(part.hull));
  parts_.clear();
  std::erase_if(hulls_, [](const Hull& hull) { return !(hull.volume > 0); });
}

/// Two parts become one, the least costly first, while the bound holds and their hull overlaps no other.
void Decomposition::join(const ConvexPartsOptions& options) {
  constexpr double never = std::numeric_limits<double>::infinity();
  std::map<std::pair<std::size_t, std::size_t>, double> costs;
  const auto joined = [&](std::size_t i, std::size_t j) {
    std::vector<Vec3> corners = hulls_[i].corners;
    corners.insert(corners.end(), hulls_[j].corners.begin(), hulls_[j].corners.end());
    return hull_of(std::move(corners));
  };
  const auto weigh = [&](std::size_t i, std::size_t j) {
    costs[{i, j}] = joined(i, j).volume - hulls_[i].volume - hulls_[j].volume;
  };
  for (std::size_t i = 0; i < hulls_.size(); ++i) {
    for (std::size_t j = i + 1; j < hulls_.size(); ++j) weigh(i, j);
  }
  while (!costs.empty()) {
    const auto least =
        std::min_element(costs.begin(), costs.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto [i, j] = least->first;
    const double room = std::max(options.error * volume_ - excess(), 1e-9 * volume_);
    if (least->second > room) break;
    Hull both = joined(i, j);
    bool free = true;
    for (std::size_t k = 0; k < hulls_.size() && free; ++k) {
      free = k == i || k == j || hulls_[k].corners.empty() || parted(both, hulls_[k], tolerance_);
    }
    if (!free) {
      least->second = never;
      continue;
    }
    hulls_[i] = std::move(both);
    hulls_[j] = Hull();
    std::erase_if(costs, [gone = j](const auto& c) { return c.first.first == gone || c.first.second == gone; });
    for (auto& [pair, cost] : costs) {
      if (pair.first == i || pair.second == i) weigh(pair.first, pair.second);
    }
  }
  std::erase_if(hulls_, [](const Hull& hull) { return hull.corners.empty(); });
}

/// Scatters the bits of a number (splitmix64, Steele, Lea and Flood 2014).
std::uint64_t scattered(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

/// A number that equal points share, and others as good as never.
std::uint64_t mark_of(const Vec3& point) {
  std::uint64_t mark = 0;
  for (const double x : point) mark = scattered(mark ^ std::bit_cast<std::uint64_t>(x + 0));  // −0 becomes 0
  return mark;
}

std::uint64_t mark_of_edge(std::uint64_t from, std::uint64_t to) { return scattered(scattered(from) ^ to); }

}  // namespace

std::optional<double> enclosed_volume(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles) {
  check_triangles(vertices, triangles);
  std::vector<std::uint64_t> marks;
  marks.reserve(vertices.size());
  for (const Vec3& vertex : vertices) marks.push_back(mark_of(vertex));
  std::uint64_t boundary = 0;
  double volume = 0;
  for (std::size_t t = 0; t < triangles.size(); t += 3) {
    const std::array corner = {triangles[t], triangles[t + 1], triangles[t + 2]};
    for (const int k : {0, 1, 2}) {
      const std::uint64_t a = marks[corner[k]], b = marks[corner[(k + 1) % 3]];
      boundary += mark_of_edge(a, b) - mark_of_edge(b, a);
    }
    const Vec3& o = vertices[triangles[0]];
    volume += (vertices[corner[0]] - o).dot((vertices[corner[1]] - o).cross(vertices[corner[2]] - o)) / 6;
  }
  if (triangles.empty() || boundary != 0) return {};
  return volume;
}

ConvexParts convex_parts(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles,
                         const ConvexPartsOptions& options) {
  if (!(options.error >= 0)) throw Error("the error of convex parts is not a number from 0 upwards");
  if (options.most < 1) throw Error("a solid has at least one convex part");
  Mesh mesh = welded(vertices, triangles);
  ConvexParts result;
  if (edges_of(mesh).empty())
    throw Error("the surface is not closed: each edge must join two triangles that wind alike");
  result.volume = signed_volume(mesh);
  if (result.volume < 0) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    result.volume = -result.volume;
  }
  if (!(result.volume > 0)) throw Error("the surface encloses no volume");
  const Decomposition whole(mesh, edges_of(mesh), result.volume);
  // Neither weight is better for all: lopsided cuts suit a gear, even ones a body with many dents.
  ConvexPartsOptions wanted = options;
  for (const double balance : {1.0, 0.15}) {
    Decomposition decomposition = whole;
    decomposition.cut(wanted, balance);
    decomposition.join(options);
    const double error = std::max(0.0, decomposition.excess() / result.volume);
    const std::size_t count = decomposition.hulls().size();
    const bool fits = error <= options.error;
    const bool better = fits ? result.error > options.error || count < result.parts.size() : error < result.error;
    if (!result.parts.empty() && !better) continue;
    result.error = error;
    result.parts.clear();
    for (const Hull& hull : decomposition.hulls()) result.parts.push_back(hull.corners);
    if (fits) wanted.most = static_cast<int>(count);
    if (fits && (count == 1 || mesh.triangles.size() > large)) break;
  }
  if (result.parts.empty()) throw Error("no part of the solid has a hull");
  return result;
}

}  // namespace carom
