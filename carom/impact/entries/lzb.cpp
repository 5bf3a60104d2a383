#include "carom/impact/lzb.h"

#include "carom/impact/impact_solver.h"
#include "carom/impact/law_entries.h"

namespace carom {
namespace {

class LzbSolver : public ImpactSolver {
 public:
  explicit LzbSolver(const LzbOptions& options) : options_(options) {}

  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* /*trace*/) override {
    return law_.solve(problem, options_, impulse, velocity);
  }

 private:
  LzbOptions options_;
  LzbLaw law_;
};

}  // namespace

constinit const LawEntry law_entries::lzb{
    .name = "lzb",
    .assumption =
        "contacts are stiff springs that share an impact as their stiffnesses have it, each giving back e² of "
        "its work; the ratios of the stiffnesses decide what the impact does to several bodies at once",
    .reads_tangential_spring = true,
    .options = "lzb",
    .reads_stiffness = [](const ImpactLawOptions&) { return true; },
    .make = [](const ImpactLawOptions& options) -> std::unique_ptr<ImpactSolver> {
      return std::make_unique<LzbSolver>(options.lzb);
    },
};

}  // namespace carom
