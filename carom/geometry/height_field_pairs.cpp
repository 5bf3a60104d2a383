#include "carom/geometry/height_field_pairs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

#include "carom/geometry/broad_phase.h"
#include "carom/geometry/convex_distance.h"
#include "carom/geometry/core.h"
#include "carom/geometry/half_space_pairs.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr int most_triangles = 64;    // beneath one point of the shape; of more the nearest count
constexpr int most_ridge_points = 8;  // the last one for the way out of what overlaps
constexpr int peak_numbers = 1 << 27, ridge_numbers = 1 << 28;
constexpr int face_numbers = 1 << 29;
constexpr int detour_numbers = 1 << 30;  // added to those of pieces that are not held yet
constexpr double slack = 0.01;           // rad, of normals at ridges and peaks
constexpr double most_detour = 1.5;      // of a way out over the shortest
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
    drop_what_is_too_deep();
    number_triangles();
    for (int j = cells.j_first; j <= cells.j_last + 1; ++j) {
      for (int i = cells.i_first; i <= cells.i_last + 1; ++i) {
        const int sample = i + grid_.nx() * j;
        if (grid_.is_peak(sample)) peak(sample);
        for (int edge = 3 * sample; edge < 3 * sample + 3; ++edge) {
          if (grid_.is_ridge(edge)) ridge(edge);
        }
      }
    }
    hold_detours();
    if (std::none_of(begin(), points_.end(), [](const ContactPoint& point) { return point.gap < 0; })) {
      pierced_triangle(cells);
    }
    if (points_.size() == first_ && std::isinf(margin_)) nearest_sample();
    std::sort(begin(), points_.end(),
              [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
  }

 private:
  std::vector<ContactPoint>::iterator begin() const { return points_.begin() + static_cast<std::ptrdiff_t>(first_); }

  /// Cells under the shape, and under the feet of points that are below the ground.
  Range range() const {
    const double depth = std::clamp(grid_.highest() - box_.lower.z(), 0.0, 2 * reach_);
    const auto cell = [&](double x, int axis, int count) {
      const double u = x / grid_.spacing()[axis] + 0.5 * (count - 1);
      return static_cast<int>(std::clamp(u, 0.0, count - 2.0));
    };
    return {cell(box_.lower.x() - depth, 0, grid_.nx()), cell(box_.upper.x() + depth, 0, grid_.nx()),
            cell(box_.lower.y() - depth, 1, grid_.ny()), cell(box_.upper.y() + depth, 1, grid_.ny())};
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
      if (below ? is_behind(core) || !(above || is_in(number, core)) : !above) continue;
      points_[kept++] = point;
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

  /// Whether a point that is under a triangle's plane is yet above the ground, or beside it.
  bool is_behind(const Vec3& core) const {
    return !grid_.is_over(core.x(), core.y()) || core.z() - grid_.height(core.x(), core.y()) > round_off_;
  }

  /// Compares a new point with those that the same point of the shape has over earlier triangles, [first_, mark). False
  /// if it went; an earlier one may have gone instead, which moves the new ones down by one, and `mark` with them.
  bool settle(std::size_t& k, std::size_t& mark) {
    int same = 0;
    std::size_t farthest = k;
    for (std::size_t i = first_; i < mark; ++i) {
      const ContactPoint &now = points_[k], &then = points_[i];
      if (then.feature != now.feature) continue;
      // Triangles in one plane share the point on their common edge.
      if ((then.normal - now.normal).norm() < 1e-9) return erase(k);
      const bool both_below = now.gap + radius_ < 0 && then.gap + radius_ < 0;
      const bool bend_down = then.normal.dot(now.p_WB - then.p_WB) < -round_off_;
      if (both_below && bend_down) {
        if (now.gap <= then.gap) return erase(k);
        erase(i);
        if (farthest > i) --farthest;
        --i;
        --mark;
        --k;
        continue;
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

  /// A point under the ground is no deeper in it than the next surface is away: where it lies straight under one
  /// triangle, or where its foot lies in another. What a triangle tells beyond that is of a plane that is no ground
  /// there.
  void drop_what_is_too_deep() {
    for (auto point = begin(); point != points_.end();) {
      const double depth = -(point->gap + radius_);
      if (depth > 0 && depth > depth_of(*point) + round_off_) {
        point = points_.erase(point);
      } else {
        ++point;
      }
    }
  }

  /// The least distance that is known from a point of the shape under the ground to the surface.
  double depth_of(const ContactPoint& point) const {
    const Vec3 core = X_BW_ * Vec3(point.p_WA + radius_ * point.normal);
    double least = grid_.height(core.x(), core.y()) - core.z();
    for (auto q = begin(); q != points_.end(); ++q) {
      if (q->feature != point.feature || q->gap + radius_ >= 0) continue;
      const Vec3 foot = X_BW_ * q->p_WB;
      const bool on_ground = std::abs(grid_.height(foot.x(), foot.y()) - foot.z()) < round_off_;
      if (on_ground) least = std::min(least, -(q->gap + radius_));
    }
    return least;
  }

  bool erase(std::size_t k) {
    points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(k));
    return false;
  }

  /// Gives the k-th triangle under point f of the shape the number 64 f + k.
  void number_triangles() {
    for (auto point = points_.end(); point != begin();) {
      --point;
      const auto rank =
          std::count_if(begin(), point, [&](const ContactPoint& q) { return q.feature == point->feature; });
      point->feature = most_triangles * point->feature + static_cast<int>(rank);
    }
  }

  void peak(int sample) {
    const Vec3 at = X_WB_ * grid_.point(sample);
    if ((at - X_WA_.p).norm() > reach_ + margin_) return;
    std::array<Vec3, 7> slopes;
    const int count = grid_.slopes(sample, slopes);
    const std::size_t mark = points_.size();
    const Transform X_WE = {Mat3::Identity(), at};
    contact_points(a_, X_WA_, Sphere{0}, X_WE, margin_, points_);
    const double shortest = keep_pointing_away(mark, slopes.data(), count, peak_numbers + sample);
    if (shortest == 0) return;
    // The shortest way out is through the ground: look for one that is not. All of them are sums of the extreme ones,
    // which are across two slopes each.
    Ways ways;
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < count; ++k) {
      sum -= slopes[k];
      for (int l = 0; l < k; ++l) ways.add(slopes[k].cross(slopes[l]));
    }
    ways.add(sum);
    push_out(Sphere{0}, X_WE, at, {slopes.data(), static_cast<std::size_t>(count)}, ways, shortest,
             peak_numbers + sample);
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
    Ways ways;
    ways.add(-(one + other));
    // Whatever direction parts them by more than the margin shows that they are that far apart.
    if (separation(a_, X_WA_, segment, X_WE, X_WB_.R * ways.normals[0]) > margin_) return;
    const std::size_t mark = points_.size();
    contact_points(a_, X_WA_, segment, X_WE, margin_, points_);
    const int number = ridge_numbers + most_ridge_points * edge;
    const double shortest = keep_pointing_away(mark, slopes.data(), 4, number);
    if (shortest == 0) return;
    ways.add(along_B.cross(one));
    ways.add(along_B.cross(other));
    push_out(segment, X_WE, nearest, slopes, ways, shortest, number + static_cast<int>(points_.size() - mark));
  }

  /// Directions, upwards, in the ground's frame.
  struct Ways {
    std::array<Vec3, 48> normals;
    int count = 0;
    Ways() { normals.fill(Vec3::UnitZ()); }
    void add(const Vec3& n) {
      if (n.norm() < 1e-12) return;
      normals[count++] = n.normalized() * (n.z() < 0 ? -1 : 1);
      // What points sideways, at a rim, has no upward side.
      if (std::abs(n.z()) < 1e-9 * n.norm()) normals[count++] = -n.normalized();
    }
  };

  /// Adds the point of a piece of the ground, at `at`, that lies in the shape whichever of the ways it leaves by: that
  /// of the least depth. If this is much more than that of the shortest way of all, `shortest` < 0, that one leads over
  /// an end of the piece, which the piece beyond it may hold: this is a detour.
  void push_out(const Shape& piece, const Transform& X_WE, const Vec3& at, std::span<const Vec3> slopes,
                const Ways& ways, double shortest, int number) {
    double best = -std::numeric_limits<double>::infinity();
    Vec3 normal = Vec3::Zero();
    for (int k = 0; k < ways.count; ++k) {
      const Vec3& n = ways.normals[k];
      if (!std::all_of(slopes.begin(), slopes.end(), [&](const Vec3& d) { return n.dot(d) <= slack; })) continue;
      const double s = separation(a_, X_WA_, piece, X_WE, X_WB_.R * n);
      if (s <= best) continue;
      best = s;
      normal = X_WB_.R * n;
    }
    if (normal.isZero() || best >= 0) return;
    const bool detour = best < most_detour * shortest;
    const double gap = std::max(best, most_detour * shortest);
    points_.push_back({at + gap * normal, at, normal, gap, detour ? detour_numbers + number : number});
  }

  /// Drops the detours out of pieces that the shape leaves as well if it moves as a point that is kept says. Where none
  /// does, a spike has pierced the shape: of what is left the least detour is kept, and so on.
  void hold_detours() {
    const auto is_kept = [](const ContactPoint& point) { return point.feature < detour_numbers; };
    auto left = std::partition(begin(), points_.end(), is_kept) - points_.begin();
    while (left < std::ssize(points_)) {
      const auto detours = points_.begin() + left;
      const auto leaves = [&](const ContactPoint& detour) {
        return std::any_of(begin(), detours, [&](const ContactPoint& kept) {
          return leaves_by(std::min(kept.gap, 0.0), kept.normal, detour.feature - detour_numbers);
        });
      };
      points_.erase(std::remove_if(detours, points_.end(), leaves), points_.end());
      if (left == std::ssize(points_)) return;
      const auto by_depth = [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; };
      const auto least = std::max_element(points_.begin() + left, points_.end(), by_depth);
      least->feature -= detour_numbers;
      std::iter_swap(least, points_.begin() + left++);
    }
  }

  /// For a shape that none of the above holds: the triangle that it pierces with nothing of it straight under that
  /// triangle, as a needle that enters a hill and ends beneath its other side or leaves there, or that its middle lies
  /// under; of several that of the least depth.
  void pierced_triangle(const Range& cells) {
    const double infinity = std::numeric_limits<double>::infinity();
    const Vec3 up = X_WB_.R.col(2), at = X_WB_.p;
    const Vec3 middle = X_BW_ * Vec3(0.5 * (farthest(up, at, infinity).p_WA + farthest(-up, at, infinity).p_WA));
    const bool is_buried = !is_behind(middle);
    ContactPoint best = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), -infinity, 0};
    for (int j = cells.j_first; j <= cells.j_last; ++j) {
      for (int i = cells.i_first; i <= cells.i_last; ++i) {
        for (const int half : {0, 1}) {
          const int number = 2 * (i + (grid_.nx() - 1) * j) + half;
          if (!is_near(number)) continue;
          const Vec3 corner = X_WB_ * grid_.point(grid_.corners(number)[0]);
          const ContactPoint point = farthest(X_WB_.R * grid_.normal(number), corner, 0);
          if (!(point.gap < 0 && point.gap > best.gap)) continue;
          if (!(is_buried && is_in(number, middle)) && !is_pierced(number, point)) continue;
          best = point;
          best.feature = face_numbers + number;
        }
      }
    }
    if (!std::isinf(best.gap) && best.gap <= margin_) points_.push_back(best);
  }

  /// Whether the triangle, or what is over or under it, meets the shape's box, and the triangle is not under that.
  bool is_near(int number) const {
    const auto corners = grid_.corners(number);
    Vec3 lower = grid_.point(corners[0]), upper = lower;
    for (const int sample : {corners[1], corners[2]}) {
      lower = lower.cwiseMin(grid_.point(sample));
      upper = upper.cwiseMax(grid_.point(sample));
    }
    return upper.x() >= box_.lower.x() && lower.x() <= box_.upper.x() && upper.y() >= box_.lower.y() &&
           lower.y() <= box_.upper.y() && upper.z() >= box_.lower.z();
  }

  /// The shape's farthest point against a normal, and its gap over the plane through `at`; a gap of `margin` if that is
  /// more.
  ContactPoint farthest(const Vec3& normal, const Vec3& at, double margin) {
    const std::size_t mark = points_.size();
    shape_half_space(a_, X_WA_, {contact_frame(normal), at}, margin, points_);
    points_.push_back({at, at, normal, margin, 0});
    const auto by_gap = [](const ContactPoint& p, const ContactPoint& q) { return p.gap < q.gap; };
    const auto found = points_.begin() + static_cast<std::ptrdiff_t>(mark);
    const ContactPoint point = *std::min_element(found, points_.end(), by_gap);
    points_.resize(mark);
    return point;
  }

  /// Whether shape and triangle have a point in common: then the shape holds one on the triangle's rim, or all of its
  /// points in the triangle's plane lie within, and so does the one between the farthest on both sides.
  bool is_pierced(int number, const ContactPoint& lowest) {
    const auto corners = grid_.corners(number);
    std::array<Vec3, 3> p;
    for (int k = 0; k < 3; ++k) p[k] = X_WB_ * grid_.point(corners[k]);
    for (int k = 0; k < 3; ++k) {
      const Vec3 outwards = (p[(k + 1) % 3] - p[k]).cross(lowest.normal).normalized();
      if (separation(a_, X_WA_, Sphere{0}, {Mat3::Identity(), p[k]}, outwards) > -round_off_) return false;
    }
    const ContactPoint highest = farthest(-lowest.normal, p[0], 0);
    if (!(highest.gap < 0)) return false;
    const double part = lowest.gap / (lowest.gap + highest.gap);
    if (is_in(number, X_BW_ * Vec3(lowest.p_WA + part * (highest.p_WA - lowest.p_WA)))) return true;
    for (int k = 0; k < 3; ++k) {
      const Vec3 arm = p[(k + 1) % 3] - p[k];
      const Capsule segment = {0, 0.5 * arm.norm()};
      const Transform X_WE = {contact_frame(arm.normalized()), p[k] + 0.5 * arm};
      const double part_of_arm = arm.dot(X_WA_.p - p[k]) / arm.squaredNorm();
      const Vec3 to_center = X_WA_.p - p[k] - std::clamp(part_of_arm, 0.0, 1.0) * arm;
      // Most that are apart are so in this direction or upwards, which is told sooner.
      if (separation(a_, X_WA_, segment, X_WE, to_center.normalized()) > 0) continue;
      if (separation(a_, X_WA_, segment, X_WE, X_WB_.R.col(2)) > 0) continue;
      if (convex_distance(a_, X_WA_, segment, X_WE).gap < -round_off_) return true;
    }
    return false;
  }

  /// Whether the shape is out of the peak or ridge of that number when it moves as a point of that gap ≤ 0 says, or by
  /// half as much again.
  bool leaves_by(double gap, const Vec3& normal, int number) const {
    Capsule segment{0, 0};
    Transform X_WE;
    if (number < ridge_numbers) {
      X_WE = {Mat3::Identity(), X_WB_ * grid_.point(number - peak_numbers)};
    } else {
      const auto [from, to] = grid_.ends((number - ridge_numbers) / most_ridge_points);
      const Vec3 start = X_WB_ * grid_.point(from), arm = X_WB_ * grid_.point(to) - start;
      X_WE = {contact_frame(arm.normalized()), start + 0.5 * arm};
      segment.half_length = 0.5 * arm.norm();
    }
    const double nearly = 1e3 * round_off_;
    if (separation(a_, X_WA_, segment, X_WE, normal) >= most_detour * gap - nearly) return true;
    const Transform X_WM = {X_WA_.R, X_WA_.p - most_detour * gap * normal};
    return convex_distance(a_, X_WM, segment, X_WE).gap > -nearly;
  }

  /// Keeps of the points since `mark` those whose normal points away from all slopes, and that are nowhere yet. Where
  /// some overlap and the normals of none of these point away: the least gap, < 0. Else 0.
  double keep_pointing_away(std::size_t mark, const Vec3* slopes, int count, int number) {
    std::size_t kept = mark;
    bool any_away = false;
    double deepest = 0;
    for (std::size_t k = mark; k < points_.size(); ++k) {
      const ContactPoint point = points_[k];
      const Vec3 normal = X_BW_.R * point.normal;
      const bool away = std::all_of(slopes, slopes + count, [&](const Vec3& d) { return normal.dot(d) <= slack; });
      const auto known = points_.begin() + static_cast<std::ptrdiff_t>(kept);
      const bool there = std::any_of(begin(), known, [&](const ContactPoint& q) {
        return q.feature < detour_numbers && (q.p_WA - point.p_WA).norm() < 1e3 * round_off_ &&
               (q.p_WB - point.p_WB).norm() < 1e3 * round_off_;
      });
      any_away = any_away || (away && point.gap < 0);
      deepest = std::min(deepest, point.gap);
      if (!away || there || kept - mark == most_ridge_points - 1) continue;
      points_[kept] = point;
      points_[kept].feature = number + static_cast<int>(kept - mark);
      ++kept;
    }
    points_.resize(kept);
    return any_away ? 0 : deepest;
  }

  /// For who asks for the nearest pair, whatever it is: a shape below the rim of the ground has none of the above.
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
  double margin_, radius_, reach_, round_off_;
  std::vector<ContactPoint>& points_;
  std::size_t first_;
  Bounds box_;  ///< of the shape in the ground's frame, grown by the margin
};

}  // namespace

void height_field_points(const Shape& a, const Transform& X_WA, const HeightField& b, const Transform& X_WB,
                         double margin, std::vector<ContactPoint>& points) {
  Finder(a, X_WA, b, X_WB, margin, points).find();
}

}  // namespace carom
