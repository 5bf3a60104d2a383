#pragma once

#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/spatial/types.h"

namespace carom {

/// A copy of the last contact problem of a step, with the solver's start and result: to look at, or to solve by other
/// means. With Poisson's law it is the compression.
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
