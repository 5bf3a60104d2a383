#pragma once

#include <vector>

namespace carom {

/// Decides which friction forces act at contacts whose slip is zero at this instant, with known normal forces. They are
/// those that leave the least slip to come,
///
///     min ½ gᵀ H g + bᵀ g,   ‖g_j‖ ≤ r_j,   g_j of two entries                                                (1)
///
/// H is the mobility of the tangent rows, b their acceleration without friction, r the normal forces (cones made round,
/// impact_rows.h). If the minimum lies inside a disc, the contact sticks, h_j = (H g + b)_j = 0. On the rim it begins
/// to slide along h_j = −s g_j, s ≥ 0. This is Coulomb's law for the slip's derivative, with maximal dissipation. H is
/// positive semidefinite, so (1) has a minimum and h is unique; g is not if H is singular.
class ZeroSlip {
 public:
  /// Room for j = 0 … count − 1; H is 2 count × 2 count, column-major.
  void resize(int count);
  double* mobility() { return H_.data(); }
  double* acceleration() { return b_.data(); }
  double* radius() { return r_.data(); }
  /// Start of the search; a point outside its disc is brought to the rim.
  double* start() { return g_.data(); }

  /// Solves block after block, each exactly, until nothing changes by more than 1e-10 of the largest radius. It makes
  /// at most 200 sweeps: where H is singular, the last digits can take long and matter to no velocity.
  void solve();
  const double* force() const { return g_.data(); }
  /// h = H g + b.
  const double* rate() const { return h_.data(); }

 private:
  int count_ = 0;
  std::vector<double> H_, b_, r_, g_, h_;
};

}  // namespace carom
