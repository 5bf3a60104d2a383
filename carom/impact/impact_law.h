#pragma once

#include <Eigen/Core>
#include <variant>

#include "carom/impact/law_kind.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/plus.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/stronge.h"

namespace carom {

/// The law of a blow, whichever it is, with its options.
class ImpactLaw {
 public:
  /// Throws Error for LawKind::none, which is no law of a blow. plus and lzb: read by these laws alone.
  ImpactLaw(LawKind kind, const PlusOptions& plus, const LzbOptions& lzb);

  /// impulse and velocity: k, p and u + A p. trace: of PLUS all that happened, emptied by the others; or nullptr.
  /// Throws as the laws do. Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                                    Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace = nullptr);

 private:
  PlusOptions plus_;
  LzbOptions lzb_;
  std::variant<PlasticLaw, NewtonImpactLaw, PoissonImpactLaw, PlusLaw, StrongeLaw, LzbLaw> law_;
};

}  // namespace carom
