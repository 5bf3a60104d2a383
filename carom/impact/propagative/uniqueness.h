#pragma once

#include <string>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"
#include "carom/impact/propagative/outcome_set.h"

namespace carom {

enum class Unique { yes, no, unknown };

enum class UniqueReason {
  feasible_before,   ///< nothing is violated: no impact
  one_contact,       ///< one contact takes part
  orthogonal,        ///< all normals that take part are orthogonal in pairs (theorem 2)
  three_stage,       ///< all pairs are orthogonal or at 120°, and independent (theorem 3 and its extension)
  reflection_group,  ///< all pairs at π − π/m, m = 2, 3, …, and independent
  enumerated,        ///< all orders from this momentum were followed
  endless,           ///< contacts wedge the body, and resets come back to where they were
  budget,            ///< the enumeration was cut
};

struct UniquenessOptions {
  double angle_tolerance = 1e-10;  ///< |⟨n_i, n_j⟩ + cos(π/m)| that counts as none
  int max_m = 1000;                ///< largest m looked for
  OutcomeOptions outcomes;         ///< of the enumeration; its reading is taken as stops_when_feasible
};

struct Uniqueness {
  Unique unique = Unique::unknown;
  UniqueReason reason = UniqueReason::budget;
  std::string sentence;       ///< the same for a reader
  bool ends = false;          ///< every order of resets ends
  bool any_momentum = false;  ///< yes: for every momentum at the contacts that take part
  double margin = 0;          ///< of their common opening direction; 0: there is none
  std::vector<int> contacts;  ///< that take part: linked to a violated one by products of normals that are not zero
  int first = -1, second = -1;  ///< the pair whose angle is none of π − π/m; with independent normals some momenta then
                                ///< have several outcomes, whatever this one has
  OutcomeSet outcomes;  ///< of the contacts that take part, if they were enumerated; contacts numbered as in `contacts`
};

/// Is the outcome of elastic resets the same for every order? In this order:
///
/// 1. Contacts that take part. Only contacts linked to a violated one can ever be reset.
/// 2. A common opening direction (opening_direction.h): with it every order ends. Without it some may not.
/// 3. Angles. If contacts can open together and all pairs are at π − π/m_ij, every order has the same outcome and the
///    same number of resets, for every momentum. If the normals are independent, this condition is necessary as well.
/// 4. Otherwise the outcomes from this momentum are enumerated (outcome_set.h).
///
/// Statements and proofs: docs/theory/propagative.md. Frictionless elastic resets alone. Cost: O(k³), and that of the
/// enumeration where it comes to that.
Uniqueness uniqueness(const NormalImpact& impact, const UniquenessOptions& options = {});

/// The m ≥ 2 with cosine = −cos(π/m) to the tolerance, up to max_m; 0: none.
int reflection_order(double cosine, double tolerance, int max_m);

}  // namespace carom
