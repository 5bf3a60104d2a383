#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/dynamics/delassus.h"
#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom {

/// One unilateral constraint of a mechanism at one configuration. It is of two surfaces that may not overlap, of a
/// joint at its limit or blocked by its ratchet, of a rope, or of a tendon at an end of its range. Only surfaces have
/// friction.
struct Contact {
  ContactId id;
  int body_a = -1;               ///< −1: the world. For a limit: the child body; for a tendon a body of its joints
  int body_b = -1;               ///< for a limit: its parent; for a tendon another body of its joints
  Vec3 p_WA = Vec3::Zero();      ///< on the surface of A, or where the rope is tied to it, world, m
  Vec3 p_WB = Vec3::Zero();      ///< the same of B
  Mat3 R_WC = Mat3::Identity();  ///< contact frame: tangents x, y and the normal z from B towards A
  double gap = 0;                ///< signed, > 0 apart; m, or the unit of the joint or tendon for a limit; 0 for a
                                 ///< ratchet; of a rope the slack, m
  ContactMaterial surface;       ///< of limits, ropes and tendons the restitution alone
  double radius = 0;             ///< R of Hertz's law (hertz.h), of surfaces alone, m

  std::span<const RowTerm> terms;  ///< of a tendon: what it is the sum of; they belong to the model

  BlockKind kind() const { return id.is_surface() ? BlockKind::cone : BlockKind::unilateral; }
  int row_count() const { return id.is_surface() ? 3 : 1; }
};

/// Rows x, y, z of a contact, or the single row of a limit, ratchet, rope or tendon, appended in order. Impulses on A
/// and B act at the two surface points, so that a row's velocity is that of the surfaces.
void append_rows(const Contact& contact, std::vector<ConstraintRow>& rows);

/// Rate of the gap at the velocity v, m/s or rad/s: < 0 approaches. A ratchet has the rate of its coordinate. Needs
/// forward_velocity.
double gap_rate(const Contact& contact, const VectorX& v, const DynamicsWorkspace& workspace);

}  // namespace carom
