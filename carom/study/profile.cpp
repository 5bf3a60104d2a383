#include "carom/study/profile.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

using Eigen::VectorXd;

/// One side of a profile.
class Side {
 public:
  Side(const Misfit& misfit, const MisfitPoint& fit, int unknown, int sign, const ProfileOptions& options)
      : misfit_(misfit), fit_(fit), unknown_(unknown), sign_(sign), options_(options) {}

  void run() {
    const double at = fit_.u[unknown_], whole = sign_ > 0 ? 1 - at : at;
    const double root = std::sqrt(options_.threshold);
    double inside = 0, inside_root = 0;
    double step = std::min(options_.first_step > 0 ? std::max(options_.first_step, 1e-5) : 0.05, whole);
    if (!(whole > 1e-9)) {
      open = true;
      end = 0;
      return;
    }
    double outside = 0, outside_root = 0;
    while (!(outside > 0)) {
      const double rise = std::sqrt(std::max(0.0, at_distance(step)));
      if (rise > root) {
        outside = step;
        outside_root = rise;
      } else if (step >= whole) {
        open = true;
        end = whole;
        return;
      } else {
        inside = step;
        inside_root = rise;
        // As far as a parabola says, twice as far at least, but not so far that a hump is stepped over.
        const double guess = rise > 1e-6 ? 1.1 * step * root / rise : whole;
        step = std::min(std::clamp(guess, 2 * step, 3 * step), whole);
      }
    }
    const double near = 0.02 * root;
    for (int i = 0; i < 10 && outside - inside > 0.005 * outside && outside_root - root > near; ++i) {
      // A misfit that is infinite, or level up to a step, leaves nothing to interpolate.
      const bool is_level = inside_root < 0.1 * root && outside_root > 3 * root;
      const bool is_step = !std::isfinite(outside_root) || is_level || i % 3 == 2;
      const double part = is_step ? 0.5 : std::clamp((root - inside_root) / (outside_root - inside_root), 0.05, 0.95);
      const double middle = inside + part * (outside - inside);
      const double rise = std::sqrt(std::max(0.0, at_distance(middle)));
      (rise > root ? outside : inside) = middle;
      (rise > root ? outside_root : inside_root) = rise;
      if (std::abs(rise - root) < near) break;
    }
    const double part = std::isfinite(outside_root) ? (root - inside_root) / (outside_root - inside_root) : 0.0;
    end = inside + std::clamp(part, 0.0, 1.0) * (outside - inside);
  }

  std::vector<ProfilePoint> points;
  double end = 0;  ///< distance from the fit
  bool open = false;
  std::optional<MisfitPoint> better;

 private:
  /// The rise at a distance from the fit. Others start where they were at the nearest point, or further along the way.
  double at_distance(double distance) {
    const double to = std::clamp(fit_.u[unknown_] + sign_ * distance, 0.0, 1.0);
    const ProfilePoint* nearest = nullptr;
    const ProfilePoint* second = nullptr;
    for (const ProfilePoint& point : points) {
      const auto far = [&](const ProfilePoint* p) {
        return p == nullptr ? std::abs(fit_.u[unknown_] - to) : std::abs(p->u[unknown_] - to);
      };
      if (far(&point) < far(nearest)) {
        second = nearest;
        nearest = &point;
      }
    }
    const VectorXd from = nearest != nullptr ? nearest->u : fit_.u;
    const VectorXd before = second != nullptr ? second->u : fit_.u;
    VectorXd start = from;
    const double way = from[unknown_] - before[unknown_];
    if (nearest != nullptr && std::abs(way) > 1e-12) {
      start += (to - from[unknown_]) / way * (from - before);
      start = start.cwiseMax(0.0).cwiseMin(1.0);
    }
    start[unknown_] = to;
    VectorXd plain = from;
    plain[unknown_] = to;
    if (cost_at(misfit_, plain) < cost_at(misfit_, start)) start = plain;
    const MisfitPoint least =
        least_misfit(misfit_, start, all_but(misfit_.unknowns(), unknown_), options_.smooth, {.thorough = false});
    if (least.cost < fit_.cost && (!better || least.cost < better->cost)) better = least;
    const double rise = std::isfinite(least.cost) ? 2 * options_.scale * (least.cost - fit_.cost)
                                                  : std::numeric_limits<double>::infinity();
    points.push_back({least.u, rise});
    return rise;
  }

  const Misfit& misfit_;
  const MisfitPoint& fit_;
  int unknown_, sign_;
  const ProfileOptions& options_;
};

}  // namespace

Profile profile_of(const Misfit& misfit, const MisfitPoint& fit, int unknown, const ProfileOptions& options) {
  Side down(misfit, fit, unknown, -1, options), up(misfit, fit, unknown, 1, options);
  tbb::parallel_invoke([&] { down.run(); }, [&] { up.run(); });
  Profile profile;
  profile.points = down.points;
  profile.points.push_back({fit.u, 0});
  profile.points.insert(profile.points.end(), up.points.begin(), up.points.end());
  std::sort(profile.points.begin(), profile.points.end(),
            [&](const ProfilePoint& a, const ProfilePoint& b) { return a.u[unknown] < b.u[unknown]; });
  profile.low = fit.u[unknown] - down.end;
  profile.high = fit.u[unknown] + up.end;
  profile.open_low = down.open;
  profile.open_high = up.open;
  for (const std::optional<MisfitPoint>& one : {down.better, up.better}) {
    if (one && (!profile.better || one->cost < profile.better->cost)) profile.better = one;
  }
  return profile;
}

}  // namespace carom
