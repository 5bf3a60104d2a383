#include "carom/geometry/height_field_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "carom/geometry/broad_phase.h"
#include "carom/geometry/convex_distance.h"
#include "carom/geometry/core.h"
#include "carom/geometry/half_space_pairs.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr int most_triangles = 64;     // beneath one point of the shape; of more the nearest count
constexpr int most_ridge_points = 64;  // the last one for the way out of what overlaps
constexpr int peak_numbers = 1 << 27, face_numbers = peak_numbers + (1 << 24);
constexpr int ridge_numbers = 1 << 28, point_numbers = 1 << 30;
constexpr double slack = 0.01;       // rad, of normals at ridges and peaks
constexpr double most_detour = 1.5;  // of a way out, over what a point says
constexpr double least_rise = 1e-3;  // of a normal, upwards
constexpr int most_landings = 40;
constexpr double cell_round_off = 1e-9;  // of a cell

/// Cells, of which the last ones belong to the range.
struct Range {
  int i_first, i_last, j_first, j_last;
};

/// Finds the points of one pair; all that is kept since `first` is its own.
class Finder {
 public:
  Finder(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB, double margin,
         std::vector<ContactPoint>& points)
      : a_(a),
        X_WA_(X_WA),
        grid_(*b.grid),
        X_WB_(X_WB),
        X_BW_(X_WB.inverse()),
        margin_(margin),
        radius_(core_radius(a)),
        reach_(bounding_radius(a)),
        round_off_(1e-12 * (reach_ + grid_.radius())),
        nearly_(1e3 * round_off_),
        points_(points),
        first_(points.size()),
        box_(bounds(a, X_BW_ * X_WA, margin)) {}

  void find() {
    const Range cells = range();
    for (int j = cells.j_first; j <= cells.j_last; ++j) {
      for (int i = cells.i_first; i <= cells.i_last; ++i) {
        for (const int half : {0, 1}) triangle(2 * (i + (grid_.nx() - 1) * j) + half);
      }
    }
    for (int j = cells.j_first; j <= cells.j_last + 1; ++j) {
      for (int i = cells.i_first; i <= cells.i_last + 1; ++i) {
        const int sample = i + grid_.nx() * j;
        if (grid_.is_peak(sample)) peak(sample);
        for (int edge = 3 * sample; edge < 3 * sample + 3; ++edge) {
          if (grid_.is_ridge(edge)) ridge(edge);
        }
      }
    }
    hold_from_below(cells);
    if (points_.size() == first_ && std::isinf(margin_)) nearest_sample();
    std::sort(begin(), points_.end(),
              [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
  }

  /// The point of this number alone, if it is there. Holds depend on all else, and need margin 0.
  void find_one(int feature) {
    const int samples = grid_.nx() * grid_.ny();
    if (is_hold(feature)) {
      find();
    } else if (feature >= point_numbers) {
      point_over_flat(feature);
    } else if (feature >= ridge_numbers) {
      const int edge = (feature - ridge_numbers) / most_ridge_points;
      if (edge < 3 * samples && grid_.is_ridge(edge)) ridge(edge);
    } else if (feature >= peak_numbers && feature - peak_numbers < samples) {
      if (grid_.is_peak(feature - peak_numbers)) peak(feature - peak_numbers);
    }
    const auto rest =
        std::remove_if(begin(), points_.end(), [&](const auto& point) { return point.feature != feature; });
    points_.erase(rest, points_.end());
  }

  static bool is_hold(int feature) {
    if (feature >= point_numbers) return false;
    if (feature >= ridge_numbers) return (feature - ridge_numbers) % most_ridge_points == most_ridge_points - 1;
    return feature >= face_numbers;
  }

  /// As far apart as these at least: over all the ground.
  double least_distance() const { return std::max(0.0, box_.lower.z() - grid_.highest()); }
  double size() const { return reach_; }
  /// Beyond it nothing of the ground lies.
  double farthest() const { return (X_WA_.p - X_WB_.p).norm() + reach_ + grid_.radius(); }

 private:
  std::vector<ContactPoint>::iterator begin() const { return points_.begin() + static_cast<std::ptrdiff_t>(first_); }

  /// Cells under the shape, and under the feet of points that are below the ground.
  Range range() const {
    const double depth = std::clamp(grid_.highest() - box_.lower.z(), 0.0, 2 * reach_);
    return range(box_.lower.head<2>(), box_.upper.head<2>(), depth);
  }

  /// Cells over a rectangle that is grown by `more`.
  Range range(const Vec2& lower, const Vec2& upper, double more) const {
    const auto cell = [&](double x, int axis, int count) {
      const double u = x / grid_.spacing()[axis] + 0.5 * (count - 1);
      return static_cast<int>(std::clamp(u, 0.0, count - 2.0));
    };
    return {cell(lower.x() - more, 0, grid_.nx()), cell(upper.x() + more, 0, grid_.nx()),
            cell(lower.y() - more, 1, grid_.ny()), cell(upper.y() + more, 1, grid_.ny())};
  }

  void triangle(int number) {
    const auto [a, b, c] = grid_.corners(number);
    const std::vector<double>& z = grid_.heights();
    if (std::max({z[a], z[b], z[c]}) < box_.lower.z()) return;
    const Transform X_WT = {contact_frame(X_WB_.R * grid_.normal(number)), X_WB_ * grid_.point(a)};
    std::size_t mark = points_.size();
    shape_half_space(a_, X_WA_, X_WT, margin_, points_);
    std::size_t kept = mark;
    for (std::size_t k = mark; k < points_.size(); ++k) {
      const ContactPoint point = points_[k];
      const bool above = is_in(number, X_BW_ * point.p_WB), below = point.gap + radius_ < 0;
      const Vec3 core = X_BW_ * Vec3(point.p_WA + radius_ * point.normal);
      if (below ? is_behind(core) || !(above || is_in(number, core)) || is_too_deep(point) : !above) continue;
      points_[kept] = point;
      points_[kept++].feature = number_of(point.feature, grid_.flat(number));
    }
    points_.resize(kept);
    for (std::size_t k = mark; k < points_.size();) k = settle(k, mark) ? k + 1 : k;
  }

  bool is_in(int number, const Vec3& foot) const {
    const Vec3 corner = grid_.point(grid_.corners(number)[0]);
    const double side = number % 2 == 0 ? 1 : -1;
    const double p = side * (foot.x() - corner.x()) / grid_.spacing().x();
    const double q = side * (foot.y() - corner.y()) / grid_.spacing().y();
    return p >= -cell_round_off && q >= -cell_round_off && p + q <= 1 + cell_round_off;
  }

  /// True if a point that is under a triangle's plane is yet above the ground, or beside it.
  bool is_behind(const Vec3& core) const {
    return !grid_.is_over(core.x(), core.y()) || core.z() - grid_.height(core.x(), core.y()) > round_off_;
  }

  /// Number of point f of the shape over a flat. (Numbers return where a shape of very many corners is over a very
  /// large grid.)
  int number_of(int f, int flat) const {
    const std::int64_t number = std::int64_t{f} * grid_.triangle_count() + flat;
    return point_numbers + static_cast<int>(number % point_numbers);
  }
  int point_of(const ContactPoint& point) const { return (point.feature - point_numbers) / grid_.triangle_count(); }

  /// Compares a new point with those that the same point of the shape has over earlier triangles, [first_, mark). False
  /// if it went; an earlier one may have gone instead, which moves the new ones down by one, and `mark` with them.
  bool settle(std::size_t& k, std::size_t& mark) {
    int same = 0;
    std::size_t farthest = k;
    for (std::size_t i = first_; i < mark; ++i) {
      const ContactPoint &now = points_[k], &then = points_[i];
      if (point_of(then) != point_of(now)) continue;
      // Triangles in one plane share the point on their common edge.
      const bool at_one_place = (then.p_WA - now.p_WA).norm() < nearly_;
      if (at_one_place && (then.normal - now.normal).norm() < 1e-9 && std::abs(then.gap - now.gap) < nearly_) {
        return erase(k);
      }
      ++same;
      if (then.gap > points_[farthest].gap) farthest = i;
    }
    if (same < most_triangles) return true;
    if (farthest == k) return erase(k);
    erase(farthest);
    --mark;
    --k;
    return true;
  }

  /// A point under the ground is no deeper in it than the next surface is away. Beyond that, the plane of a triangle is
  /// no ground there.
  bool is_too_deep(const ContactPoint& point) const {
    const double depth = -(point.gap + radius_);
    const double enough = depth - round_off_;
    return depth > 0 && depth_of(X_BW_ * Vec3(point.p_WA + radius_ * point.normal), depth, enough) < enough;
  }

  /// From a point under the ground to the surface: straight up, or to a triangle that its foot lies in. No more than
  /// `most`; ends where it is found to be less than `enough`.
  double depth_of(const Vec3& p, double most, double enough) const {
    double least = std::min(most, grid_.height(p.x(), p.y()) - p.z());
    if (least < enough) return least;
    const Range cells = range(p.head<2>(), p.head<2>(), least);
    for (int j = cells.j_first; j <= cells.j_last; ++j) {
      for (int i = cells.i_first; i <= cells.i_last; ++i) {
        for (const int half : {0, 1}) {
          const int number = 2 * (i + (grid_.nx() - 1) * j) + half;
          const Vec3 normal = grid_.normal(number);
          const double depth = normal.dot(grid_.point(grid_.corners(number)[0]) - p);
          if (depth >= 0 && depth < least && is_in(number, p + depth * normal)) least = depth;
          if (least < enough) return least;
        }
      }
    }
    return least;
  }

  bool erase(std::size_t k) {
    points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(k));
    return false;
  }

  void peak(int sample) {
    const Vec3 at = X_WB_ * grid_.point(sample);
    if ((at - X_WA_.p).norm() > reach_ + margin_) return;
    std::array<Vec3, 7> slopes;
    const int count = grid_.slopes(sample, slopes);
    const std::size_t mark = points_.size();
    const Transform X_WE = {Mat3::Identity(), at};
    contact_points(a_, X_WA_, Sphere{0}, X_WE, margin_, points_);
    keep_pointing_away(mark, slopes.data(), count, peak_numbers + sample);
  }

  void ridge(int edge) {
    const auto [from, to] = grid_.ends(edge);
    const Vec3 start = X_WB_ * grid_.point(from), arm = X_WB_ * grid_.point(to) - start;
    const double length = arm.norm();
    const Vec3 along = arm / length, to_center = X_WA_.p - start;
    const Vec3 nearest = start + along * std::clamp(along.dot(to_center), 0.0, length);
    if ((nearest - X_WA_.p).norm() > reach_ + margin_) return;
    const auto [one, other] = grid_.slopes(edge);
    const Vec3 along_B = X_BW_.R * along;
    const std::array<Vec3, 4> slopes = {one, other, along_B, -along_B};
    const Capsule segment = {0, 0.5 * length};
    const Transform X_WE = {contact_frame(along), start + 0.5 * arm};
    // Whatever direction parts them by more than the margin shows that they are that far apart.
    const Vec3 middle = X_WB_.R * -(one + other).normalized();
    if (separation(a_, X_WA_, segment, X_WE, middle) > margin_) return;
    const std::size_t mark = points_.size();
    contact_points(a_, X_WA_, segment, X_WE, margin_, points_);
    keep_pointing_away(mark, slopes.data(), 4, ridge_numbers + most_ridge_points * edge);
  }

  /// A place of the ground over the shape.
  struct Hold {
    ContactPoint point;
    double rise = 0;  ///< that gets the shape off, straight up, m
  };

  /// Adds ground over points of the shape that no point kept so far gets out. First comes the place that it must rise
  /// most to get off, then the next of what is left.
  void hold_from_below(const Range& cells) {
    const std::size_t mark = points_.size();
    Hold notch;
    for (;;) {
      Hold best;
      for (int j = cells.j_first; j <= cells.j_last + 1; ++j) {
        for (int i = cells.i_first; i <= cells.i_last + 1; ++i) {
          const int sample = i + grid_.nx() * j;
          for (int edge = 3 * sample; edge < 3 * sample + 3; ++edge) {
            if (grid_.is_ridge(edge)) rise_off_ridge(edge, best, notch);
          }
          if (i > cells.i_last || j > cells.j_last) continue;
          for (const int half : {0, 1}) rise_off_triangle(2 * (i + (grid_.nx() - 1) * j) + half, best);
        }
      }
      if (best.rise == 0) break;
      points_.push_back(best.point);
    }
    const bool is_held = std::any_of(begin(), points_.end(), [](const ContactPoint& point) { return point.gap < 0; });
    if (!is_held && notch.rise > 0) points_.push_back(notch.point);
    // A shape has moved by as much as its point lies in the ground since that was over it: no gap is deeper.
    for (std::size_t k = mark; k < points_.size(); ++k) {
      ContactPoint& point = points_[k];
      point.gap = -depth_of(X_BW_ * point.p_WA, -point.gap, 0);
      point.p_WB = point.p_WA - point.gap * point.normal;
    }
  }

  /// True if a piece of the ground with these corners reaches over or into the shape's box.
  bool is_over_box(std::span<const int> corners) const {
    Vec3 lower = grid_.point(corners[0]), upper = lower;
    for (const int sample : corners) {
      lower = lower.cwiseMin(grid_.point(sample));
      upper = upper.cwiseMax(grid_.point(sample));
    }
    return upper.x() >= box_.lower.x() && lower.x() <= box_.upper.x() && upper.y() >= box_.lower.y() &&
           lower.y() <= box_.upper.y() && upper.z() >= box_.lower.z();
  }

  /// Height of the shape over the hull of these corners along a unit vector n in the world.
  double above(std::span<const int> corners, const Vec3& n) const {
    double highest = -std::numeric_limits<double>::infinity();
    for (const int sample : corners) highest = std::max(highest, n.dot(X_WB_ * grid_.point(sample)));
    return n.dot(X_WA_ * support_point(a_, -(X_WA_.R.transpose() * n))) - highest;
  }

  /// True if the shape gets off these corners when it moves as a point that is kept says, or by half as much again.
  bool gets_off(std::span<const int> corners) const {
    return std::any_of(begin(), points_.end(), [&](const ContactPoint& kept) {
      return above(corners, kept.normal) >= most_detour * std::min(kept.gap, 0.0) - nearly_;
    });
  }

  /// `notch`: where the ground cannot be left along the normal, as where a blade stands across a pass.
  void rise_off_ridge(int edge, Hold& best, Hold& notch) const {
    const auto ends = grid_.ends(edge);
    const Vec3 up = X_WB_.R.col(2);
    if (!is_over_box(ends) || gets_off(ends)) return;
    double rise = -above(ends, up);
    if (rise <= nearly_) return;
    const Vec3 start = X_WB_ * grid_.point(ends[0]), arm = X_WB_ * grid_.point(ends[1]) - start;
    // Most ridges that are not over the shape are cleared along a direction towards its middle.
    const double part = std::clamp(arm.dot(X_WA_.p - start) / arm.squaredNorm(), 0.0, 1.0);
    const Vec3 to_middle = X_WA_.p - start - part * arm, aside = to_middle - up * up.dot(to_middle);
    for (const Vec3& n : {to_middle, aside}) {
      if (n.dot(up) >= -round_off_ && n.norm() > nearly_ && above(ends, n.normalized()) >= 0) return;
    }
    const Capsule segment = {0, 0.5 * arm.norm()};
    const Transform X_WE = {contact_frame(arm.normalized()), start + 0.5 * arm};
    // Lowers the shape from above. It never passes the plane between the two, so this ends where they touch.
    ConvexDistance landing;
    for (int k = 0; k < most_landings; ++k) {
      landing = convex_distance(a_, {X_WA_.R, X_WA_.p + rise * up}, segment, X_WE);
      const double upwards = landing.normal.dot(up);
      if (upwards < least_rise) return;
      if (landing.gap < 0.1 * nearly_) break;
      rise -= landing.gap / upwards;
      if (rise <= nearly_) return;
    }
    Hold& found = can_leave(edge, landing) ? best : notch;
    if (rise <= found.rise) return;
    const double gap = above(ends, landing.normal);
    hold(landing.p_WA - rise * up, landing.normal, gap, rise, ridge_numbers + most_ridge_points * (edge + 1) - 1,
         found);
  }

  void rise_off_triangle(int number, Hold& best) {
    const auto corners = grid_.corners(number);
    if (!is_over_box(corners)) return;
    const Vec3 normal = X_WB_.R * grid_.normal(number);
    const double lowest = above(corners, normal);
    if (lowest >= -nearly_ || gets_off(corners)) return;
    const std::size_t mark = points_.size();
    const Transform X_WT = {contact_frame(normal), X_WB_ * grid_.point(corners[0])};
    shape_half_space(a_, X_WA_, X_WT, 0, points_);
    for (std::size_t k = mark; k < points_.size(); ++k) {
      const ContactPoint& point = points_[k];
      const double rise = -point.gap / grid_.normal(number).z();
      if (point.gap > lowest + nearly_ || rise <= best.rise || !is_in(number, X_BW_ * point.p_WA)) continue;
      hold(point.p_WA, normal, point.gap, rise, face_numbers + number, best);
    }
    points_.resize(mark);
  }

  void hold(const Vec3& p_WA, const Vec3& normal, double gap, double rise, int number, Hold& best) const {
    if (gap < -nearly_) best = {{p_WA, p_WA - gap * normal, normal, gap, number}, rise};
  }

  /// True if the ground there can be left along that normal: across the ridge, or at an end of it.
  bool can_leave(int edge, const ConvexDistance& landing) const {
    const Vec3 normal = X_BW_.R * landing.normal, at = X_BW_ * landing.p_WB;
    const auto away = [&](const Vec3& d) { return normal.dot(d) <= slack; };
    for (const int sample : grid_.ends(edge)) {
      if ((grid_.point(sample) - at).norm() > 1e4 * round_off_) continue;
      std::array<Vec3, 7> slopes;
      const int count = grid_.slopes(sample, slopes);
      return std::all_of(slopes.begin(), slopes.begin() + count, away);
    }
    const auto slopes = grid_.slopes(edge);
    return away(slopes[0]) && away(slopes[1]);
  }

  /// Keeps of the points since `mark` those whose normal points away from all slopes, and that are nowhere yet.
  void keep_pointing_away(std::size_t mark, const Vec3* slopes, int count, int number) {
    std::size_t kept = mark;
    for (std::size_t k = mark; k < points_.size(); ++k) {
      const ContactPoint point = points_[k];
      const Vec3 normal = X_BW_.R * point.normal;
      const bool away = std::all_of(slopes, slopes + count, [&](const Vec3& d) { return normal.dot(d) <= slack; });
      const auto known = points_.begin() + static_cast<std::ptrdiff_t>(kept);
      const bool there = std::any_of(begin(), known, [&](const ContactPoint& q) {
        return (q.p_WA - point.p_WA).norm() < 1e3 * round_off_ && (q.p_WB - point.p_WB).norm() < 1e3 * round_off_;
      });
      if (!away || there || kept - mark == most_ridge_points - 1) continue;
      points_[kept] = point;
      points_[kept].feature = number + slot(point.feature, mark, kept, number);
      ++kept;
    }
    points_.resize(kept);
  }

  /// Slot of a point of a pair with a segment. It follows from the number in that pair, so that it does not depend on
  /// which others are near. Corners and crossings keep their numbers. Points where an edge leaves over a side
  /// (face_contact.h) come behind them. If two fall on one slot, the next that is free is taken.
  int slot(int feature, std::size_t mark, std::size_t kept, int number) const {
    constexpr int whole = 16, slots = most_ridge_points - 1;
    int found = feature < whole ? feature : whole + ((feature & 0xffff) + 20 * (feature >> 17)) % (slots - whole);
    const auto taken = [&](const ContactPoint& point) { return point.feature == number + found; };
    const auto from = points_.begin() + static_cast<std::ptrdiff_t>(mark),
               to = points_.begin() + static_cast<std::ptrdiff_t>(kept);
    while (std::any_of(from, to, taken)) found = (found + 1) % slots;
    return found;
  }

  /// Point f of the shape over the flat that the number says, whatever its gap.
  void point_over_flat(int feature) {
    const std::int64_t triangles = grid_.triangle_count();
    for (std::int64_t number = feature - point_numbers;; number += point_numbers) {
      const int flat = static_cast<int>(number % triangles);
      const std::int64_t f = number / triangles;
      const std::size_t mark = points_.size();
      const Transform X_WT = {contact_frame(X_WB_.R * grid_.normal(flat)), X_WB_ * grid_.point(grid_.corners(flat)[0])};
      shape_half_space(a_, X_WA_, X_WT, margin_, points_);
      bool beyond = true;
      std::array<Vec3, 2> places;
      for (std::size_t k = mark; k < points_.size(); ++k) {
        beyond = beyond && points_[k].feature < f;
        if (points_[k].feature != f) continue;
        places = {X_BW_ * points_[k].p_WB, X_BW_ * Vec3(points_[k].p_WA + radius_ * points_[k].normal)};
      }
      const bool there = std::any_of(points_.begin() + static_cast<std::ptrdiff_t>(mark), points_.end(),
                                     [&](const ContactPoint& point) { return point.feature == f; });
      points_.resize(mark);
      if (beyond) return;
      if (there) triangles_at(places, flat);
      if (std::any_of(begin(), points_.end(), [&](const ContactPoint& point) { return point.feature == feature; }))
        return;
    }
  }

  /// The triangles of a flat that are under these places.
  void triangles_at(std::span<const Vec3> places, int flat) {
    for (const Vec3& place : places) {
      const Range cells = range(place.head<2>(), place.head<2>(), cell_round_off * grid_.spacing().maxCoeff());
      for (int j = cells.j_first; j <= cells.j_last; ++j) {
        for (int i = cells.i_first; i <= cells.i_last; ++i) {
          for (const int half : {0, 1}) {
            const int number = 2 * (i + (grid_.nx() - 1) * j) + half;
            if (grid_.flat(number) == flat) triangle(number);
          }
        }
      }
    }
  }

  /// Answers a query for the nearest pair, whatever it is: a shape below the rim of the ground has none of the above.
  void nearest_sample() {
    int nearest = 0;
    const Vec3 center = X_BW_ * X_WA_.p;
    for (int s = 1; s < grid_.sample_count(); ++s) {
      if ((grid_.point(s) - center).norm() < (grid_.point(nearest) - center).norm()) nearest = s;
    }
    contact_points(a_, X_WA_, Sphere{0}, {Mat3::Identity(), X_WB_ * grid_.point(nearest)}, margin_, points_);
    points_.back().feature = peak_numbers + nearest;
  }

  const Shape& a_;
  const Transform& X_WA_;
  const HeightGrid& grid_;
  const Transform& X_WB_;
  Transform X_BW_;
  double margin_, radius_, reach_, round_off_, nearly_;
  std::vector<ContactPoint>& points_;
  std::size_t first_;
  Bounds box_;  ///< of the shape in the ground's frame, grown by the margin
};

}  // namespace

void height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                         double margin, std::vector<ContactPoint>& points) {
  Finder(a, X_WA, b, X_WB, margin, points).find();
}

void height_field_point(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB, int feature,
                        std::vector<ContactPoint>& points) {
  const double margin = Finder::is_hold(feature) ? 0 : std::numeric_limits<double>::infinity();
  Finder(a, X_WA, b, X_WB, margin, points).find_one(feature);
}

void nearest_height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                                 std::vector<ContactPoint>& points) {
  const std::size_t first = points.size();
  const Finder touching(a, X_WA, b, X_WB, 0, points);
  const double least = touching.least_distance(), most = touching.farthest();
  for (double beyond = 0.1 * touching.size(); points.size() == first; beyond *= 2) {
    const bool all = !(least + beyond < most);
    Finder(a, X_WA, b, X_WB, all ? std::numeric_limits<double>::infinity() : least + beyond, points).find();
  }
}

}  // namespace carom
