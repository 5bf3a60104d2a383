#pragma once

#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/spatial/types.h"

namespace carom {

/// The contact problem of a step as it was posed for the last time in it, with what the solver began from and what it
/// found: a copy to look at, or to solve by other means. Of Poisson's law it is the compression.
struct PosedProblem {
  MatrixX A;
  VectorX u;
  std::vector<Block> blocks;
  VectorX warm_start;
  VectorX impulse;                 ///< meaningful where the status is solved
  ContactSolution solution;        ///< of both phases of Poisson's law
  bool expansion_follows = false;  ///< of Poisson's law: a second problem, posed by this one's solution
};

}  // namespace carom
