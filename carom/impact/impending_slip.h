#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/least_norm/active_set.h"
#include "carom/complementarity/linear/dense_lu.h"

namespace carom {

/// Friction of blocks that begin to slip within the interval (Uchida, Sherman and Delp 2015, eq. 2.9, second case):
///
///     p_xy = −p_z M s,   s = M d / ‖M d‖,   d = u_xy + A_xy p,   M = diag(μ_x, μ_y)
///
/// with d the slip at the interval's *end*. Newton's method on angle(M d) − φ finds the angles φ of all such s = (cos
/// φ, sin φ). Its Jacobian is analytic (LabelledSystem::turn), and it starts from the direction that opposes the
/// rolling impulse. In this form, d = 0 with friction below its limit is no root, as it is of ‖d‖ p_xy = −μ p_z d. If d
/// vanishes (another contact holds the body, or friction can just hold), the direction is 0/0 and stays what it is.
///
/// A direction along which friction would push, p_xy · d > 0, is never the answer. If neither Newton's method nor
/// damped substitution finds better, the block's friction is left out (s = 0). That gains no energy and stays in the
/// cone.
class ImpendingSlip : public SlipRule {
 public:
  /// Buffers for so many blocks and rows.
  void reserve(int blocks, int rows);
  /// `speed`: slip below 1e-10 of it counts as none, m/s.
  void set_speed(double speed) { rest_ = 1e-10 * speed; }

  LabelledSolution solve(LabelledSystem& system) override;
  bool turns() const override { return true; }

  int dropped() const { return dropped_; }  ///< blocks whose friction was left out since reserve()

 private:
  double mismatch(const LabelledSystem& system);
  bool newton(LabelledSystem& system, LabelledSolution& solution);
  bool substitute(LabelledSystem& system, LabelledSolution& solution);
  void set_angles(LabelledSystem& system, const std::vector<double>& angles);

  double rest_ = 0;
  int dropped_ = 0;
  std::vector<int> slipping_;
  std::vector<double> angle_, trial_, error_, step_, rate_, velocity_rate_;
  DenseLu factors_;
};

}  // namespace carom
