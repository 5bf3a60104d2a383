#include "carom/impact/plastic.h"

namespace carom {

ImpactOutcome PlasticLaw::solve(const ImpactProblem& problem, const EndLawOptions& options,
                                Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity) {
  law_.begin(problem);
  return law_.solve(problem, options, impulse, velocity);
}

}  // namespace carom
