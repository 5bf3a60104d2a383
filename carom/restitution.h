#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace carom {

/// The same coefficient at every speed.
struct ConstantRestitution {
  ConstantRestitution(double coefficient = 0) : e(coefficient) {}
  bool operator==(const ConstantRestitution&) const = default;
  double e;  ///< 0 to 1
};

/// Uchida, Sherman and Delp 2015, figure 2: e = 0 below `capture`. From there up to `plastic` it lies on the straight
/// line from 1 at rest to `minimum` at `plastic`. Above, e = `minimum`.
struct CaptureRestitution {
  double capture = 0;  ///< approach speed below which nothing rebounds, m/s
  double plastic = 1;  ///< approach speed from which the coefficient no longer falls, > 0, ≥ capture, m/s
  double minimum = 0;  ///< 0 to 1
  bool operator==(const CaptureRestitution&) const = default;
};

/// e = max(0, 1 − d s), what Hunt and Crossley's damping c gives to first order with d = c.
struct LineRestitution {
  double slope = 0;  ///< d ≥ 0, s/m
  bool operator==(const LineRestitution&) const = default;
};

/// Straight lines between (approach speed, coefficient) pairs of rising speed, constant beyond the first and the last.
struct TableRestitution {
  std::vector<std::pair<double, double>> points;  ///< (m/s, 0 to 1), at least one
  bool operator==(const TableRestitution&) const = default;
};

/// Coefficient of restitution as a function of the approach speed. A datum: a value that is copied, stored, compared.
/// A number is a constant one.
using Restitution = std::variant<ConstantRestitution, CaptureRestitution, LineRestitution, TableRestitution>;

/// e at the approach speed s ≥ 0, m/s (rad/s for a joint's limit).
inline double restitution_at(const Restitution& law, double s) {
  struct Visitor {
    double s;
    double operator()(const ConstantRestitution& law) const { return law.e; }
    double operator()(const CaptureRestitution& law) const {
      if (s < law.capture) return 0;
      if (s >= law.plastic) return law.minimum;
      return 1 + (law.minimum - 1) * s / law.plastic;
    }
    double operator()(const LineRestitution& law) const { return std::max(0.0, 1 - law.slope * s); }
    double operator()(const TableRestitution& law) const {
      const auto& points = law.points;
      const auto above = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.first > s; });
      if (above == points.begin()) return above->second;
      if (above == points.end()) return points.back().second;
      const auto below = above - 1;
      return below->second + (above->second - below->second) * (s - below->first) / (above->first - below->first);
    }
  };
  return std::visit(Visitor{s}, law);
}

/// True if e > 0 at any approach speed above 0.
inline bool may_bounce(const Restitution& law) {
  struct Visitor {
    bool operator()(const ConstantRestitution& law) const { return law.e > 0; }
    bool operator()(const CaptureRestitution& law) const { return law.minimum > 0 || law.capture < law.plastic; }
    bool operator()(const LineRestitution&) const { return true; }
    bool operator()(const TableRestitution& law) const {
      return std::any_of(law.points.begin(), law.points.end(), [](const auto& point) { return point.second > 0; });
    }
  };
  return std::visit(Visitor{}, law);
}

}  // namespace carom
