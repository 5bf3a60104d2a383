#include "carom/impact/propagative/propagative_law.h"

#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"

namespace carom {
namespace {

class PropagativeSolver : public ImpactSolver {
 public:
  explicit PropagativeSolver(const PropagativeOptions& options) : options_(options) {}

  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace) override {
    return law_.solve(problem, options_, impulse, velocity, trace);
  }

 private:
  PropagativeOptions options_;
  PropagativeLaw law_;
};

class EnergyBlendSolver : public ImpactSolver {
 public:
  explicit EnergyBlendSolver(const PropagativeOptions& options) : options_(options) {}

  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* /*trace*/) override {
    return law_.solve_blend(problem, options_, impulse, velocity);
  }

 private:
  PropagativeOptions options_;
  PropagativeLaw law_;
};

}  // namespace

constinit const LawEntry law_entries::propagative{
    .name = "propagative",
    .assumption =
        "contacts that approach are reflected one after another, the deepest first, each elastically and "
        "without friction, until none approaches; another order may end elsewhere",
    .restitution = RestitutionUse::as_1,
    .has_friction = false,
    .options = "propagative",
    .make = [](const ImpactLawOptions& options) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<PropagativeSolver>(options.propagative);
    },
};

constinit const LawEntry law_entries::energy_blend{
    .name = "energy-blend",
    .assumption =
        "without friction; the impact keeps e² of the energy that lies between stopping all contacts at once "
        "and reflecting them elastically one after another",
    .restitution = RestitutionUse::blend,
    .has_friction = false,
    .options = "propagative",
    .make = [](const ImpactLawOptions& options) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<EnergyBlendSolver>(options.propagative);
    },
};

}  // namespace carom
