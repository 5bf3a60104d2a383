#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace carom {

/// The same coefficient at every speed.
struct ConstantRestitution {
  double e = 0;  ///< 0 to 1
};

/// Uchida, Sherman and Delp 2015, figure 2: e = 0 below `capture`; on the straight line from 1 at rest to `minimum` at
/// `plastic` up to there; `minimum` above.
struct CaptureRestitution {
  double capture = 0;  ///< approach speed below which nothing rebounds, m/s
  double plastic = 1;  ///< approach speed from which the coefficient no longer falls, > 0, ≥ capture, m/s
  double minimum = 0;  ///< 0 to 1
};

/// e = max(0, 1 − d s), what Hunt and Crossley's damping c gives to first order with d = c.
struct LineRestitution {
  double slope = 0;  ///< d ≥ 0, s/m
};

/// Straight lines between (approach speed, coefficient) pairs of rising speed, constant beyond the first and the last.
struct TableRestitution {
  std::vector<std::pair<double, double>> points;  ///< (m/s, 0 to 1), at least one
};

/// Coefficient of restitution as a function of the approach speed. A datum: a value that is copied, stored, compared.
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

}  // namespace carom
