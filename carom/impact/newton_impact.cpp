#include "carom/impact/newton_impact.h"

#include <algorithm>

#include "carom/impact/newton.h"

namespace carom {

ImpactOutcome NewtonImpactLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                     Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  std::vector<Block>& blocks = law_.begin(problem);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (blocks[b].kind == BlockKind::bilateral) continue;
    const double s = std::max(0.0, -problem.u(blocks[b].normal_row()));
    blocks[b].restitution = problem.surfaces[b].restitution.at(s);
    apply_newton(s, blocks[b]);
  }
  return law_.solve(problem, options, impulse, velocity);
}

}  // namespace carom
