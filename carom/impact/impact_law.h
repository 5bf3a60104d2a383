#pragma once

#include <Eigen/Core>
#include <variant>

#include "carom/impact/law_kind.h"
#include "carom/impact/lzb.h"
#include "carom/impact/newton_impact.h"
#include "carom/impact/plastic.h"
#include "carom/impact/plus.h"
#include "carom/impact/poisson_impact.h"
#include "carom/impact/propagative/propagative_law.h"
#include "carom/impact/stronge.h"

namespace carom {

/// What some laws of blows can be told; each is read by the law of its name alone, propagative by energy-blend too.
struct ImpactLawOptions {
  PlusOptions plus = {};
  LzbOptions lzb = {};
  PropagativeOptions propagative = {};
};

/// The law of a blow, whichever it is, with its options.
class ImpactLaw {
 public:
  /// Throws Error for LawKind::none, which is no law of a blow.
  explicit ImpactLaw(LawKind kind, const ImpactLawOptions& options = {});

  /// impulse and velocity: k, p and u + A p. trace: of PLUS and propagative all that happened, emptied by the others;
  /// or nullptr. Throws as the laws do. Keeps its buffers.
  [[nodiscard]] ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                                    Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace = nullptr);

 private:
  LawKind kind_;
  ImpactLawOptions options_;
  std::variant<PlasticLaw, NewtonImpactLaw, PoissonImpactLaw, PlusLaw, StrongeLaw, LzbLaw, PropagativeLaw> law_;
};

}  // namespace carom
