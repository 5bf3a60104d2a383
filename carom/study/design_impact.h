#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "carom/impact/propagative/normal_impact.h"
#include "carom/scene/scene.h"
#include "carom/study/design_study.h"

namespace carom {

/// The contacts of a study at a scene's start, closed there or not: without friction, in the kinetic metric.
///
/// J has the rows n_i = ∂φ_i/∂q of the named contacts. A = J M⁻¹ Jᵀ (1/kg) and u = J v (m/s); the kinetic energy is
/// that of the whole mechanism. Rows b of constraints beside the joints (loops, couplers, prescribed motions) are
/// eliminated, as in the impact itself (paper PROP, section IV): A = A_cc − A_cb A_bb⁺ A_bc (bilateral_elimination.h).
struct DesignImpact {
  Eigen::VectorXd gap;  ///< m
  Eigen::MatrixXd A;
  Eigen::VectorXd u;          ///< > 0 opening
  double kinetic_energy = 0;  ///< J
  /// A_ij / √(A_ii A_jj).
  double cosine(int i, int j) const;
};

/// The colliders of a contact as ContactFinder requires them: A moves, and if both move, A has the lower number. Throws
/// Error if it names no shape, several, or shapes that the scene never tests for contact.
std::pair<int, int> contact_colliders(const Scene& scene, const DesignContact& contact);

/// The contacts of a scene at its start, between the points of least gap of two shapes. Throws Error as
/// contact_colliders does, or if a contact cannot open because joints or constraints hold its bodies. O(n + k² depth +
/// b³) with b rows of constraints.
DesignImpact design_impact(const Scene& scene, const std::vector<DesignContact>& contacts);

/// Other pairs of shapes that overlap at the start by more than `depth`, m: "shin/foot and floor, by 0.01 m".
std::vector<std::string> other_overlaps(const Scene& scene, const std::vector<DesignContact>& contacts, double depth);

}  // namespace carom
