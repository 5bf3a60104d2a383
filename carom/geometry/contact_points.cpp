#include "carom/geometry/contact_points.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "carom/error.h"
#include "carom/geometry/box_pairs.h"
#include "carom/geometry/convex_pairs.h"
#include "carom/geometry/half_space_pairs.h"
#include "carom/geometry/height_field_pairs.h"
#include "carom/geometry/round_pairs.h"

namespace carom {
namespace {

template <class T>
bool is(const Shape& shape) {
  return std::holds_alternative<T>(shape);
}

/// The pair functions take the shape of lower rank as A.
int rank(const Shape& shape) {
  if (is<Sphere>(shape)) return 0;
  if (is<Capsule>(shape)) return 1;
  if (is<Box>(shape)) return 2;
  if (is<HalfSpace>(shape) || is<HeightField>(shape)) return 100;
  return static_cast<int>(shape.index()) - 1;
}

void ranked_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points) {
  if (is<HalfSpace>(b)) return shape_half_space(a, X_WA, X_WB, margin, points);
  if (const auto* ground = std::get_if<HeightField>(&b)) {
    return height_field_points(a, X_WA, *ground, X_WB, margin, points);
  }
  const auto* capsule_b = std::get_if<Capsule>(&b);
  const auto* box_b = std::get_if<Box>(&b);
  if (const auto* sphere = std::get_if<Sphere>(&a)) {
    if (box_b) return sphere_box(*sphere, X_WA, *box_b, X_WB, margin, points);
    if (capsule_b) return sphere_capsule(*sphere, X_WA, *capsule_b, X_WB, margin, points);
    if (is<Sphere>(b)) return sphere_sphere(*sphere, X_WA, std::get<Sphere>(b), X_WB, margin, points);
    if (!is<Cone>(b) && !is<Superquadric>(b) && !is<ImplicitShape>(b))
      return sphere_surface(*sphere, X_WA, b, X_WB, margin, points);
  }
  if (const auto* capsule = std::get_if<Capsule>(&a)) {
    if (box_b) return capsule_box(*capsule, X_WA, *box_b, X_WB, margin, points);
    if (capsule_b) return capsule_capsule(*capsule, X_WA, *capsule_b, X_WB, margin, points);
  }
  convex_pair(a, X_WA, b, X_WB, margin, points);
}

void check_pair(const Shape& a, const Shape& b) {
  if (can_collide(a, b)) return;
  throw Error("There is no contact between a " + shape_name(a) + " and a " + shape_name(b) +
              "; both are ground: keep the pair apart.");
}

/// Calls find(of lower rank, its pose, the other, its pose), and turns what it appends to `points` to A and B.
template <class Find>
void in_order_of_rank(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                      std::vector<ContactPoint>& points, const Find& find) {
  if (rank(a) <= rank(b)) return find(a, X_WA, b, X_WB);
  const std::size_t first = points.size();
  find(b, X_WB, a, X_WA);
  for (std::size_t i = first; i < points.size(); ++i) {
    std::swap(points[i].p_WA, points[i].p_WB);
    points[i].normal = -points[i].normal;
  }
}

}  // namespace

bool can_collide(const Shape& a, const Shape& b) {
  const auto is_ground = [](const Shape& shape) { return is<HalfSpace>(shape) || is<HeightField>(shape); };
  return !is_ground(a) || !is_ground(b);
}

void contact_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  check_pair(a, b);
  in_order_of_rank(a, X_WA, b, X_WB, points, [&](const auto&... pair) { ranked_points(pair..., margin, points); });
}

void contact_point(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, int feature,
                   std::vector<ContactPoint>& points) {
  check_pair(a, b);
  const auto find = [&](const Shape& c, const Transform& X_WC, const Shape& d, const Transform& X_WD) {
    if (const auto* ground = std::get_if<HeightField>(&d)) {
      return height_field_point(c, X_WC, *ground, X_WD, feature, points);
    }
    const auto first = static_cast<std::ptrdiff_t>(points.size());
    ranked_points(c, X_WC, d, X_WD, std::numeric_limits<double>::infinity(), points);
    const auto rest = std::remove_if(points.begin() + first, points.end(),
                                     [&](const ContactPoint& point) { return point.feature != feature; });
    points.erase(rest, points.end());
  };
  in_order_of_rank(a, X_WA, b, X_WB, points, find);
}

void nearest_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB,
                    std::vector<ContactPoint>& points) {
  check_pair(a, b);
  const auto find = [&](const Shape& c, const Transform& X_WC, const Shape& d, const Transform& X_WD) {
    if (const auto* ground = std::get_if<HeightField>(&d)) {
      return nearest_height_field_points(c, X_WC, *ground, X_WD, points);
    }
    ranked_points(c, X_WC, d, X_WD, std::numeric_limits<double>::infinity(), points);
  };
  in_order_of_rank(a, X_WA, b, X_WB, points, find);
}

}  // namespace carom
