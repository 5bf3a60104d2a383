#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/cone_system.h"
#include "carom/complementarity/contact_problem.h"

namespace carom {

struct ConeOptions {
  SolverKind method = SolverKind::none;  ///< none: the driver begins with the cheapest and escalates; gauss_seidel,
                                         ///< proximal, newton: that one alone
  double tolerance = 1e-9;               ///< on the certificate's natural map, relative to the largest impulse
  int max_iterations = 20000;            ///< sweeps, steps and rounds of all methods together
};

/// Contact problems with the exact (circular, elliptic, ellipsoidal) friction cone: conditions as in contact_problem.h,
/// end-of-step Coulomb friction, residual the natural map of certificate.h.
class ConeSolver {
 public:
  /// warm_start: k impulses to begin from, or empty. impulse, velocity: k, p and u + A p; after a status other than
  /// solved the best iterate. Call check() on a problem that you did not build yourself.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const ConeOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  /// Makes room for any dense problem of so many blocks: solve() then allocates nothing for as many or fewer.
  void reserve(int blocks);

 private:
  ConeSystem system_;
};

}  // namespace carom
