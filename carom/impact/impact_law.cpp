#include "carom/impact/impact_law.h"

#include "carom/error.h"

namespace carom {

ImpactLaw::ImpactLaw(LawKind kind, const ImpactLawOptions& options) {
  if (kind->make == nullptr) {
    throw Error("law " + std::string(kind->name) + " says nothing of an impact; choose one that does, such as plus");
  }
  solver_ = kind->make(options);
}

ImpactOutcome ImpactLaw::solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                               Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace) {
  if (trace != nullptr) trace->truncate(0);
  return solver_->solve(problem, impulse, velocity, trace);
}

}  // namespace carom
