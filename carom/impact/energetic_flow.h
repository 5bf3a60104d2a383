#pragma once

#include <Eigen/Core>
#include <array>

#include "carom/dormand_prince.h"
#include "carom/impact/zero_slip.h"

namespace carom {

/// Options of following the energetic impact of one contact.
struct EnergeticFlowOptions {
  double accuracy = 1e-12;  ///< error of a step: of the logarithm of the slip, of its direction (rad), and of impulse
                            ///< and work relative to those of an impact without friction
  int max_steps = 20000;    ///< of the curved part
};

/// Ways in which it ends.
enum class EnergeticFlowEnd {
  parted,  ///< all that is owed is given back
  wedged,  ///< no impulse, however large, ends the approach
  budget,  ///< of steps
};

/// The impact of one contact with friction, followed along its normal impulse P_n (Darboux 1880, Keller 1986), with
/// energetic restitution (Stronge 1990). Rows are normal, x, y; tangents are scaled so that the cone is ‖P_t‖ ≤ P_n
/// (impact_rows.h):
///
///     v = w + B P,   dP_t / dP_n = −s sliding, s = v_t / ‖v_t‖                                              (1)
///     dE / dP_n = −v_n while v_n < 0,   −v_n / e² while v_n > 0;   it ends with E = 0                       (2)
///
/// Once slip has ended, the contact sticks if ‖g‖ ≤ 1 for B_tt g = −B_tn. Otherwise it slips along one ray
/// (zero_slip.h). Either way P_t goes on along a straight line, and all that follows has a closed form. So has slip
/// whose direction does not turn. Slip that turns is integrated in polar coordinates, v_t = ρ s(φ), along σ with dP_n =
/// ρ dσ:
///
///     (ln ρ)′ = s·q,   φ′ = s⊥·q,   q = B_tn − B_tt s(φ)                                                    (3)
///
/// which is smooth up to the end of the slip, where (1) is singular. The end is cut off at 1e-14 of the largest speed.
/// The integrator is DormandPrince with error control. Ends of compression, contact and recompression are located to
/// round-off.
///
/// Cost: some ten evaluations of (3) where nothing turns, else some hundreds. No allocation after the first call.
class EnergeticFlow {
 public:
  /// B: 3 × 3, column-major, symmetric, positive semidefinite, B_nn > 0; w: w_n < 0; 0 ≤ e ≤ 1. P: 3, N s (tangents
  /// scaled). The steps taken are added to `steps`.
  [[nodiscard]] EnergeticFlowEnd solve(const double* B, const double* w, double e, const EnergeticFlowOptions& options,
                                       double* P, int& steps);

 private:
  enum class Part { slip_ended, done, wedged, budget };
  enum class Event { expands, compresses, parts };
  enum Entry { log_slip, angle, normal, tangent_x, tangent_y, energy, size };
  using State = std::array<double, size>;

  double normal_velocity(const double* P) const;
  Eigen::Vector2d slip_velocity() const;
  Part go_straight(const Eigen::Vector2d& tangent, double slip, double slip_rate);
  Part slide(const EnergeticFlowOptions& options, int& steps);
  Part slide_straight(double slip, const Eigen::Vector2d& s);
  void rate(const double* y, double* rate) const;
  std::array<double, 2> passed(Event event) const;
  double step(double h);
  void locate(Event event, double h);
  bool turn();

  Eigen::Matrix3d B_;
  Eigen::Vector3d w_, P_;
  double e_ = 0, energy_ = 0, speed_ = 0;
  bool expanding_ = false;
  State y_, next_, weight_;
  DormandPrince method_;
  ZeroSlip zero_slip_;
};

}  // namespace carom
