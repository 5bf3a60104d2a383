#pragma once

#include <span>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/dynamics/delassus.h"

namespace carom {

/// One contact of a pair of shapes: its rows in the problem, and what they do in the solution.
struct SharedContact {
  const Block* block = nullptr;
  const ConstraintRow* rows = nullptr;  ///< x, y, normal
  const double* velocity = nullptr;     ///< u⁺ of the three rows
  double* impulse = nullptr;            ///< of the three rows
};

/// Shares the load of a face among the points that bear it. Among all impulses with the same resultant on both bodies
/// it takes those of least norm,
///
///     p = Wᵀ (W Wᵀ)⁺ W p_old,   W (9 × 3 m): force, torque on A and torque on B of unit impulses,
///
/// so that equal corners carry equal parts and no pair presses or twists against itself. A solver's own answer is one
/// of many if contacts are redundant. Loads are shared only if all points that push stick, since friction of what
/// slides is given by its slip at every point. Points that are closed and push nothing join. If the least norm would
/// pull somewhere or leave a friction cone, the solver's answer stays.
///
/// Does not change the motion but by round-off. O(m) and one eigenvalue problem of order 9 per pair.
class LoadSharing {
 public:
  /// The contacts of one pair. `still`: m/s, below which a velocity is round-off. `directions`: generators of the
  /// cones, 0 the exact one. True if impulses changed.
  bool share(std::span<const SharedContact> pair, double still, int directions);

  void reserve(std::size_t contacts) { members_.reserve(contacts); }

 private:
  std::vector<SharedContact> members_;
};

}  // namespace carom
