#pragma once

#include "carom/complementarity/contact_problem.h"
#include "carom/impact/propagative/normal_impact.h"

namespace carom {

struct PlasticProjection : NormalOutcome {
  SolveStatus status = SolveStatus::solved;
};

/// The plastic outcome (11): p minus its projection on the span of all normals. All contacts end at rest, even those
/// that would open, so an impulse may pull. If contacts are redundant, the impulse is that of least Σ A_ii p_i².
/// Velocity that no impulse can change (NormalImpact::outside) stays. O(k³).
PlasticProjection plastic_span(const NormalImpact& impact);

/// The plastic outcome that lets contacts separate: the nearest feasible momentum in the kinetic metric,
///
///     0 ≤ w + cosine π ⊥ π ≥ 0,
///
/// Moreau's inelastic impact. w is unique; π is one of several where contacts are redundant. Solved by Lemke's method;
/// the status is not solved only if no momentum is feasible at all, which takes a driven contact. O(k³) as a rule.
[[nodiscard]] PlasticProjection plastic_cone(const NormalImpact& impact);

}  // namespace carom
