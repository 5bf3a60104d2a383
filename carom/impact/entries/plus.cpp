#include "carom/impact/plus.h"

#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"

namespace carom {
namespace {

class PlusSolver : public ImpactSolver {
 public:
  explicit PlusSolver(const PlusOptions& options) : options_(options) {}

  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace) override {
    return law_.solve(problem, options_, impulse, velocity, trace);
  }

 private:
  PlusOptions options_;
  PlusLaw law_;
};

}  // namespace

constinit const LawEntry law_entries::plus{
    .name = "plus",
    .assumption =
        "impacts run through the mechanism in rounds: contacts that approach are compressed together and then "
        "expand, and may set off the next round; slip turns on the way",
    .options = "plus",
    .reads_stiffness = [](const ImpactLawOptions& options) { return options.plus.weigh_by_stiffness; },
    .stiffness_option = "weigh_by_stiffness",
    .make = [](const ImpactLawOptions& options) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PlusSolver>(options.plus);
    },
};

}  // namespace carom
