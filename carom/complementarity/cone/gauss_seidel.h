#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"

namespace carom {

/// Block Gauss–Seidel for contact problems with the exact cone: block after block is solved exactly (one_contact.h)
/// with the impulses of all others held, forward and backward in turn, and w = u + A p kept up by the columns that
/// changed, so blocks that stay open cost nothing. O(k · rows that changed) a sweep. Converges linearly where contacts
/// are few or independent, slowly in stacks and with large ratios of mass; redundant contacts do not disturb it. At
/// high friction it can diverge.
class GaussSeidel {
 public:
  void reserve(int rows);

  /// p, w: k, in and out; w = u + A p on entry and on return. Stops at `tolerance`, after max_sweeps, or where it
  /// diverges; what began better than it ends is given back. Unless `persistent` it goes on past max_sweeps as long as
  /// the rate of the last sweeps promises the tolerance at less than the cost of Newton's method. Only with
  /// system.has_columns().
  ConeProgress sweep(ConeSystem& system, double tolerance, int max_sweeps, bool persistent, double* p, double* w);

 private:
  std::vector<double> start_, start_w_;
};

}  // namespace carom
