#pragma once

#include <vector>

#include "carom/complementarity/mixed/box_lcp.h"
#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/complementarity/mixed/ncp_iterate.h"

namespace carom {

/// Josephy's Newton method (1979), globalized as in PATH (Dirkse and Ferris 1995). The step from x̂ leads towards a
/// solution of the problem whose F is linear,
///
///     F̂(x̂) + (Ĵ(x̂) + ε I) p  against  the box [l̂ − x̂, û − x̂] of p,
///
/// BoxLcpSolver solves it with ε = 0. If it has no solution, or the search along p fails, ε grows (a proximal
/// perturbation). Then comes the projected gradient of Fischer and Burmeister's merit, which also judges the steps.
/// PATH instead follows the path of Lemke's pivots, not the segment. Convergence is quadratic near strongly regular
/// solutions. Active bounds are found in one step where semismooth Newton needs several. A step costs a dense
/// elimination, n³, and a Lemke path.
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
