#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "carom/study/misfit.h"

// The unknowns of least misfit, within their ranges.
//
// Smooth residuals, as differences show them: Levenberg and Marquardt's damped Gauss–Newton steps. Unknowns at the end
// of their range stay there while the slope pushes outwards. The loss acts through weights ρ′(r²) of the rows.
//
// Residuals may also have a kink or jump: an impact comes a step later, or a contact sticks instead of slipping. The
// same steps, by differences so wide that they see the trend, then come near. From there methods without derivatives
// (noisy_minimum.h) go on in turns. One turn is over the unknowns of all experiments, while those of single ones follow
// the trend. The other is over the unknowns of each experiment for itself. A budget of few steps by differences goes to
// these methods from the start: steps amid jumps are often short.
namespace carom {

/// A point and its C.
struct MisfitPoint {
  Eigen::VectorXd u;
  double cost = 0;
  bool cut = false;       ///< the search for it ended with its budget
  std::int64_t runs = 0;  ///< simulations of the search
};

/// The work that a search may do.
struct SearchEffort {
  bool thorough = true;   ///< that of a fit, otherwise that of a point beside a fit, of which profiles have many
  std::int64_t runs = 0;  ///< simulations of one experiment; the start's own come first. 0: without a bound
};

/// Widths of differences: for smooth residuals, and for others.
inline constexpr double smooth_difference = 1e-4, wide_difference = 5e-3;

/// From `start`, over the unknowns in `free`; the others stay. A local minimum, or the best point when its runs are
/// spent. Throws what the residuals throw.
MisfitPoint least_misfit(const Misfit& misfit, const Eigen::VectorXd& start, const std::vector<int>& free, bool smooth,
                         const SearchEffort& effort);

/// The numbers from 0 to n − 1 without `left_out`.
std::vector<int> all_but(int n, int left_out = -1);

/// The end of a search over starts.
struct StartsResult {
  MisfitPoint best;
  Smoothness smoothness;  ///< around the start, and around the best
  int starts = 0;
  int agreeing = 0;  ///< that ended within 0.1 of the least C
  bool cut = false;  ///< a search ended with its budget
};

struct StartsOptions {
  int starts = 1;
  std::uint64_t seed = 0;
  std::optional<bool> smooth = {};  ///< whether the residuals are; empty: tested
  /// Budget of all starts together, one evaluation at least; tests of smoothness come on top. 0: without a bound. One
  /// that is too small for an evaluation at each start searches from the first ones.
  std::int64_t runs = 0;
};
/// From `start` and from further points that the seed draws (Latin hypercube over the ranges).
StartsResult least_misfit_of_starts(const Misfit& misfit, const Eigen::VectorXd& start, const StartsOptions& options);

}  // namespace carom
