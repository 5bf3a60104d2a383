#pragma once

#include <optional>
#include <vector>

#include "carom/study/least_misfit.h"

// The profile likelihood of one unknown: the rise of the least misfit over all others when this one is fixed at a
// value. The values with a rise up to a threshold are its interval. If the rise does not pass the threshold before an
// end of the range, the measurements do not determine the unknown.
namespace carom {

/// A point of a profile.
struct ProfilePoint {
  Eigen::VectorXd u;  ///< all unknowns, the others at their least misfit
  double rise = 0;    ///< 2 κ (C − least C), which the threshold is for
};

struct Profile {
  std::vector<ProfilePoint> points;          ///< by the unknown, ascending; the fit among them
  double low = 0, high = 1;                  ///< where the rise passes the threshold, parts of the range
  bool open_low = false, open_high = false;  ///< it does not, down or up to the end of the range
  std::optional<MisfitPoint> better;         ///< a lower misfit than that of the fit, met on the way
};

struct ProfileOptions {
  double threshold = 3.84;  ///< of the rise
  double scale = 1;         ///< κ of a loss other than squares (fit_statistics.h)
  double first_step = 0;    ///< part of the range; 0: 0.05
  bool smooth = true;
};

/// From a fit outwards to both sides, both at a time. Each step is two to three times as long as the last, until the
/// threshold or the end of the range. The place is then narrowed between, in proportion to the root of the rise, or by
/// halves. This ends when the rise is within 4 % of the threshold, or the distance from the fit is known to half a per
/// cent.
Profile profile_of(const Misfit& misfit, const MisfitPoint& fit, int unknown, const ProfileOptions& options);

}  // namespace carom
