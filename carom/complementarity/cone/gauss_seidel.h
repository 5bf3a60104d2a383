#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"

namespace carom {

/// Block Gauss–Seidel for contact problems with the exact cone. Each block in turn is solved exactly (one_contact.h)
/// with the impulses of all others fixed; sweeps alternate forward and backward. Only the columns of changed rows
/// update w = u + A p, so blocks that stay open cost nothing. A sweep costs O(k · rows that changed). The method
/// converges linearly where contacts are few or independent, slowly in stacks and with large mass ratios. Redundant
/// contacts do not disturb it. At high friction it can diverge.
class GaussSeidel {
 public:
  void reserve(int rows);

  /// p, w: k, in and out; w = u + A p on entry and on return. Ends at `tolerance`, after max_sweeps, or where it
  /// diverges. If the last residual is above 1.5 times the first, it returns the start. Unless `persistent`, it goes on
  /// past max_sweeps while the last sweeps' rate promises the tolerance for less than Newton's method costs. Only with
  /// system.has_columns().
  ConeProgress sweep(ConeSystem& system, double tolerance, int max_sweeps, bool persistent, double* p, double* w);

 private:
  std::vector<double> start_, start_w_;
};

}  // namespace carom
