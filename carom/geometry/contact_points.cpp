#include "carom/geometry/contact_points.h"

#include <utility>

#include "carom/error.h"
#include "carom/geometry/box_pairs.h"
#include "carom/geometry/half_space_pairs.h"
#include "carom/geometry/round_pairs.h"

namespace carom {
namespace {

template <class T>
bool is(const Shape& shape) {
  return std::holds_alternative<T>(shape);
}

bool is_round(const Shape& shape) { return is<Sphere>(shape) || is<Capsule>(shape); }

/// The pair functions take the shape of lower rank as A.
int rank(const Shape& shape) { return is<Sphere>(shape) ? 0 : is<Capsule>(shape) ? 1 : is<Box>(shape) ? 2 : 3; }

void ranked_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                   std::vector<ContactPoint>& points) {
  const auto* sphere = std::get_if<Sphere>(&a);
  const auto* capsule = std::get_if<Capsule>(&a);
  if (is<HalfSpace>(b)) {
    if (sphere) return sphere_half_space(*sphere, X_WA, X_WB, margin, points);
    if (capsule) return capsule_half_space(*capsule, X_WA, X_WB, margin, points);
    return box_half_space(std::get<Box>(a), X_WA, X_WB, margin, points);
  }
  if (const auto* box = std::get_if<Box>(&b)) {
    if (sphere) return sphere_box(*sphere, X_WA, *box, X_WB, margin, points);
    return capsule_box(*capsule, X_WA, *box, X_WB, margin, points);
  }
  if (const auto* other = std::get_if<Capsule>(&b)) {
    if (sphere) return sphere_capsule(*sphere, X_WA, *other, X_WB, margin, points);
    return capsule_capsule(*capsule, X_WA, *other, X_WB, margin, points);
  }
  sphere_sphere(*sphere, X_WA, std::get<Sphere>(b), X_WB, margin, points);
}

}  // namespace

bool can_collide(const Shape& a, const Shape& b) {
  const auto known = [](const Shape& shape) { return is_round(shape) || is<Box>(shape) || is<HalfSpace>(shape); };
  if (!known(a) || !known(b)) return false;
  if (is<HalfSpace>(a)) return !is<HalfSpace>(b);
  if (is<HalfSpace>(b)) return true;
  return is_round(a) || is_round(b);
}

void contact_points(const Shape& a, const Transform& X_WA, const Shape& b, const Transform& X_WB, double margin,
                    std::vector<ContactPoint>& points) {
  if (!can_collide(a, b)) {
    throw Error("There is no contact between a " + shape_name(a) + " and a " + shape_name(b) +
                "; use spheres or capsules for one of the two, or keep the pair apart.");
  }
  if (rank(a) <= rank(b)) return ranked_points(a, X_WA, b, X_WB, margin, points);
  const std::size_t first = points.size();
  ranked_points(b, X_WB, a, X_WA, margin, points);
  for (std::size_t i = first; i < points.size(); ++i) {
    std::swap(points[i].p_WA, points[i].p_WB);
    points[i].normal = -points[i].normal;
  }
}

}  // namespace carom
