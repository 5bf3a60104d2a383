#pragma once

#include <optional>
#include <span>

#include "carom/complementarity/contact_problem.h"
#include "carom/complementarity/rung_counts.h"
#include "carom/pair_restitution.h"
#include "carom/stop_signal.h"
#include "carom/tangential_spring.h"

namespace carom {

/// Data of the two surfaces of a contact that an impact law may know beside its block's friction.
struct ImpactSurface {
  PairRestitution restitution;
  double stiffness = 1;   ///< K of the force f = K z^exponent at the compression z > 0; only ratios between contacts
                          ///< matter to a law without time. N/m^exponent
  double exponent = 1.5;  ///< Hertz: 3/2; a linear spring: 1
  std::optional<TangentialSpring> tangential_spring = std::nullopt;  ///< none: rigid along the surface
};

/// An impact: contact velocities u⁺ = u + A p of impulses p, the blocks, and their surfaces. A view.
///
/// Blocks are of kind bilateral, unilateral or cone. Their restitution, offset, floor and push_speed are those of
/// end-of-step laws and not read here. One exception: the target of a bilateral row is u⁺ = −offset. Even with offset 0
/// it removes a velocity error present before. Rows of a contact are x, y, normal z; u_z < 0 approaches.
struct ImpactProblem {
  ContactOperator A;
  Eigen::Ref<const Eigen::VectorXd> u;
  std::span<const Block> blocks;
  std::span<const ImpactSurface> surfaces;  ///< one per block (of bilateral rows not read)
  /// Asked in every round, interval, reset or integration step of a law, and by the solvers that it calls. On request
  /// they throw Stopped. Null: never asked.
  const StopSignal* stop = nullptr;
  /// Counts the methods of the solvers that a law calls; null: nobody counts.
  RungCounts* rungs = nullptr;
};

/// Ways in which an impact law ends.
enum class ImpactStatus {
  resolved,      ///< nothing approaches and nothing is owed
  budget,        ///< the budget of rounds or steps came first; the outcome keeps momentum, gains no energy and leaves
                 ///< nothing approaching all the same
  inconsistent,  ///< rows contradict each other (bilateral rows among themselves, a wedged mechanism): what is left is
                 ///< in the outcome's residual
};

/// Outcome of an impact, beside impulse and velocity.
struct ImpactOutcome {
  ImpactStatus status = ImpactStatus::resolved;
  int rounds = 0;            ///< of compression and expansion; 1 for laws without
  int intervals = 0;         ///< steps along the impulse; 1 for laws without
  int jams = 0;              ///< contacts whose slip a tangential impact stopped (theory: Painlevé)
  double energy_change = 0;  ///< of kinetic energy: ½ (u⁺ + u)ᵀ p, J
  double residual = 0;       ///< largest approach speed left or bilateral velocity missed, relative to the largest |u|
};

}  // namespace carom
