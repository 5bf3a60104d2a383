#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"
#include "carom/stop_signal.h"

namespace carom {

/// The reset about contact i (7): p ← p − 2 ⟨p, n_i⟩ n_i for unit n_i. This reflection conserves energy, and momentum
/// along the contact. In an impact's own units:
///
///     π_i ← π_i − 2 w_i,    w ← w − 2 w_i cosine(:, i).
///
/// Meant for w_i < 0: then the impulse pushes, and w_i changes its sign. O(k).
void elastic_reset(const NormalImpact& impact, Eigen::Index i, Eigen::Ref<Eigen::VectorXd> w,
                   Eigen::Ref<Eigen::VectorXd> pi);

/// Which of the violated contacts is reset next.
enum class ResetRule {
  deepest,   ///< the most negative ⟨p, n_i⟩ of unit normals; the first of equals
  priority,  ///< the first that is violated in `order`
  in_turn,   ///< the next that is violated in `order`, which is read round and round
};

struct ElasticOptions {
  ResetRule rule = ResetRule::deepest;
  std::vector<int> order;  ///< contacts, for priority and in_turn; empty: 0, 1, …. in_turn may name one often
  double feasible_tolerance = 1e-9;  ///< ⟨p, n_i⟩ above minus this is feasible; relative to NormalImpact::scale()
  int max_resets = 100000;
  const StopSignal* stop = nullptr;  ///< asked at every reset; null: nothing stops it
};

enum class ElasticStatus {
  feasible,     ///< no contact is violated any more
  reset_limit,  ///< max_resets are spent: opening_direction.h says whether that had to be feared
  not_listed,   ///< contacts are violated, but none in `order`
};

struct ElasticOutcome : NormalOutcome {
  ElasticStatus status = ElasticStatus::feasible;
  std::vector<int> sequence;  ///< contacts in the order in which they were reset
};

/// The propagative elastic impact (14): resets at violated contacts until none is violated, for any number of contacts.
/// Every one that takes part pushes (impulse ≥ 0), and each reset conserves energy and momentum.
///
/// If all contacts can open at once (opening_direction.h), it ends after finitely many resets in every order; the proof
/// is in docs/theory/propagative.md. Two contacts take at most two_contact_bound resets. The outcome may depend on the
/// order: uniqueness.h tells, outcome_set.h has them all. Throws carom::Error if `order` names a contact that does not
/// exist. O(k) per reset.
[[nodiscard]] ElasticOutcome elastic_impact(const NormalImpact& impact, const ElasticOptions& options = {});

/// ⌈π / (π − θ)⌉, the most resets of two contacts with unit normals at angle θ, cosine = cos θ (22); it is attained.
/// Infinite for opposite normals. Angles within 1e-9 of a whole ratio count as whole.
double two_contact_bound(double cosine);

}  // namespace carom
