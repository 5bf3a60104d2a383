#pragma once

#include <array>
#include <cstdint>

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// Counts the rungs of contact solves (solver_rung.h). A program that measures hands it in (ContactOptions::rungs,
/// Method::rungs). Not for several threads at a time; a solver adds its islands when all are done.
struct RungCounts {
  std::int64_t solves = 0;                                             ///< islands
  std::int64_t answered = 0;                                           ///< of these, solved or shown infeasible
  std::array<std::int64_t, solver_rung_count> entered = {}, won = {};  ///< by rung; unanswered solves have no winner

  void add(const ContactSolution& island);
  void add(const RungCounts& other);

  std::int64_t entered_by(SolverRung rung) const { return entered[static_cast<std::size_t>(rung)]; }
  std::int64_t won_by(SolverRung rung) const { return won[static_cast<std::size_t>(rung)]; }
};

}  // namespace carom
