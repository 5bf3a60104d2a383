#pragma once

#include <span>

#include "carom/complementarity/contact_solver.h"
#include "carom/complementarity/mixed/mixed_lcp.h"
#include "testing/problems/problem_families.h"

namespace carom::families {

/// Solves of the families' problems in all the ways that programs have, to count the rungs of the solvers' ladder
/// (solver_rung.h): with either cone, from nothing and from the impulses of the step before, as matrices, as factors
/// and as products, with friction of any size, and with the velocities kept.
class LadderSolves {
 public:
  explicit LadderSolves(std::uint64_t seed) : random_(seed) {}

  /// One random problem of the family, and what may follow from it: some ten solves.
  void solve(Family family, int contacts);
  /// A problem of that many contacts whose A is known by products alone.
  void solve_product(int contacts);

  const RungCounts& counts() const { return counts_; }

 private:
  void solve_steps(const Mechanics& m, const ContactOperator& A, ContactOptions options);
  void solve_with_velocities(const Mechanics& m);

  Random random_;
  RungCounts counts_;
  ContactSolver solver_;
  MixedLcpSolver mixed_;
};

}  // namespace carom::families
