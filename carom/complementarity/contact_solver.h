#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/cone/cone_solver.h"
#include "carom/complementarity/factored/factored_solver.h"
#include "carom/complementarity/friction_cone.h"
#include "carom/complementarity/islands.h"
#include "carom/complementarity/polyhedral/polyhedral.h"
#include "carom/complementarity/rung_counts.h"

namespace carom {

/// Options of a contact solve.
struct ContactOptions {
  FrictionCone cone = FrictionCone::exact;
  PolyhedralOptions polyhedral;  ///< read for the polyhedral cone alone
  ConeOptions exact;             ///< read for the exact cone alone

  /// Residual that is enough for islands in factors where that of the cone's options is not cheap (FactoredSolver).
  /// With 0 only that of the options is enough.
  double enough = 0;

  /// Every iteration of every method asks it, and throws Stopped if it is set; null: none. On several threads one asks
  /// after the other.
  const StopSignal* stop = nullptr;

  /// Counts the methods that every island takes, for programs that measure; null: nobody counts. Not from two threads
  /// at a time.
  RungCounts* rungs = nullptr;
};

/// Generators of the friction cone as certify() counts them: 0 for the exact cone.
inline int generators(const ContactOptions& options) {
  return options.cone == FrictionCone::exact ? 0 : options.polyhedral.directions;
}

/// The front door to the solvers: any contact problem, by islands, with either cone.
///
///     u⁺ = u + A p,  and of every block what contact_problem.h says
///
/// The problem is cut into islands (islands.h) that are solved separately, each by its own sizes. So a ball of 1 kg
/// beside one of 1e12 kg is solved as well as alone. Islands are solved on several threads if that pays, by a cost that
/// follows from the sizes. An island's result depends neither on the thread nor on what was solved before, so any
/// number of threads gives the same bits. On several threads the thread library allocates. Otherwise nothing does in a
/// problem not larger than any before. For sparse problems with several islands, that holds if none has more than 128
/// rows.
///
/// Islands in factors (ContactOperator::Form::factors) are solved by FactoredSolver. If it fails, it runs once more
/// from the impulses that it ended with. If that fails, an island of at most `most_matrix_rows` rows is solved as a
/// matrix. The work on an island that none of these solves is bounded, and its status says so. Islands with blocks that
/// FactoredSolver does not know (torsion, friction along one axis) are solved as matrices of any size.
///
/// Friction of more than `plenty` bears whatever it is asked for, except in odd corners. The larger the number, the
/// worse its equations are scaled. So an island is first solved with that much. If no contact then slides that could
/// have more, this is a solution with all of it. Otherwise friction grows step by step, and each solve starts from the
/// solution with less.
///
/// If several solutions exist, the one that the island's method finds is returned; a warm start may lead to another.
class ContactSolver {
 public:
  static constexpr int most_matrix_rows = 240;
  /// Coefficient of friction to begin with, its growth, and the largest that polyhedral cones are solved with. From the
  /// last one on, normal impulses of sliding contacts count for nothing beside friction.
  static constexpr double plenty = 100, more = 100, utmost = 1e9;

  /// impulse and velocity: k, p and u + A p. warm_start: k impulses to begin with, or empty. An island whose warm start
  /// is all zero begins as if there were none. Returns the worst status (infeasible, then secondary_ray,
  /// iteration_limit, inaccurate) and the worst residual of the islands. Iterations are summed; the size is the
  /// largest, and the solver that of the island with most iterations. Rungs are united. After a status other than
  /// solved, unsolved islands have their last iterates. The impulses of infeasible islands mean nothing and are zero.
  [[nodiscard]] ContactSolution solve(const ContactProblem& problem, const ContactOptions& options,
                                      std::span<const double> warm_start, Eigen::Ref<Eigen::VectorXd> impulse,
                                      Eigen::Ref<Eigen::VectorXd> velocity);

  /// The next solve first asks whether this dual vector still shows islands infeasible, and spends no more on those. It
  /// has k entries, as infeasibility() gives them, and is copied. So a step like the last one, which was infeasible,
  /// costs little.
  void suspect(std::span<const double> dual) { suspected_.assign(dual.begin(), dual.end()); }

  /// Makes room for any problem of so many blocks that is solved on one thread.
  void reserve(int blocks, const ContactOptions& options);

  // Islands of the last solve.
  const Islands& islands() const { return islands_; }
  /// Status in which the island of a block ended.
  SolveStatus status(int block) const { return solutions_[islands_.island_of(block)].status; }
  /// After infeasible: k entries, the dual vectors of the infeasible islands and zero elsewhere. proves_infeasible
  /// (infeasibility.h) holds it against the problem.
  std::span<const double> infeasibility() const { return infeasibility_; }

 private:
  struct Call;
  /// Solvers and buffers for one island at a time.
  struct Worker {
    IslandProblem island;
    std::vector<double> warm_start, impulse, velocity, dual;
    PolyhedralSolver polyhedral;
    ConeSolver exact;
    FactoredSolver factored;
    Eigen::MatrixXd matrix;  // of factors that are solved as one
    Eigen::VectorXd factored_impulse, factored_velocity, less_friction;
    std::vector<Block> enough;  // blocks with no more friction than is needed
    void keep(const Call& call);
  };
  void solve_island(const Call& call, int island, Worker& worker);
  static ContactSolution solve_with_enough_friction(const Call& call, Worker& worker);
  static ContactSolution with_full_friction(const Call& call, std::span<const Block> capped, double cap,
                                            ContactSolution solution);
  static ContactSolution solve_whole(const Call& call, Worker& worker);
  static ContactSolution solve_factored(const Call& call, Worker& worker);
  static void take_better(SolverRung detour, const ContactSolution& other, const Call& call, const Worker& worker,
                          ContactSolution& solution);
  ContactSolution solve_or_show_infeasible(const Call& island, std::span<const int> rows, Worker& worker);
  void cut_into_chunks(const Call& call);
  bool pays_in_parallel() const;
  ContactSolution summary(RungCounts* counts) const;

  Islands islands_;
  std::vector<ContactSolution> solutions_;  // per island
  std::vector<int> chunk_start_;            // islands that one worker solves one after another
  std::vector<double> chunk_cost_;          // estimated, s
  std::vector<double> infeasibility_, suspected_;
  std::vector<Worker> workers_;
};

}  // namespace carom
