#include "carom/complementarity/rung_counts.h"

namespace carom {

void RungCounts::add(const ContactSolution& island) {
  const bool answers = island.status == SolveStatus::solved || island.status == SolveStatus::infeasible;
  ++solves;
  answered += answers ? 1 : 0;
  for (std::size_t i = 0; i < entered.size(); ++i) {
    const auto rung = static_cast<SolverRung>(i);
    entered[i] += island.rungs.entered.has(rung) ? 1 : 0;
    won[i] += answers && island.rungs.won.has(rung) ? 1 : 0;
  }
}

void RungCounts::add(const RungCounts& other) {
  solves += other.solves;
  answered += other.answered;
  for (std::size_t i = 0; i < entered.size(); ++i) {
    entered[i] += other.entered[i];
    won[i] += other.won[i];
  }
}

}  // namespace carom
