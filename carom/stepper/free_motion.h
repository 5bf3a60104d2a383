#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/stepper/kinetic_scaling.h"
#include "carom/stepper/mass_operator.h"
#include "carom/stepper/method.h"

namespace carom {

/// The place where a step is linearised: matrices, forces and contacts are those of this configuration.
///
/// The step starts at (q, v). It is expressed at `q` below, which is reached from the start along `reach` in a time h,
/// and lies on the model's constraints. Velocities are carried there by transport_velocity.
struct Linearisation {
  VectorX q;        ///< q_start ⊞ h reach; reach = v_start for the linear steppers (paper ST: q + h v)
  VectorX start;    ///< v_start in the coordinates at q
  VectorX reach;    ///< in the coordinates at q
  double end = 0;   ///< time at the step's end, s
  VectorX applied;  ///< force of drives, wrenches and the controller over the step, in the coordinates at q
};

/// Effect of contacts and constraints on the bodies in a step, entry by entry.
struct Impacts {
  std::vector<char> struck;  ///< whether a contact or limit pushed the body
  /// ½ (J (v⁺ + v))ᵀ p of the constraints on the body, v before any force, J. Turning the velocity along with the
  /// mechanism took this work in the step, and does not take it in truth. One body has all the work of a constraint.
  std::vector<double> turning_work;
};

/// Velocity at the end of a step in which nothing touches, and the impulses that make it so.
///
///   (M + h D + h² K)(v_f − v) = h (g + f_a − c − D v + f_s(q) − h K (v − reach))
///
/// M, gravity g, applied forces f_a and springs f_s are at the linearisation; c is the bias of momentum_bias. D and K
/// are joint damping and stiffness, taken at the end of the step (backward Euler). So no damper or spring is too stiff
/// for a step.
///
/// Gyroscopic terms. `explicit_form`: c at the start's velocity, as in the papers. `implicit`: at the mean of start and
/// free velocity. For a body hung on the world alone by a free or spherical joint, Newton's method solves, in the
/// body's axes at the step's start,
///   I (ω_f − ω) + h ω̄ × I ω̄ = 0,  ω̄ = (ω + ω_f)/2.
/// Then ½ ω·Iω and |Iω| stay as they are in free flight, for any h. In articulated trees the mean is found by fixed
/// point, a handful of O(n) recursions. If that does not contract, the start's velocity is taken. KineticScaling takes
/// out the energy that the terms still made or lost.
class FreeMotion {
 public:
  explicit FreeMotion(const Model& model);

  /// D and K of all joints, as h D + h² K: what the mass matrix is augmented with.
  const VectorX& augmentation(double h);

  /// Needs forward_velocity of `at.start` at at.q in the workspace, and `mass` factored there with augmentation(h). The
  /// workspace's velocities are overwritten.
  const VectorX& solve(const Model& model, const Method& method, const Linearisation& at, const VectorX& q_start,
                       const VectorX& v_start, DynamicsWorkspace& workspace, MassOperator& mass);

  /// The turn of spinning bodies and trees, which solve() added to at.start before any force acted.
  const VectorX& turn() const { return spin_; }

  /// Takes from articulated trees, and from what constraints tie together, the energy that the way from the
  /// linearisation to the step's end made or lost (KineticScaling::settle). The velocity found is `v_plus` at the
  /// linearisation and `v_end` (in, out) at q_end. Both workspaces hold forward_kinematics of their configurations.
  /// Does nothing for `explicit_form`.
  void settle(const Model& model, const Method& method, const Linearisation& at, const VectorX& v_plus,
              const Impacts& impacts, DynamicsWorkspace& workspace, const VectorX& q_end,
              DynamicsWorkspace& workspace_end, VectorX& v_end);

  /// Energy that dampers take in a step that ends with the velocity v⁺, J.
  double damping_loss(const VectorX& v_plus, double h) const { return h * damping_.dot(v_plus.cwiseAbs2()); }

 private:
  void spin_single_bodies(const Model& model, const Linearisation& at, const VectorX& q_start, const VectorX& v_start,
                          double h);
  void turn_trees(const Model& model, const Linearisation& at, const VectorX& q_start, const VectorX& v_start, double h,
                  DynamicsWorkspace& workspace, MassOperator& mass);

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
  VectorX velocity_, spin_, gravity_, spring_, bias_, mean_, last_;
};

}  // namespace carom
