#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <span>
#include <vector>

#include "carom/impact/impact_problem.h"
#include "carom/impact/impact_rows.h"
#include "carom/impact/sheared_layer.h"

namespace carom {

/// Rules that take a step and estimate its error. The Euler rules' estimate is the difference between a step and two of
/// half its length.
enum class CompliantIntegrator {
  runge_kutta_merson,   ///< explicit, five stages, fourth order
  semi_explicit_euler,  ///< P with the forces of the step's start, z with the velocities of its end. First order
  implicit_euler,       ///< all at the step's end, by Newton's method with the analytical Jacobian. First order
};

/// Options of integrating an impact through time. Restitution is not read, but for that of tangential springs:
/// dissipation stands for it.
struct CompliantOptions {
  double dissipation = 0;                     ///< c ≥ 0 of every contact, s/m
  std::span<const double> dissipations = {};  ///< one c per block in its place, or empty
  double static_ratio = 1;         ///< static over dynamic friction, ≥ 1; the block's friction is the dynamic
  double viscous_friction = 0;     ///< added to μ per unit of slip speed and of the block's μ, s/m
  double transition_speed = 0.01;  ///< slip speed at which friction has risen to its static value, > 0, m/s
  double accuracy = 1e-5;          ///< of a step, relative to compressions and impulses of the impact
  int max_steps = 1000000;         ///< accepted and rejected
  CompliantIntegrator integrator = CompliantIntegrator::runge_kutta_merson;
  /// If true, the Euler rules go on from twice the two halves less the whole step. That is of second order, but may
  /// leave the friction cone by the error of a step. If false, they go on from the two halves, as paper PLUS does.
  bool extrapolate = true;
};

/// An impact through time, step by step, the start included. Arrays are flat and keep their capacity.
struct CompliantTrace {
  int contacts = 0, rows = 0;
  std::vector<double> time;         ///< since the first touch, s
  std::vector<double> compression;  ///< instants × contacts (blocks that are not bilateral): z, negative while apart, m
  std::vector<double> impulse;      ///< instants × rows, N s
  std::vector<double> velocity;     ///< instants × rows, m/s

  void clear(int contact_count, int row_count);
  Eigen::Map<const Eigen::VectorXd> impulse_at(std::size_t i) const {
    return {impulse.data() + static_cast<std::ptrdiff_t>(i) * rows, rows};
  }
  Eigen::Map<const Eigen::VectorXd> velocity_at(std::size_t i) const {
    return {velocity.data() + static_cast<std::ptrdiff_t>(i) * rows, rows};
  }
};

/// An outcome with what it took.
struct CompliantOutcome : ImpactOutcome {
  double time = 0;      ///< from the first touch to the last parting, s
  int evaluations = 0;  ///< of the forces; of implicit steps each with its Jacobian, factored and solved
};

/// An impact integrated through time on compliant contacts at a fixed configuration. Impact laws stand in for this.
///
///     z_i′ = −u_n,i                                                 compression, z < 0 a gap that opened meanwhile
///     f_n,i = max(0, K_i z_i^η_i (1 + (3/2) c_i z_i′))              Hertz with Hunt and Crossley's damping
///     f_t,i = −ψ(‖u_t,i‖) f_n,i M_i s,  s = M_i u_t,i / ‖M_i u_t,i‖   M = diag(μ_x, μ_y)
///     p′ = f,   u = u_before + A p
///
/// where ψ rises smoothly from 0 at rest to the static ratio at the transition speed, then falls to 1 at three times
/// that speed. The viscous share is added at every speed, so ψ grows with it beyond. All z are zero at the start. The
/// impact ends when no contact bears a force and none approaches. While none bears a force, the next touch is computed,
/// not integrated.
///
/// A surface with a tangential spring has the forces of sheared_layer.h instead, with its deflection d along the
/// surface: it sticks, and friction is static below the transition speed. Such impacts are integrated by
/// runge_kutta_merson alone. A step ends where a contact ceases to slide.
///
/// Source: paper PLUS, section 4 (compliant model, Runge–Kutta–Merson with error control; the two Euler rules of
/// example 4) and Sherman, Seth and Delp 2011 (friction). Departure: the configuration does not move, as in the impact
/// laws that it judges. So no difference between them comes from the bodies' turning. Friction that depends on slip
/// alone never sticks: it creeps.
///
/// An implicit step solves P − P₀ − h f(z(P), u(P)) = 0 for the impulses P alone, with z = z₀ − h u_n(P). The Jacobian
/// is 1 − h (∂f/∂u − h ∂f/∂z) A, where the blocks of ∂f belong to one contact each.
///
/// Cost: 5 evaluations of k² operations per Runge–Kutta step (7 with springs), 2 per semi-explicit step. An implicit
/// step takes some 8 of k³. The number of steps grows as transition_speed falls (not with springs), least for the
/// implicit rule. It does not depend on a common factor of the stiffnesses. The result depends on problem and options
/// alone.
class CompliantImpact {
 public:
  /// impulse and velocity: k, p and u + A p. Status budget: max_steps came first. Then impulse and velocity are those
  /// of an unfinished impact, which may still approach. The trace, if not null, is overwritten with all that happened.
  /// Throws as check_sizes does, for options out of range, and for a tangential spring under one of Euler's rules.
  /// Buffers are kept: nothing is allocated for a problem no larger than an earlier one. With the implicit rule that
  /// holds for a problem as large as the last.
  [[nodiscard]] CompliantOutcome solve(const ImpactProblem& problem, const CompliantOptions& options,
                                       Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity,
                                       CompliantTrace* trace = nullptr);

 private:
  struct Law {
    ElasticLayer layer;
    double dissipation = 0;
    int tangent = -1;
    double inverse_friction[2] = {0, 0};  // from scaled slip to slip; 0 on an axis without friction
  };
  /// A tangential spring, whose deflection has two numbers behind the impulses in the state.
  struct Spring {
    int contact = 0;
    TangentialSpring material;
    double farthest = 0;   // distance that it has slid at most in the step that is being tried
    ShearedState sheared;  // of the last evaluation
  };
  /// Derivative of a contact's force by its velocities at the end of an implicit step: rows n, t, t; columns u_n
  /// (compression included), u_t, u_t.
  using Response = Eigen::Matrix3d;

  void prepare(const ImpactProblem& problem, const CompliantOptions& options);
  void gather_springs(const ImpactProblem& problem);
  void weigh_springs(const CompliantOptions& options);
  bool has_ended() const;
  bool is_held() const;
  bool fly();
  bool has_slid_back() const;
  void hold_springs();
  void record(const ImpactProblem& problem, CompliantTrace& trace);
  // compliant_steps.cpp
  void set_velocity(const double* P);
  void forces(const double* z, double* f);
  void derivative(const double* state, double* rate);
  void shear(Spring& spring, double z, const double* d, double* f, double* rate);
  double try_step(double h);
  double try_merson(double h);
  double try_doubled(double h);
  bool euler_step(const double* from, const double* rate, double h, double* to);
  bool implicit_step(const double* from, double h, double* to);
  Response response(const Law& law, int contact, double z, double h, const double* f) const;
  void fill_jacobian(double h, const double* z, const double* f);

  ImpactRows rows_;
  std::vector<Law> laws_;
  std::vector<Spring> springs_;
  int n_ = 0, m_ = 0, size_ = 0, evaluations_ = 0;
  CompliantIntegrator integrator_ = CompliantIntegrator::runge_kutta_merson;
  bool extrapolate_ = true;
  Stribeck psi_;
  double time_ = 0, first_step_ = 0, newton_tolerance_ = 0;
  std::vector<double> state_, next_, stage_, velocity_;  // state: z, P, d
  std::vector<double> k1_, k3_, k4_, k5_, weight_;       // weight: 1 / the allowed error of each entry
  Eigen::MatrixXd jacobian_;
  Eigen::VectorXd miss_, correction_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

}  // namespace carom
