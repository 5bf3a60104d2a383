#pragma once

#include <vector>

#include "carom/contact/contact_finder.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// Two shapes that met and parted within one step, so that neither end of the step shows it.
struct Crossing {
  Contact contact;      ///< nearest points at the instant of meeting, in the poses of that instant
  double fraction = 0;  ///< of the step, 0 ≤ fraction < 1
  /// True if the middle of one of them is beyond the plane of the touch at the step's end. Such a motion passes
  /// through, even if the step has contacts of the pair.
  bool through = false;
  bool turned =
      false;  ///< one of them, no ball, turns by more than 2 rad in the step: its ends say little of the touch
};

/// Appends the crossings of a step: pairs that are apart at q and at its end integrate(q, v, h), but overlap in
/// between.
///
/// Only pairs whose relative motion exceeds half of their combined inner radii can pass through one another. Those, and
/// shapes that turn by more than 2 rad, are followed by conservative advancement. Each advance is the gap over a bound
/// of the approach speed. If bodies keep their world velocities through the step, it cannot step over an overlap deeper
/// than a hundredth of their thickness. Beside a half-space that is the thickness of the other shape. Costs a broad
/// phase, and a forward_kinematics per advance for such pairs alone.
///
/// `start` holds forward_kinematics at q and forward_velocity of v, `end` forward_kinematics at the end; `scratch` is
/// overwritten.
void find_crossings(const Model& model, const VectorX& q, const VectorX& v, double h, const DynamicsWorkspace& start,
                    const DynamicsWorkspace& end, ContactFinder& finder, DynamicsWorkspace& scratch, VectorX& q_scratch,
                    std::vector<Crossing>& crossings);

}  // namespace carom
