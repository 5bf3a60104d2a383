#pragma once

#include <vector>

#include "carom/complementarity/factored/factored_problem.h"
#include "carom/complementarity/factored/natural_map_newton.h"

namespace carom {

struct ProximalRoundsOptions {
  double tolerance = 1e-9;           ///< on FactoredProblem::measure
  int max_steps = 30;                ///< of Newton's method in all rounds, a factorisation each
  const StopSignal* stop = nullptr;  ///< asked at every one, and within them; null: nothing stops it
};

/// Proximal points (Rockafellar 1976) of Coulomb's law with lifts that follow the slip. A round solves the problem with
/// z + a ε (p − c) in place of z = w + s e_n. It takes Newton's steps on the natural map. Its solution is unique where
/// redundant contacts contradict one another by δ, and a round hands their load on by δ / ε. If a round is solved, its
/// solution is the next centre, and ε falls to a tenth. If not, the next begins anew from the best with a hundredfold
/// ε.
class ProximalRounds {
 public:
  /// p: impulses in the problem's units to begin with; the best of the iterates, this one among them, when it ends.
  [[nodiscard]] FactoredResult run(FactoredProblem& problem, const ProximalRoundsOptions& options,
                                   std::vector<double>& p);

 private:
  NaturalMapNewton newton_;
  std::vector<double> recent_, centre_;
};

}  // namespace carom
