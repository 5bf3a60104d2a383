#pragma once

#include <vector>

#include "carom/complementarity/mixed/box_lcp.h"
#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/complementarity/mixed/ncp_iterate.h"

namespace carom {

/// Josephy's Newton method (1979), globalized as in PATH (Dirkse and Ferris 1995): the step from x̂ leads towards a
/// solution of the problem whose F is linear,
///
///     F̂(x̂) + (Ĵ(x̂) + ε I) p  against  the box [l̂ − x̂, û − x̂] of p,
///
/// by BoxLcpSolver, with ε = 0, or growing (a proximal perturbation) where that has no solution or the search along p
/// fails; then by the projected gradient of Fischer and Burmeister's merit, which also judges the steps (PATH follows
/// the path of Lemke's pivots instead of the segment). Quadratic near strongly regular solutions, and finds active
/// bounds in one step where semismooth Newton needs several; the cost of a step is a dense elimination, n³, and a
/// Lemke path.
class NewtonJosephy {
 public:
  /// From the point where `iterate` began. `iterations` counts on.
  NcpStatus run(NcpIterate& iterate, const NcpIterate::Goal& goal, int& iterations);

 private:
  bool step(NcpIterate& iterate);

  BoxLcpSolver subproblem_;
  std::vector<double> matrix_, lower_, upper_, p_;
};

}  // namespace carom
