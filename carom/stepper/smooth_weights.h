#pragma once

#include <cmath>
#include <vector>

#include "carom/model/model.h"

namespace carom {

/// Weight φ of the end in a mean over a time of x decay times: 1/(1 − e^−x) − 1/x, from ½ at x = 0 to 1 at infinity.
/// With it one step of a linear damper alone ends where the exact motion does (exponential fitting, Liniger and
/// Willoughby 1970).
double fitted_weight(double x);

/// Weights of a step's end in the means that second-order steps take their forces at:
///
///   damper   −h d ((1 − φ) v + φ v⁺)
///   spring   −h k (q + h ((φ − φ²) v + φ² v⁺) − r)
///
/// With φ = ½ these are the trapezoidal rule, of second order. It is stable whatever h, but stiff motions would ring
/// for ever. So φ grows with x = h d/m + h² k/m by fitted_weight: φ − ½ is x/12 at first, which leaves the order, and a
/// stiff spring or damper is taken at the end of the step (φ = 1), where it settles at once. The mass m is that which
/// the force meets in the reference configuration, 1/(J M⁻¹ Jᵀ). A spring between points has that of their bodies as if
/// no joint tied them, which is less wherever they are.
///
/// The damper and spring of a servo, and of a spring between points, have one weight each.
class SmoothWeights {
 public:
  explicit SmoothWeights(const Model& model);

  /// Weights for steps of this length, s. O(coordinates); allocates nothing.
  void fit(double h);

  const VectorX& of_joints() const { return joints_; }                             ///< by velocity coordinate
  double of_drive(std::size_t drive) const { return drives_[drive]; }              ///< by Model::drives()
  double of_constraint(std::size_t number) const { return constraints_[number]; }  ///< by Model::constraints()

 private:
  /// Decay per time and per square of time, by the mobility of what is pushed.
  struct Decay {
    double damping = 0, stiffness = 0;
    double weight(double h) const { return fitted_weight(h * damping + h * h * stiffness); }
  };
  std::vector<Decay> joint_decay_, drive_decay_, constraint_decay_;
  VectorX joints_;
  std::vector<double> drives_, constraints_;
};

}  // namespace carom
