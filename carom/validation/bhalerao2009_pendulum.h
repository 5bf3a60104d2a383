#pragma once

#include <array>
#include <functional>
#include <vector>

#include "carom/dormand_prince.h"
#include "carom/spatial/types.h"

namespace carom::bhalerao2009 {

/// Motion of the pendulum's top.
enum class TopMotion { flight, slide, stick };
const char* top_motion_name(TopMotion motion);

/// Two bodies on a ball joint P2. The first, A, may touch the plane z = 0 with its top P1 (figure 6 of paper DCA). It
/// holds all that a run needs, apart from scenes and steppers.
struct PendulumSetup {
  double mass = 1, length = 1;           ///< of each body, kg and m; its centre of mass at half its length
  Vec3 inertia = Vec3(1, 2, 3);          ///< about the centre of mass, body axes, kg m²
  double gravity = 9.81;                 ///< m/s²
  double friction = 0, restitution = 0;  ///< of P1 on the plane
  Vec3 position = Vec3::Zero();          ///< of P1, m
  Vec3 velocity = Vec3::Zero();          ///< of every point, m/s: nothing turns at the start
  Mat3 R_A = Mat3::Identity();           ///< each body hangs along −z of its axes
  Mat3 R_B = Mat3::Identity();
  bool planar = false;  ///< all stays in the x–z plane, so that slip has two directions, and impacts are solved
};

/// The pendulum's motion by equations of their own, as a reference: Newton's and Euler's for each body. Unknowns are
/// accelerations (a of P1, angular α) and forces (f of A on B at P2, F of the plane on A at P1). Axes are the world's,
/// r runs from P1 or P2 to the centre of mass, and l = 2 r:
///
///   m (a + α_A × r_A + ω_A × (ω_A × r_A)) = F − f + m g
///   I_A α_A + ω_A × I_A ω_A = −r_A × F − (l_A − r_A) × f
///   m (a + α_A × l_A + ω_A × (ω_A × l_A) + α_B × r_B + ω_B × (ω_B × r_B)) = f + m g
///   I_B α_B + ω_B × I_B ω_B = −r_B × f
///   flight: F = 0;   slide: a_z = 0, F_xy = −μ F_z v/‖v‖;   stick: a = 0
///
/// 15 equations, a dense LU. The numbers integrated are P1's position and velocity, the bodies' quaternions and their
/// angular velocities in body axes, so nothing drifts apart. The rule is Dormand and Prince's with error control.
/// Touch, separation, the end of slip and of stick are located by bisection on the length of a step.
///
/// An impact is an instant with the same left sides for jumps, and v_z⁺ = −e v_z⁻ (Newton). Either v_x⁺ = 0 with the
/// impulse within the cone, or P_x = −μ P_z sign v_x⁺. Impacts are those of planar motion only, as is the choice
/// between slip and stick after a touch without restitution. Without friction both are done in space.
class Pendulum {
 public:
  explicit Pendulum(const PendulumSetup& setup, double tolerance = 1e-12);

  /// A change of regime, or an impact.
  struct Event {
    double time = 0;
    TopMotion after = TopMotion::flight;
    double approach = 0;  ///< −v_z before an impact, m/s; 0 of other events
  };

  /// To the time, s. Throws Error where impacts pile up before it (more than `most_events`), or a regime does not
  /// exist.
  void advance(double time);

  double time() const { return time_; }
  TopMotion motion() const { return motion_; }
  const std::vector<Event>& events() const { return events_; }
  Vec3 top() const { return y_.segment<3>(0); }  ///< position of P1
  Vec3 top_velocity() const { return y_.segment<3>(3); }
  Mat3 R_A() const;
  Mat3 R_B() const;
  /// Force of the plane on P1, world axes, N.
  Vec3 contact_force();
  /// Kinetic and potential, J.
  double energy() const;

  static constexpr int most_events = 100000;

 private:
  using Vec20 = Eigen::Matrix<double, 20, 1>;
  using Vec15 = Eigen::Matrix<double, 15, 1>;
  using Mat15 = Eigen::Matrix<double, 15, 15>;
  struct Pose {
    Mat3 R_A, R_B, I_A, I_B;
    Vec3 r_A, r_B, w_A, w_B;
  };
  Pose pose_of(const Vec20& y) const;
  Mat15 left_side(const Pose& pose) const;
  Vec15 solve(const Vec20& y, TopMotion motion);
  void rate(const Vec20& y, Vec20& dy);
  Vec3 slip_direction(const Vec20& y) const;
  double event_value(const Vec20& y);
  bool in_cone(const Vec3& force) const;
  Vec20 stepped(double h, double* error);
  void strike();
  void settle(double speed);
  void turn_to(TopMotion motion, double approach);

  PendulumSetup setup_;
  double tolerance_;
  DormandPrince rule_;
  double time_ = 0, step_ = 1e-3;
  Vec20 y_;
  TopMotion motion_ = TopMotion::flight;
  double slip_ = 0;  ///< ±1 along x while a planar pendulum slides
  std::vector<Event> events_;
};

}  // namespace carom::bhalerao2009
