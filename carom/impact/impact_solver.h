#pragma once

#include <Eigen/Core>

#include "carom/impact/impact_problem.h"
#include "carom/impact/lzb.h"
#include "carom/impact/plus.h"
#include "carom/impact/propagative/propagative_law.h"

namespace carom {

/// Options of impact laws; each is read by the law of its name alone, propagative by energy-blend too.
struct ImpactLawOptions {
  PlusOptions plus = {};
  LzbOptions lzb = {};
  PropagativeOptions propagative = {};
};

/// A law of impacts at work: from a problem to impulses, with memory of its own to work in, which changes no bits.
class ImpactSolver {
 public:
  ImpactSolver() = default;
  ImpactSolver(const ImpactSolver&) = delete;
  ImpactSolver& operator=(const ImpactSolver&) = delete;
  virtual ~ImpactSolver() = default;

  /// impulse and velocity: k, p and u + A p. trace: empty on entry, or nullptr; a law that has a path tells it there.
  /// Throws as check_sizes (impact_rows.h).
  [[nodiscard]] virtual ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                                            Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* trace) = 0;
};

/// A class of laws without options of the user's, whose solve takes its own options by default, as an ImpactSolver.
template <class Law>
class PlainImpactSolver : public ImpactSolver {
 public:
  ImpactOutcome solve(const ImpactProblem& problem, Eigen::Ref<Eigen::VectorXd> impulse,
                      Eigen::Ref<Eigen::VectorXd> velocity, PlusTrace* /*trace*/) override {
    return law_.solve(problem, {}, impulse, velocity);
  }

 private:
  Law law_;
};

}  // namespace carom
