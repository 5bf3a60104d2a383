#pragma once

#include <vector>

#include "carom/complementarity/factored/factored_problem.h"
#include "carom/complementarity/factored/natural_map_newton.h"

namespace carom {

struct NonmonotoneOptions {
  double tolerance = 1e-9;           ///< on FactoredProblem::measure
  int max_steps = 6;                 ///< a factorisation each
  const StopSignal* stop = nullptr;  ///< asked at every one, and within them; null: nothing stops it
};

/// Semismooth Newton's steps on the impulses that may climb. A step is halved until the merit is below the largest
/// since the start (Grippo, Lampariello and Lucidi 1986), not below the last. The contacts that push and those that
/// slide change one after the other, and between two right answers the merit rises. A step that must descend gets stuck
/// there. The regularisation ε follows the best residual, so that the steps become Newton's own near the solution. Ends
/// after max_steps, or after more than three that did not bring the residual down by a tenth.
class NonmonotoneNewton {
 public:
  /// p: impulses in the problem's units to begin with; the best of the iterates when it ends.
  [[nodiscard]] FactoredResult run(FactoredProblem& problem, const NonmonotoneOptions& options, std::vector<double>& p);

 private:
  NaturalMapNewton newton_;
};

}  // namespace carom
