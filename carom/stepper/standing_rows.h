#pragma once

#include <functional>
#include <vector>

#include "carom/complementarity/contact_problem.h"
#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/point_spring.h"
#include "carom/stepper/free_motion.h"

namespace carom {

/// Work of the standing rows in a step, J. For constraints and for friction, each, it is ½ (u⁺ + u)ᵀ p = u⁺ᵀ p − ½ pᵀ A
/// p. Here u is the velocity before their own impulses but after all others, so that neither can give.
struct StandingWork {
  double constraints = 0;  ///< of constraints, velocities against those that are prescribed, ≤ 0
  double friction = 0;     ///< of dry friction in joints, ≤ 0
  double damping = 0;  ///< taken by dampers of springs between points, ≥ 0; what springs store is potential energy
  double drives = 0;   ///< ½ (u⁺ + u_start)ᵀ p of prescribed motions and servos
  double opposed_work = 0;  ///< −½ (u − u_start)ᵀ p of constraints and friction
};

/// The rows of a contact problem that are there in every step, whatever touches, each a block of its own:
///
///   Constraints of the model   bilateral   J v⁺ = rates.
///   Dry friction of joints     bounded     |p| ≤ h friction, against the rate.
///   Servos                     bounded     p = clamp(K (v* − v⁺), ±h limit),  K = h d + h² k;
///                                          K v* = h k (r⁺ − q) + h d ṙ⁺. v and q of what it drives, a
///                                          coordinate or a sum
///   Springs between points     bilateral   p = K (v* − v⁺),  K = h d + h² k;  K v* = h k (l − l₀), l the length at
///                                          the step's start along the row. One-sided: p ≥ 0, bounded. Points
///                                          that pass one another on the way to the linearisation keep the
///                                          start's line, on which l is negative beyond the other point
///
/// A servo, and a spring likewise, is taken at the step's end (backward Euler), so that no gain is too stiff for a
/// step. Its row has the compliance 1/K and the offset −v*. Without a limit it is bilateral. r⁺: where the servo should
/// be at the step's end.
///
/// With Linearisation::weights φ servos and springs are taken at means over the step instead (smooth_weights.h):
///
///   K = h φ d + h² φ² k,   K v* = h k (r − q − h (φ − φ²) v) + h d (ṙ − (1 − φ) v),   r and ṙ at the time φ h
///
/// Constraints then hold for the mean velocity: J (v⁺ + v) = rates at the step's start and end, added. With J v⁺ alone
/// the turn of J within the step would be missing.
class StandingRows {
 public:
  /// A spring between two points as it was posed last.
  struct Spring {
    int constraint;         ///< number in Model::constraints()
    double compliance = 0;  ///< of its row, 1/kg
    double damping = 0;     ///< h d, kg
    double weight = 1;      ///< φ
  };

  explicit StandingRows(const Model& model);

  int count() const { return constraints_ + static_cast<int>(frictions_.size() + servos_.size() + springs_.size()); }
  /// Number of rows of the model's constraints, which come first.
  int constraint_count() const { return constraints_; }

  /// Replaces the contents of rows and blocks. Needs forward_kinematics at at.q in the workspace.
  void pose(const Model& model, double h, const Linearisation& at, const DynamicsWorkspace& workspace,
            std::vector<ConstraintRow>& rows, std::vector<Block>& blocks);

  /// With weights: completes the offsets of constraints by their velocities at the step's start, of each row.
  void hold_mean(const double* u_start, std::vector<Block>& blocks) const;

  /// Rate that a constraint's row asked for when it was posed last, the mean over the step where there are weights.
  double rate(int row) const { return rates_[row]; }

  /// The spring whose row this is, or null.
  const Spring* spring(int row) const {
    const int place = row - count() + static_cast<int>(springs_.size());
    return place < 0 ? nullptr : &springs_[static_cast<std::size_t>(place)];
  }

  /// Work in the problem posed last. Velocities by row: u_plus = A p + u, and at the step's start. own(first, count):
  /// ½ pᵀ A p over these rows alone, J.
  StandingWork work(const std::function<double(int first, int count)>& own, const double* u_plus, const double* u_start,
                    const double* impulse) const;

 private:
  void pose_spring(const Model& model, Spring& spring, double h, const Linearisation& at,
                   const DynamicsWorkspace& workspace, ConstraintRow& row, Block& block) const;
  /// Position and rate of what a servo drives, at the step's start.
  struct ServoStart {
    double position, rate;
  };
  static void pose_servo(const Drive& servo, const ServoStart& start, double h, double end, double weight,
                         ConstraintRow& row, Block& block);
  void pose_constraints(const Model& model, double h, const Linearisation& at, const DynamicsWorkspace& workspace,
                        std::vector<Block>& blocks);

  struct Friction {
    int coordinate;
    double bound;  // N m or N
  };
  int constraints_ = 0;
  std::vector<Friction> frictions_;
  std::vector<std::size_t> servos_;  // numbers in Model::drives()
  std::vector<Spring> springs_;
  ConstraintEquations equations_, equations_start_;
  std::vector<double> rates_;
  bool mean_ = false;               // constraints hold for the mean velocity, in the problem posed last
  std::vector<double> compliance_;  // of the servos' rows
};

}  // namespace carom
