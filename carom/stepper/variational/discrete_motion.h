#pragma once

#include "carom/dynamics/discrete_momentum.h"
#include "carom/stepper/event_driven/smooth_forces.h"
#include "carom/stepper/step_loads.h"

namespace carom {

/// A step of the discrete Euler–Lagrange equations without contacts and constraints (paper PROP, eqs. 28 and 29). It is
/// a function of its velocity w, in the coordinates of its start:
///
///   q_m = q₀ ⊞ (h/2) w,   q₁ = q₀ ⊞ h w,   p⁻(w) = transport of mean − ½ impulse,   p₁ = transport of p₀ + impulse
///
/// (MidpointMomentum). Forces are those of joints' springs and dampers, gravity, drives, wrenches and the controller at
/// q_m, w and the middle of the time. The end's p₁ comes from p₀, not from mean + ½ impulse, which is the same where
/// p⁻(w) = p₀. So what no force changes is kept to the bit, however the equation was solved. O(n).
class DiscreteMotion {
 public:
  explicit DiscreteMotion(const Model& model);

  /// A step from q at `time`, of length h. `controlled`: the controller's force. All are copied.
  void begin(const VectorX& q, double time, double h, const VectorX& controlled);
  /// p⁻(w).
  const VectorX& evaluate(const Model& model, const VectorX& w);

  // Results of the last evaluation.
  /// q₁.
  const VectorX& end() const { return q_end_; }
  /// p₁ for this p₀, in the coordinates at q₁.
  void end_momentum(const Model& model, const VectorX& p_start, VectorX& p_end);
  /// At the middle, W.
  const SmoothPower& power() const { return power_; }
  /// Adds what acted in joints at the middle over the step.
  void add_loads(const Model& model, const StepLoads& loads, VectorX& impulses) const;

 private:
  SmoothForces forces_;
  DynamicsWorkspace workspace_;
  MidpointMomentum middle_;
  SmoothPower power_;
  double time_ = 0, h_ = 0;
  VectorX q_, controlled_, q_middle_, q_end_, v_middle_, tau_, gravity_, momentum_, slope_, p_;
};

}  // namespace carom
