#pragma once

#include "carom/complementarity/cone_system.h"

namespace carom {

/// Block Gauss–Seidel for contact problems with the exact cone: block after block is solved exactly (one_contact.h)
/// with the impulses of all others held, forward and backward in turn, and w = u + A p kept up by the columns that
/// changed, so blocks that stay open cost nothing. O(k · rows that changed) a sweep. Converges linearly where contacts
/// are few or independent, slowly in stacks and with large ratios of mass; redundant contacts do not disturb it.
struct GaussSeidelResult {
  int sweeps = 0;
  double residual = 0;  ///< of the impulses returned, from the w that was kept up
  double rate = 0;      ///< by which the residual fell per sweep, lately
};

/// p, w: k, in and out; w = u + A p on entry. Stops at `tolerance`, after max_sweeps, or as soon as the rate says that
/// max_sweeps will not do.
GaussSeidelResult sweep_blocks(ConeSystem& system, double tolerance, int max_sweeps, double* p, double* w);

}  // namespace carom
