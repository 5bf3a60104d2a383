#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "carom/impact/impact_problem.h"

namespace carom {

/// The path of an impact, if a law tells it: impulses of its steps, one after another, and the velocities after each
/// (steps × k). A view.
struct ImpactPath {
  std::span<const double> impulse;
  std::span<const double> velocity;
};

/// Quality of an outcome by what every impact law must obey, from the problem and the outcome alone: no law's own
/// numbers or code enter. Velocities are relative to the largest of |u| and |u⁺|, impulses to the largest |p|. Energies
/// are relative to Σ |½ (u⁺ + u) p| over all rows.
struct ImpactCertificate {
  double momentum_residual = 0;  ///< largest |u⁺ − u − A p| of a row, relative to the largest of |u_i| + Σ |A_ij p_j|
  double approach = 0;           ///< largest approach speed left
  double bilateral = 0;          ///< largest |u⁺ + offset| of a bilateral row
  double pull = 0;               ///< largest −p_n
  double cone_violation = 0;  ///< largest of (‖M⁻¹ p_xy‖ − p_n) max(μ); without friction of ‖p_xy‖
  /// Largest work of a contact's friction in one step of the path, ½ (u⁺ + u)_xy · p_xy; 0 if friction never drives.
  /// Empty without a path, as the whole of an impact does not say when friction acted.
  std::optional<double> dissipation_residual;
  std::optional<double> path_residual;  ///< of the path: impulses that do not add up to p, or break momentum
  double energy_change = 0;             ///< ½ (u⁺ + u)ᵀ p, J
  double energy_gain =
      0;  ///< what that is above 0, relative; of bilateral rows the work at a prescribed speed left out
  int driving_block = -1;   ///< contact whose impulse does most positive work; −1: none does
  double driving_work = 0;  ///< its work, J

  /// Nothing above `tolerance`, the gain of energy included.
  bool holds(double tolerance) const;
};

/// Adds a further impact to a certificate of several. The result has the worst of every residual, the sum of the
/// energies and the largest work of a driving block. It leaves out the block's number, which means nothing beyond its
/// own impact.
void keep_worst(const ImpactCertificate& impact, ImpactCertificate& whole);

/// impulse, velocity: p and u⁺, k each. O(k²) per step of the path.
ImpactCertificate certify_impact(const ImpactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& impulse,
                                 const Eigen::Ref<const Eigen::VectorXd>& velocity,
                                 const std::optional<ImpactPath>& path = {});

}  // namespace carom
