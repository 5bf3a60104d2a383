#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/stepper/kinetic_scaling.h"
#include "carom/stepper/linearisation.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/method.h"

namespace carom {

/// Effect of contacts and constraints on the bodies in a step, entry by entry.
struct Impacts {
  std::vector<char> struck;  ///< whether a contact or limit pushed the body
  /// ½ (J (v⁺ + v))ᵀ p of the constraints on the body, v before any force, J. Turning the velocity along with the
  /// mechanism took this work in the step, and does not take it in truth. One body has all the work of a constraint.
  std::vector<double> turning_work;
  /// Weight θ of the step's end in the mean velocity along which positions move, body by body: all of a tree's are one.
  /// Empty: all 1. It is smooth_weight in a tree that has no impact in the step, and another in an impact.
  std::vector<double> end_weight;
};

inline constexpr double smooth_weight = 0.5;  ///< of the step's end in the mean velocity of a step of second order

/// Velocity at the end of a step in which nothing touches, and the impulses that make it so.
///
///   (M + h D + h² K)(v_f − v) = h (g + f_a − c − D v + f_s(q) − h K (v − reach))
///
/// M, gravity g, applied forces f_a and springs f_s are at the linearisation; c is the bias of momentum_bias. D and K
/// are joint damping and stiffness, taken at the end of the step (backward Euler). So no damper or spring is too stiff
/// for a step.
///
/// With Linearisation::weights φ they are taken at means over the step instead (smooth_weights.h):
///
///   (M + h φ D + h² φ² K)(v_f − v − s) = h (g + f_a − c − D (v + φ s) + f_s(q) − h K (φ v + φ² s − reach))
///
/// with the turn s by gyroscopic terms. Forces act half before the turn and half after it (Strang 1968). The turn is
/// that of v + kick, where the kick is half of what forces change. A tree in an impact has no kick, since the time of
/// the impact in the step is unknown.
///
/// Gyroscopic terms. `explicit_form`: c at the start's velocity, as in the papers. `implicit`: at the mean of start and
/// free velocity. For a body hung on the world alone by a free or spherical joint, Newton's method solves, in the
/// body's axes at the step's start,
///   I (ω_f − ω) + h ω̄ × I ω̄ = 0,  ω̄ = (ω + ω_f)/2.
/// The body has these components of its spin in its axes at the step's end, which positions reach along ω⁺, or along
/// the mean (1 − θ) ω + θ ω⁺ in fixed axes by their weight θ of the end. Then ½ ω·Iω and |Iω| stay as they are in free
/// flight, for any h. In articulated trees the mean is found by fixed point, a handful of O(n) recursions. If that does
/// not contract, the start's velocity is taken. KineticScaling takes out the energy that the terms still made or lost.
class FreeMotion {
 public:
  explicit FreeMotion(const Model& model);

  /// D and K of all joints, as h φ D + h² φ² K: what the mass matrix is augmented with. φ = 1 without weights.
  const VectorX& augmentation(double h, const SmoothWeights* weights = nullptr);

  /// Needs forward_kinematics of at.q in the workspace, and `mass` factored there with augmentation(). Without weights
  /// it needs forward_velocity of `at.start` there, too. The workspace's velocities are overwritten. The kick is that
  /// of kick_freely() or set_kick(). By `end_weight`: Impacts::end_weight.
  const VectorX& solve(const Model& model, const Method& method, const Linearisation& at, const VectorX& q_start,
                       const VectorX& v_start, const std::vector<double>& end_weight, DynamicsWorkspace& workspace,
                       MassOperator& mass);

  /// Takes half of what forces change without contacts, constraints and servos as the kick; zero without weights.
  void kick_freely(const Model& model, const Linearisation& at, double h, DynamicsWorkspace& workspace,
                   MassOperator& mass);
  void set_kick(const VectorX& kick) { kick_ = kick; }
  const VectorX& kick() const { return kick_; }  ///< in the coordinates at at.q
  /// True if no single body's kick is larger than what changed its spin in a step that ended with v⁺, rows or not.
  bool kick_fits(const Model& model, const Linearisation& at, const VectorX& v_plus) const;

  /// The turn of spinning bodies and trees, which solve() added to at.start.
  const VectorX& turn() const { return spin_; }

  /// Takes from articulated trees, and from what constraints tie together, the energy that the way from the
  /// linearisation to the step's end made or lost (KineticScaling::settle). The velocity found is `v_plus` at the
  /// linearisation and `v_end` (in, out) at q_end. Both workspaces hold forward_kinematics of their configurations.
  /// Does nothing for `explicit_form`.
  void settle(const Model& model, const Method& method, const Linearisation& at, const VectorX& v_plus,
              const Impacts& impacts, DynamicsWorkspace& workspace, const VectorX& q_end,
              DynamicsWorkspace& workspace_end, VectorX& v_end);

  /// Energy that dampers take in a step that ends with the velocity v⁺, J.
  double damping_loss(const Linearisation& at, const VectorX& v_plus, double h);

 private:
  void add_forces(const Model& model, const Linearisation& at, double h, DynamicsWorkspace& workspace);
  /// A turn's start and length.
  struct Start {
    const VectorX& q;
    const VectorX& v;
    const std::vector<double>& end_weight;
    double h;
  };
  void spin_single_bodies(const Model& model, const Linearisation& at, const Start& start);
  void turn_trees(const Model& model, const Linearisation& at, const Start& start, DynamicsWorkspace& workspace,
                  MassOperator& mass);

  struct SingleBody {
    int body;
    Mat3 inertia;  // about the centre of mass (free) or the joint (spherical), axes of M
    Vec3 center;   // of mass, from M's origin, for a free body; zero for a spherical joint
  };
  std::vector<SingleBody> single_bodies_;
  bool articulated_ = false;  // some tree has more than one body or another joint, or a constraint
  VectorX damping_, stiffness_, augmentation_;
  KineticScaling scaling_;
  DynamicsWorkspace scratch_;
  VectorX kick_, from_;  // from_: v_start + kick, in the coordinates at the step's start
  VectorX velocity_, spin_, force_, scratch_vector_, bias_, mean_, last_;
};

}  // namespace carom
