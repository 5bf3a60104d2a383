#pragma once

#include <string>
#include <vector>

#include "benchmarks/guarded_calls.h"
#include "benchmarks/siconos_peer.h"
#include "carom/complementarity/contact_problem.h"

namespace carom::bench {

/// A solver of the exact cone, Carom's or the peer's.
struct ExactSolver {
  std::string name;
  bool peer = false;
  SolverKind method = SolverKind::none;                ///< Carom's; none: the driver
  SiconosMethod siconos_method = SiconosMethod::nsgs;  ///< the peer's
};

/// Carom's driver first, its single methods, and Siconos' where it is there.
std::vector<ExactSolver> exact_solvers();

/// A problem of cones with isotropic friction, from zero, with a tolerance in the solver's own measure, repeated until
/// its time is known. The outcome's residual is certify's natural map; `converged`: what the solver says of itself.
Outcome solve_exact(const ExactSolver& solver, const ContactProblem& problem, double tolerance, bool& converged);

}  // namespace carom::bench
