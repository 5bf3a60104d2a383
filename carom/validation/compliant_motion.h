#pragma once

#include <memory>

#include "carom/impact/compliant_impact.h"
#include "carom/impact/impact_problem.h"
#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom {

/// Options of moving a mechanism through an impact on compliant contacts.
struct CompliantMotionOptions {
  ImpactSurface surface;           ///< stiffness and exponent of all contacts; its restitution is not read
  double friction = 0;             ///< of all contacts
  double dissipation = 0;          ///< Hunt and Crossley's c, s/m
  double transition_speed = 0.01;  ///< slip speed at which friction has risen, > 0, m/s
  double step = 2e-8;              ///< s
  double margin = 0.01;            ///< contacts closer than this take part, so that their number stays, m
  int max_steps = 1000000;
};

/// An impact as CompliantImpact integrates it, but with moving bodies and under gravity: the compliant model of paper
/// PLUS itself, section 4. Gaps and velocities are those of the contacts where they have come. The difference between
/// the two is what a law without time neglects. It falls as the contacts grow stiffer.
///
/// Runs from first touch to last separation, by the explicit midpoint rule (second order) with steps of one length. The
/// force is that of compliant_force.h, as stepper compliant has it.
struct CompliantMotion {
  CompliantTrace trace;  ///< rows of the contacts in their order, impulses summed up
  State end;
};
/// Throws Error where contacts come or go within the margin, or the budget of steps is spent.
CompliantMotion move_through(const std::shared_ptr<const Model>& model, const State& start,
                             const CompliantMotionOptions& options);

}  // namespace carom
