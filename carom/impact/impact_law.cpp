#include "carom/impact/impact_law.h"

#include <type_traits>

#include "carom/error.h"

namespace carom {

ImpactLaw::ImpactLaw(LawKind kind, const ImpactLawOptions& options) : kind_(kind), options_(options) {
  switch (kind) {
    case LawKind::none:
      throw Error(
          "law none says nothing of a blow; choose plus, newton, poisson, plastic, stronge, lzb, propagative or "
          "energy-blend");
    case LawKind::newton:
      law_.emplace<NewtonImpactLaw>();
      break;
    case LawKind::poisson:
      law_.emplace<PoissonImpactLaw>();
      break;
    case LawKind::plus:
      law_.emplace<PlusLaw>();
      break;
    case LawKind::plastic:
      law_.emplace<PlasticLaw>();
      break;
    case LawKind::stronge:
      law_.emplace<StrongeLaw>();
      break;
    case LawKind::lzb:
      law_.emplace<LzbLaw>();
      break;
    case LawKind::propagative:
    case LawKind::energy_blend:
      law_.emplace<PropagativeLaw>();
      break;
  }
}

ImpactOutcome ImpactLaw::solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                               Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace) {
  if (trace) trace->truncate(0);
  const auto solve = [&](auto& law) {
    using Law = std::decay_t<decltype(law)>;
    if constexpr (std::is_same_v<Law, PlusLaw>) {
      return law.solve(problem, options_.plus, impulse, velocity, trace);
    } else if constexpr (std::is_same_v<Law, LzbLaw>) {
      return law.solve(problem, options_.lzb, impulse, velocity);
    } else if constexpr (std::is_same_v<Law, PropagativeLaw>) {
      if (kind_ == LawKind::energy_blend) return law.solve_blend(problem, options_.propagative, impulse, velocity);
      return law.solve(problem, options_.propagative, impulse, velocity, trace);
    } else {
      return law.solve(problem, {}, impulse, velocity);
    }
  };
  return std::visit(solve, law_);
}

}  // namespace carom
