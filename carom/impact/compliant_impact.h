#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/impact/elastic_layer.h"
#include "carom/impact/impact_problem.h"
#include "carom/impact/impact_rows.h"

namespace carom {

/// How a blow is integrated through time. Restitution of the surfaces is not read: dissipation stands for it.
struct CompliantOptions {
  double dissipation = 0;                     ///< c ≥ 0 of every contact, s/m
  std::span<const double> dissipations = {};  ///< one c per block in its place, or empty
  double static_ratio = 1;         ///< static over dynamic friction, ≥ 1; the block's friction is the dynamic
  double viscous_friction = 0;     ///< added to μ per unit of slip speed and of the block's μ, s/m
  double transition_speed = 0.01;  ///< slip speed at which friction has risen to its static value, > 0, m/s
  double accuracy = 1e-5;          ///< of a step, relative to compressions and impulses of the blow
  int max_steps = 1000000;         ///< accepted and rejected
};

/// An outcome with what it took.
struct CompliantOutcome : ImpactOutcome {
  double time = 0;      ///< from the first touch to the last parting, s
  int evaluations = 0;  ///< of the forces
};

/// A blow integrated through time on compliant contacts at a fixed configuration: what impact laws stand in for.
///
///     z_i′ = −u_n,i                                                 compression, z < 0 a gap that opened meanwhile
///     f_n,i = max(0, K_i z_i^η_i (1 + (3/2) c_i z_i′))              Hertz with Hunt and Crossley's damping
///     f_t,i = −ψ(‖u_t,i‖) f_n,i M_i s,  s = M_i u_t,i / ‖M_i u_t,i‖   M = diag(μ_x, μ_y)
///     p′ = f,   u = u_before + A p
///
/// with ψ rising smoothly from 0 at rest to the static ratio at the transition speed, falling to 1 at three times it,
/// and growing with the viscous share beyond. All z are zero at the start; the end is when no contact bears a force and
/// none approaches. While none bears a force the next touch is computed, not integrated.
///
/// Source: paper PLUS, section 4 (compliant model, Runge–Kutta–Merson with error control) and Sherman, Seth and Delp
/// 2011 (friction). Departure: the configuration does not move, as in the impact laws that it judges, so there is no
/// difference between them that comes from the bodies' turning. Friction that only slip makes never sticks: it creeps.
///
/// Cost: 5 evaluations of k² operations per step; steps grow as transition_speed falls, and do not depend on a common
/// factor of the stiffnesses. The result depends on problem and options alone.
class CompliantImpact {
 public:
  /// impulse and velocity: k, p and u + A p. Status budget: max_steps came first; impulse and velocity are then those
  /// of an unfinished blow, which may still approach. Throws as check_sizes does, and for options out of range. Keeps
  /// its buffers.
  [[nodiscard]] CompliantOutcome solve(const ImpactProblem& problem, const CompliantOptions& options,
                                       Eigen::Ref<Eigen::VectorXd> impulse, Eigen::Ref<Eigen::VectorXd> velocity);

 private:
  struct Law {
    ElasticLayer layer;
    double dissipation = 0;
    int tangent = -1;
    double inverse_friction[2] = {0, 0};  // from scaled slip to slip; 0 on an axis without friction
  };
  void prepare(const ImpactProblem& problem, const CompliantOptions& options);
  void derivative(const double* state, double* rate);
  double friction(double slip) const;
  double try_step(double h);
  bool has_ended() const;
  bool is_held() const;
  bool fly();

  ImpactRows rows_;
  std::vector<Law> laws_;
  int n_ = 0, m_ = 0, evaluations_ = 0;
  double static_ratio_ = 1, viscous_ = 0, transition_ = 1, time_ = 0, first_step_ = 0;
  std::vector<double> state_, next_, stage_, velocity_;  // state: z, P
  std::vector<double> k1_, k3_, k4_, k5_, weight_;       // weight: 1 / the size that an error of each entry is held to
};

}  // namespace carom
