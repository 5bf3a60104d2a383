#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "carom/complementarity/certificate.h"
#include "carom/complementarity/contact_solver.h"
#include "carom/problem_files/stored_problem.h"

namespace carom {

/// Result of solving a stored problem.
struct StoredSolution {
  ContactSolution solution;      ///< status, and method, pivots or sweeps of all rounds
  ContactOptions options;        ///< it was solved with
  Eigen::VectorXd impulse;       ///< k; after a status other than solved the best iterate
  Eigen::VectorXd velocity;      ///< u⁺
  SolveCertificate certificate;  ///< of that impulse, by islands (island_certificate.h)
  int rounds = 1;                ///< more where the operator is not symmetric
  int islands = 0;
  double seconds = 0;         ///< of wall clock, without reading and certifying
  Eigen::VectorXd dual;       ///< after infeasible: the vector that shows it
  bool dual_checked = false;  ///< it was held against the problem, and does
};

/// Solves a stored problem. `warm_start`: k impulses or of no size.
///
/// If the operator has a skew part N (u⁺ = u + (A + N) p), the problem is solved in rounds j = 1, 2, …. Each solves
/// {A, u + N p_j, blocks} from p_j for p_{j+1}. A fixed point solves the problem itself, and N does no work there. The
/// certificate is that of {A, u + N p, blocks} at p, whose conditions are the problem's own. N is a small part of A, so
/// the rounds contract quickly; where they do not, the status is inaccurate.
///
/// A result that the certificate does not bear out is never called solved.
StoredSolution solve_stored(const StoredProblem& stored, const ContactOptions& options,
                            const Eigen::VectorXd& warm_start);

/// True if the certificate bears the solver out. With the exact cone it is the natural map that must be small, with the
/// polyhedral cone the residuals of the conditions. The bound is the tolerance asked for, or 1e-8 if that is larger.
bool is_borne_out(const StoredSolution& solved);

}  // namespace carom
