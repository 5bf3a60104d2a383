#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/contact_solver.h"
#include "carom/stepper/constraint_multipliers.h"

namespace carom {

/// Accelerations of a mechanism some of whose contacts and joints rest, as a contact problem:
///
///     a = A f + b,   every block has the conditions of contact_problem.h, on accelerations instead of velocities.
///     Friction f_t = −f_n M s   of contacts that slide along s already, M = diag(μ_x, μ_y)
///
/// A: k × k, J M⁻¹ Jᵀ; b: k, accelerations without contact forces; f: N or N m. Blocks: bilateral rows; bounded ones
/// (dry friction of joints at rest); unilateral ones; cones, with the friction of what rests. Rows that no block names
/// have the forces that they are given. The solver finds all forces of what rests at once, with the exact cone. So a
/// body on more points than it needs rests if any distribution of its load lies in the cones.
///
/// Sliding contacts make the problem unsymmetric. Their friction counts as given, and is renewed until it agrees with
/// their normal forces. This is a contraction if A_zz outweighs the friction; the status is `inaccurate` if it does not
/// settle. If several solutions exist (wedges), one is found.
///
/// Cost: a solve of ContactSolver, some twenty with sliding contacts. Allocates.
class RestProblem {
 public:
  /// Asked in every iteration of a solve, which then throws Stopped.
  void set_stop(const StopSignal& stop) { stop_ = stop; }
  /// Counts the methods of its solves (RungCounts); null: nobody counts.
  void count_rungs(RungCounts* rungs) { rungs_ = rungs; }

  /// Views A and b until solve() has been called.
  void begin(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);
  void add(const Block& block);
  /// A cone that slides along s = M u / ‖M u‖.
  void add_sliding(const Block& block, const Eigen::Vector2d& s);

  /// force: k; in, of rows that no block names; out, all. acceleration: A f + b.
  [[nodiscard]] SolveStatus solve(Eigen::VectorXd& force, Eigen::VectorXd& acceleration);
  /// Adds to the forces of the last solve, of what rests alone, what they lack to make this acceleration of its rows.
  void match(const Eigen::VectorXd& acceleration, Eigen::VectorXd& force);

 private:
  struct Slide {
    int row = 0;               // of the problem: its first tangent, and two further the normal
    Eigen::Vector2d friction;  // per unit of normal force, M s
  };

  double renew_friction(Eigen::VectorXd& force) const;

  const Eigen::MatrixXd* A_ = nullptr;
  const Eigen::VectorXd* b_ = nullptr;
  std::vector<int> rows_;  // that are solved for
  std::vector<Block> blocks_;
  std::vector<Slide> slides_;
  Eigen::MatrixXd own_A_;
  Eigen::VectorXd own_b_, own_force_, own_acceleration_;
  ContactSolver solver_;
  ConstraintMultipliers multipliers_;
  StopSignal stop_;
  RungCounts* rungs_ = nullptr;
};

}  // namespace carom
