#pragma once

#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/dynamics/delassus.h"
#include "carom/model/model.h"
#include "carom/model/state.h"

namespace carom {

/// One constraint of a mechanism at one configuration: two surfaces that may not overlap, or a joint at its limit.
struct Contact {
  ContactId id;
  int body_a = -1;               ///< −1: the world. For a limit: the child body
  int body_b = -1;               ///< for a limit: its parent
  Vec3 p_WA = Vec3::Zero();      ///< on the surface of A, world, m
  Vec3 p_WB = Vec3::Zero();      ///< on the surface of B, world, m
  Mat3 R_WC = Mat3::Identity();  ///< contact frame: tangents x, y and the normal z from B towards A
  double gap = 0;                ///< signed, > 0 apart; m, or the joint's unit for a limit
  ContactMaterial surface;       ///< zero for a limit

  BlockKind kind() const { return id.is_limit() ? BlockKind::unilateral : BlockKind::cone; }
  int row_count() const { return id.is_limit() ? 1 : 3; }
};

/// Rows x, y, z of a contact, or the single row of a limit, appended in order. Impulses on A and B act at the two
/// surface points, so that a row's velocity is that of the surfaces.
void append_rows(const Contact& contact, std::vector<ConstraintRow>& rows);

}  // namespace carom
