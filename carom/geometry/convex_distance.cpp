#include "carom/geometry/convex_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/geometry/bullet_normal.h"
#include "carom/geometry/core.h"
#include "carom/geometry/feature.h"
#include "carom/geometry/way_out.h"

namespace carom {
namespace {

constexpr double near_angle = 1e-2;  // rad: how far off a first normal may be from an edge's great circle
constexpr int most_edges = 6;        // of one shape
constexpr int most_steps = 40;
// Settings of the search of all directions where cores overlap:
constexpr double finest_angle = 4e-3;  // rad
constexpr int most_direction_triangles = 4000;
constexpr int most_climbs = 16;  // from where it leaves off

/// A core and its pose, told from an origin near both shapes so that large coordinates cost no digits.
struct PlacedCore {
  const Shape& shape;
  const Mat3& R;
  Vec3 p;

  Support support(const Vec3& direction) const {
    const Support local = core_support(shape, R.transpose() * direction);
    return {p + R * local.point, R * local.hessian * R.transpose()};
  }
  Vec3 farthest(const Vec3& direction) const { return p + R * core_support(shape, R.transpose() * direction).point; }
  int edges(const Vec3& direction, Vec3* found) const {
    const int count = near_edges(shape, R.transpose() * direction, near_angle, found, most_edges);
    for (int i = 0; i < count; ++i) found[i] = R * found[i];
    return count;
  }
};

struct PlacedCores {
  PlacedCore a, b;
  double size;  ///< of both, m

  double separation(const Vec3& n) const { return n.dot(a.farthest(-n) - b.farthest(n)); }
};

/// Any unit vector perpendicular to n.
Vec3 across(const Vec3& n) {
  int k = 0;
  n.cwiseAbs().minCoeff(&k);
  return n.cross(Vec3::Unit(k)).normalized();
}

struct Climb {
  Vec3 normal;
  double separation;
};

/// Gradient and turn of Newton's method at n, in a basis of the directions in which n may turn.
struct Slope {
  Eigen::Matrix<double, 3, 2> basis;
  Vec2 gradient, turn;
  bool concave;  ///< else the turn is up the gradient, of no particular length
};

Slope slope_at(const PlacedCores& pair, const Climb& at, const Vec3* edge) {
  const Support a = pair.a.support(-at.normal), b = pair.b.support(at.normal);
  Slope slope;
  slope.basis.col(0) = edge ? Vec3(at.normal.cross(*edge)) : across(at.normal);
  slope.basis.col(1) = edge ? Vec3::Zero() : Vec3(at.normal.cross(slope.basis.col(0)));
  slope.gradient = slope.basis.transpose() * (a.point - b.point);
  Mat2 K = slope.basis.transpose() * (a.hessian + b.hessian) * slope.basis + at.separation * Mat2::Identity();
  if (edge) K(1, 1) = 1;
  // An overlap deeper than the shapes are curved makes this no maximum yet: climb by the gradient.
  const double trace = K.trace(), determinant = K.determinant();
  slope.concave = trace > 0 && determinant > 1e-14 * trace * trace;
  slope.turn = slope.concave ? Vec2(K.inverse() * slope.gradient) : Vec2(0.1 * slope.gradient.normalized());
  return slope;
}

/// Climbs s from n on the whole sphere, or, with an edge, on its great circle.
Climb climb_apart(const PlacedCores& pair, Vec3 n, const Vec3* edge) {
  if (edge) n = (n - n.dot(*edge) * *edge).normalized();
  Climb best = {n, pair.separation(n)};
  const double round_off = 1e-15 * pair.size;
  double last_gradient = std::numeric_limits<double>::infinity();
  for (int step = 0; step < most_steps; ++step) {
    const Slope slope = slope_at(pair, best, edge);
    const double gradient = slope.gradient.norm();
    if (gradient <= round_off) break;
    // s is flat at its maximum: what it no longer tells apart, the gradient does.
    const bool polishing = slope.concave && gradient < 0.5 * last_gradient;
    last_gradient = gradient;
    bool risen = false;
    const Vec3 from = best.normal;
    double part = std::min(1.0, 0.5 / slope.turn.norm());
    for (int halving = 0; halving < 30 && !risen; ++halving, part *= 0.5) {
      const Vec3 next = (from + slope.basis * (part * slope.turn)).normalized();
      const double s = pair.separation(next);
      risen = s > best.separation || (polishing && part == 1 && s > best.separation - 4 * round_off);
      if (!risen) continue;
      best = {next, s};
      // Newton's method overshoots many times where a support turns ever faster, at a superquadric's flat ends.
      for (part *= 0.5; halving > 0; part *= 0.5) {
        const Vec3 shorter = (from + slope.basis * (part * slope.turn)).normalized();
        const double rise = pair.separation(shorter);
        if (!(rise > best.separation)) break;
        best = {shorter, rise};
      }
    }
    if (!risen) break;
  }
  return best;
}

/// Keeps the greatest separation, and of those that are equal to round-off the one that more edges determine.
class Choice {
 public:
  explicit Choice(double round_off) : round_off_(round_off) {}
  void offer(const Climb& found, int edges) {
    const double rise = found.separation - best_.separation;
    if (rise > round_off_ || (rise > -round_off_ && edges > edges_)) {
      best_ = found;
      edges_ = edges;
    }
  }
  /// Takes what is better by another measure, unless its separation is less.
  void replace(const Climb& found) {
    if (found.separation > best_.separation - round_off_) best_ = found;
  }
  const Climb& best() const { return best_; }

 private:
  double round_off_;
  Climb best_ = {Vec3::UnitZ(), -std::numeric_limits<double>::infinity()};
  int edges_ = -1;
};

/// The normals where edges near n cross.
void offer_crossings(const PlacedCores& pair, const Vec3& n, const Vec3* edges, int count, Choice& choice) {
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      // Across both to round-off, however nearly parallel they are: s may fall off along a long edge.
      const Vec3 apart = edges[j] - edges[i].dot(edges[j]) * edges[i];
      if (apart.norm() < 1e-6) continue;
      const Vec3 m = edges[i].cross(apart).normalized();
      const Vec3 crossing = m.dot(n) < 0 ? Vec3(-m) : m;
      choice.offer({crossing, pair.separation(crossing)}, 2);
    }
  }
}

int edges_near(const PlacedCores& pair, const Vec3& n, std::array<Vec3, 2 * most_edges>& edges) {
  const int count = pair.a.edges(-n, edges.data());
  return count + pair.b.edges(n, edges.data() + count);
}

/// The climbs from n on the great circle of each edge nearby, and the normals where two of them cross.
void climb_edges(const PlacedCores& pair, const Vec3& n, Choice& choice) {
  std::array<Vec3, 2 * most_edges> edges;
  const int count = edges_near(pair, n, edges);
  for (int i = 0; i < count; ++i) choice.offer(climb_apart(pair, n, &edges[i]), 1);
  offer_crossings(pair, n, edges.data(), count, choice);
}

/// A climb along an edge ends short of the next one by what halving leaves; the crossing itself is exact.
void settle_choice(const PlacedCores& pair, Choice& choice) {
  const Vec3 n = choice.best().normal;
  std::array<Vec3, 2 * most_edges> edges;
  offer_crossings(pair, n, edges.data(), edges_near(pair, n, edges), choice);
}

/// The climbs from n on the sphere, and along the edges near n and near where that climb ended, maybe at a kink.
void climb_all(const PlacedCores& pair, const Vec3& n, Choice& choice) {
  const Climb free = climb_apart(pair, n, nullptr);
  choice.offer(free, 0);
  climb_edges(pair, n, choice);
  if ((free.normal - n).norm() > 0.1 * near_angle) climb_edges(pair, free.normal, choice);
}

/// The greatest separation of cores that overlap. Climbs from every direction that is found to be better. Finally
/// climbs from directions elsewhere that may be better by less than the tolerance.
void climb_out(const PlacedCores& pair, Choice& choice) {
  const auto least = [&] { return -choice.best().separation; };
  const auto reach = [&](const Vec3& n) -> Vec3 { return pair.b.farthest(n) - pair.a.farthest(-n); };
  const auto tried = [&](const Reach& found) {
    if (found.n.dot(found.p) < least()) climb_all(pair, found.n, choice);
  };
  int climbs = most_climbs;
  const auto left = [&](const Vec3& n) {
    const bool elsewhere = (n - choice.best().normal).norm() > 3 * finest_angle;
    if (elsewhere && climbs-- > 0) climb_all(pair, n, choice);
  };
  const auto ignore = [](const Vec3&) {};
  if (!search_ways_out(pair.b.R, 1e-3 * pair.size, 2, most_direction_triangles, reach, tried, ignore, least)) return;
  search_ways_out(pair.b.R, 1e-6 * pair.size, finest_angle, most_direction_triangles, reach, tried, left, least);
}

/// Points of the supports along n that are s n apart, or as nearly so as they can be.
struct Meeting {
  Vec3 on_a;
  Vec3 miss;  ///< what is left between them: of all supports along n the one that says where to turn n
};

/// Two placed shapes, and Bullet's guess of A's point.
struct Shapes {
  const Shape &a, &b;
  Transform X_A, X_B;
  Vec3 guess_A;

  /// True if A's support turns faster with the normal than B's. On the flat end of a superquadric, round-off of the
  /// normal moves its farthest point by more than the root of round-off. Then B's point tells the place better.
  bool moves_more(const Vec3& normal) const {
    if (!std::holds_alternative<Superquadric>(a) && !std::holds_alternative<ImplicitShape>(a)) return false;
    const Mat3 of_a = core_support(a, X_A.R.transpose() * -normal).hessian;
    return of_a.norm() > core_support(b, X_B.R.transpose() * normal).hessian.norm();
  }

  Meeting meet(const Climb& at) const {
    const SupportSet of_a(a, X_A, -at.normal), of_b(b, X_B, at.normal);
    const Vec3 apart = at.separation * at.normal;
    const bool by_b = of_a.is_point() && of_b.is_point() && moves_more(at.normal);
    if (by_b) {
      const Vec3 on_a = of_b.corner(0) + apart;
      return {on_a, of_a.corner(0) - on_a};
    }
    const Vec3 on_a = meeting_point(of_a, of_b, apart, guess_A);
    return {on_a, on_a - apart - of_b.nearest(on_a - apart)};
  }
};

/// Steepest ascent is slow, but no kink ends it. A cylinder's support turns around its rim faster than Newton's method
/// follows. At its caps s has a cusp that may rise in one direction alone.
Climb climb_by_miss(const PlacedCores& pair, const Shapes& shapes, Climb best) {
  for (int step = 0; step < most_steps; ++step) {
    const Vec3 miss = shapes.meet(best).miss;
    const double size = miss.norm();
    if (size <= 1e-12 * pair.size) break;
    const Climb from = best;
    for (double turn = 0.1; turn > 1e-12; turn *= 0.5) {
      const Vec3 next = (from.normal + turn / size * miss).normalized();
      const double s = pair.separation(next);
      if (s > best.separation) {
        best = {next, s};
      } else if (best.separation > from.separation) {
        break;
      }
    }
    if (!(best.separation > from.separation)) break;
  }
  return best;
}

/// Turns n about an edge to where the slope of s changes its sign. A superquadric's flat end may turn the points of
/// support faster than any step of Newton's method follows. Then s no longer distinguishes directions whose points of
/// support do not meet yet.
Climb bisect(const PlacedCores& pair, const Vec3& n, const Vec3& edge) {
  const Vec3 middle = (n - n.dot(edge) * edge).normalized(), across = middle.cross(edge);
  const auto turned = [&](double t) { return Vec3((middle + t * across).normalized()); };
  const auto slope = [&](double t) {
    const Vec3 m = turned(t);
    return m.cross(edge).dot(pair.a.farthest(-m) - pair.b.farthest(m));
  };
  const double way = slope(0) < 0 ? -1 : 1;
  double low = 0, high = 1e-16;
  for (; high < 1e-3 && way * slope(way * high) > 0; high *= 8) low = high;
  if (high >= 1e-3) return {n, pair.separation(n)};
  for (int halving = 0; halving < 60; ++halving) {
    const double half = 0.5 * (low + high);
    (way * slope(way * half) > 0 ? low : high) = half;
  }
  const Vec3 m = turned(way * (std::abs(slope(way * low)) < std::abs(slope(way * high)) ? low : high));
  return {m, pair.separation(m)};
}

/// Continues where the points of support miss one another: to a greater separation, or to one that is equal to
/// round-off with a smaller miss.
void finish(const PlacedCores& pair, const Shapes& shapes, Choice& choice) {
  const auto consider = [&](const Climb& found) {
    choice.offer(found, 0);
    if (shapes.meet(found).miss.norm() < shapes.meet(choice.best()).miss.norm()) choice.replace(found);
  };
  consider(climb_apart(pair, climb_by_miss(pair, shapes, choice.best()).normal, nullptr));
  consider(climb_apart(pair, choice.best().normal, nullptr));
  settle_choice(pair, choice);
  const Vec3 n = choice.best().normal;
  std::array<Vec3, 2 * most_edges> edges;
  const int count = edges_near(pair, n, edges);
  for (int i = 0; i < count; ++i) consider(bisect(pair, n, edges[i]));
}

/// The point of an edge that lies deepest in a superquadric moved by `apart`, by bisection of the slope of its convex
/// inequality. If its flat end touches, its own farthest point does not tell the place.
Vec3 deepest_of_edge(const SupportSet& edge, const Superquadric& solid, const Transform& X, const Vec3& apart) {
  const Vec3 from = X.inverse() * Vec3(edge.corner(0) - apart);
  const Vec3 along = X.R.transpose() * (edge.corner(1) - edge.corner(0));
  double low = 0, high = 1;
  for (int halving = 0; halving < 60; ++halving) {
    const double half = 0.5 * (low + high);
    const Vec3 x = (from + half * along).cwiseQuotient(solid.semi_axes);
    double slope = 0;
    for (int i = 0; i < 3; ++i) {
      const double power = std::pow(std::abs(x[i]), solid.exponents[i] - 1);
      slope += solid.exponents[i] / solid.semi_axes[i] * std::copysign(power, x[i]) * along[i];
    }
    (slope < 0 ? low : high) = half;
  }
  return edge.corner(0) + low * (edge.corner(1) - edge.corner(0));
}

/// The place where an edge lies on a flat end, if these are what touches; else `on_a`.
Vec3 place_on_flat_end(const Shapes& shapes, const Climb& at, const Vec3& on_a) {
  const SupportSet of_a(shapes.a, shapes.X_A, -at.normal), of_b(shapes.b, shapes.X_B, at.normal);
  const Vec3 apart = at.separation * at.normal;
  const auto* solid_a = std::get_if<Superquadric>(&shapes.a);
  const auto* solid_b = std::get_if<Superquadric>(&shapes.b);
  if (solid_b && of_a.is_edge()) return deepest_of_edge(of_a, *solid_b, shapes.X_B, apart);
  if (solid_a && of_b.is_edge()) return deepest_of_edge(of_b, *solid_a, shapes.X_A, -apart) + apart;
  return on_a;
}

}  // namespace

double separation(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, const Vec3& normal) {
  const PlacedCores pair = {{a, X_WA.R, X_WA.p - X_WB.p}, {b, X_WB.R, Vec3::Zero()}, 0};
  return pair.separation(normal) - core_radius(a) - core_radius(b);
}

ConvexDistance convex_distance(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB) {
  const PlacedCores pair = {{a, X_WA.R, X_WA.p - X_WB.p},
                            {b, X_WB.R, Vec3::Zero()},
                            bounding_radius(a) + bounding_radius(b) + (X_WA.p - X_WB.p).norm()};
  const NormalGuess guess = bullet_normal(a, {X_WA.R, pair.a.p}, b, {X_WB.R, Vec3::Zero()});
  Choice choice(4e-15 * pair.size);
  climb_all(pair, guess.normal, choice);
  if (choice.best().separation < 0) climb_out(pair, choice);
  settle_choice(pair, choice);

  const Shapes shapes = {a, b, {X_WA.R, pair.a.p}, {X_WB.R, Vec3::Zero()}, guess.p_A};
  Meeting meeting = shapes.meet(choice.best());
  if (meeting.miss.norm() > 1e-9 * pair.size) {
    finish(pair, shapes, choice);
    meeting = shapes.meet(choice.best());
    meeting.on_a = place_on_flat_end(shapes, choice.best(), meeting.on_a);
  }
  ConvexDistance distance;
  distance.normal = choice.best().normal;
  distance.gap = choice.best().separation - core_radius(a) - core_radius(b);
  distance.p_WA = X_WB.p + meeting.on_a - core_radius(a) * distance.normal;
  distance.p_WB = distance.p_WA - distance.gap * distance.normal;
  return distance;
}

}  // namespace carom
