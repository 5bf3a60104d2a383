#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "carom/complementarity/bilateral_elimination.h"
#include "carom/complementarity/cone/cone_newton.h"
#include "carom/complementarity/cone/cone_smoothing.h"
#include "carom/complementarity/cone/cone_system.h"
#include "carom/complementarity/cone/gauss_seidel.h"
#include "carom/complementarity/cone/proximal.h"
#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/polyhedral/polyhedral.h"

namespace carom {

struct ConeOptions {
  SolverKind method = SolverKind::none;  ///< none: the driver begins with the cheapest and escalates; gauss_seidel,
                                         ///< proximal: that one alone; newton: the driver without sweeps
  double tolerance = 1e-9;               ///< on the residual below
  int max_iterations = 20000;            ///< sweeps, steps and pivots of all methods together
  const StopSignal* stop = nullptr;      ///< asked at each of them; null: nothing stops it
};

/// Contact problems with the exact (circular, elliptic, ellipsoidal) friction cone: conditions as in contact_problem.h
/// and certificate.h, end-of-step Coulomb friction. All kinds of blocks, all forms of the operator.
///
/// Bilateral rows are eliminated first (bilateral_elimination.h), and velocities and residual computed from the whole
/// problem at the end. Then, each only as long as the residual is above tolerance:
///
///     Newton, own equation         A few steps from a warm start, which is near the solution if little changed.
///     Gauss–Seidel                 A few sweeps, more where they pay: solves what is small or well conditioned.
///     Newton, own equation         A few steps solve most of what is left (cone_newton.h).
///     Smoothing, Newton            For stacks, where Newton's steps alone wander between states (cone_smoothing.h).
///     Newton, both equations       Longer, and once more from a smooth path.
///     Infeasible?                  If so, that is the status, and nothing more is tried (infeasibility.h).
///     Proximal points              p ← the solution of A + α D, u − α D p (Rockafellar 1976), by the methods above.
///                                  For ill-conditioned stacks; α falls as the methods succeed.
///     Polyhedral, Newton           From Lemke's solution with 8 and 32 generators, first in the states that it has.
///                                  For states that only a path finds (jammed contacts).
///
/// For wide cones, which are nearly half-spaces, the polyhedral start comes before the proximal points. A warm start is
/// then first taken to be in the states of the solution. Lemke's method gets friction of at most 1e5. Its states are
/// also those of more friction, and its pivots cannot handle numbers so far apart.
///
/// A product of more than ConeSystem::largest_stored rows is solved by the first-order method of proximal.h alone.
///
/// The residual is the largest of three. These are certify's natural map, its residual of bilateral and bounded rows,
/// and a tenth of what each block's conditions leave. The last is relative to the sizes of the problem's impulses and
/// velocities. The natural map counts a velocity as the impulse that makes it, relative to the largest. Impulses that
/// grow with friction, or without bound in a problem without solution, make it as small as one likes. The other two do
/// not shrink so. Solutions need not be unique: impulses are not where contacts are redundant, velocities not at high
/// friction. Results depend on the problem, the options and the warm start alone.
class ConeSolver {
 public:
  /// warm_start: k impulses to begin from, or empty. impulse, velocity: k, p and u + A p. After a status other than
  /// solved they are the best iterate. Call check() on a problem that you did not build yourself.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const ConeOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  /// After infeasible: k entries, a dual vector that proves it (infeasibility.h).
  std::span<const double> infeasibility() const { return work_; }

  /// Makes room for any dense problem of so many blocks, of any kinds. For as many or fewer, solve() then allocates
  /// nothing as long as Newton's method and smooth paths solve the problem.
  void reserve(int blocks);

 private:
  void prepare(const ContactProblem& problem, std::span<const double> warm_start);
  bool below(double tolerance) const { return residual_ <= tolerance; }
  void run(const ContactProblem& problem, const ConeOptions& options);
  template <typename Method>
  int attempt(SolverRung rung, double tolerance, int steps, Method&& method);
  void enter(SolverRung rung);
  void sweep(SolverRung rung, double tolerance, int sweeps, bool persistent);
  void newton(SolverRung rung, ConeNewton::Equation equation, double tolerance, int steps);
  void polish(SolverRung rung, double tolerance);
  int follow_path(SolverRung rung, double tolerance, int steps);
  void smooth(SolverRung rung, double tolerance, int steps);
  void first_order(double tolerance, int steps);
  void hurry(double tolerance);
  void escalate(double tolerance);
  void proximal_points(double tolerance);
  bool solve_around(double alpha, double tolerance);
  ContactProblem without_torsion(const ContactProblem& problem);
  bool has_wide_cones() const;
  bool from_warm_start(const ConeOptions& options);
  bool solve_polyhedral(const ContactProblem& start, int directions, const ConeOptions& cone);
  void slide_with_all_friction();
  void start_from_polyhedral(const ContactProblem& problem, const ConeOptions& cone);
  bool keep(SolverKind solver);
  void refresh();
  void return_to_best();
  double finish(const ContactProblem& problem, double tolerance, double* impulse, double* velocity);
  double residual_of(const ContactProblem& problem, const double* impulse, const double* velocity) const;

  BilateralElimination elimination_;
  ConeSystem system_;
  GaussSeidel gauss_seidel_;
  ConeNewton newton_;
  ConeSmoothing smoothing_;
  ProximalGradient first_order_;
  PolyhedralSolver polyhedral_;

  bool reduced_ = false, warm_ = false, infeasible_ = false;
  int iterations_ = 0, budget_ = 0;
  double residual_ = 0, best_residual_ = 0;  // of p_ and of best_
  SolverKind best_solver_ = SolverKind::none;
  RungTrace rungs_;                      // won: of best_
  SolverRung rung_ = SolverRung::start;  // that p_ comes from
  std::optional<SolverRung> whole_;      // a rung whose parts count as itself
  RungSet detours_;                      // on which p_ was found
  std::vector<double> p_, w_, best_, centre_, work_;
  std::vector<Block> blocks_;
};

}  // namespace carom
