#pragma once

#include <vector>

#include "carom/complementarity/mixed/mixed_ncp_solver.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"

namespace carom {

struct QuasiRigidOptions {
  double tolerance = 1e-10;  ///< of a step, as MixedNcpOptions::tolerance
  double length = 0.1;       ///< change of a coordinate that matters, m: about the bodies' size
  double speed = 1;          ///< change of a velocity that matters, m/s, and by `length` of an angular one
};

/// What a step did at one pair.
struct QuasiRigidContact {
  double gap = 0;              ///< d at the end of the step, m; of compliant pairs −δ where they touch
  double deflection = 0;       ///< δ, m
  double layer_impulse = 0;    ///< p_s, N s
  double rigid_impulse = 0;    ///< p, or p_r where the core was reached, N s
  Vec3 normal = Vec3::Zero();  ///< n, unit, from b towards a
  Vec3 point = Vec3::Zero();   ///< a₁, m
};

/// Free bodies in time, by a QuasiRigidProblem in every step, solved from the end of the last one. Keeps what steps
/// share: the closest points and the deflections. First order in h; without restitution.
class QuasiRigidStepper {
 public:
  /// Finds the closest points of the start by ClosestPointFinder. Throws Error if the problem makes no sense, or if the
  /// closest points of a pair cannot be found, and says which.
  QuasiRigidStepper(std::vector<QuasiRigidBody> bodies, std::vector<QuasiRigidPair> pairs, const Vec3& gravity,
                    std::vector<QuasiRigidMotion> start, const QuasiRigidOptions& options = {});
  QuasiRigidStepper(const QuasiRigidStepper&) = delete;
  QuasiRigidStepper& operator=(const QuasiRigidStepper&) = delete;

  /// Advances by h. If the result is not `solved`, motions and contacts stay those of the last step.
  [[nodiscard]] MixedNcpResult step(double h);

  double time() const { return time_; }
  const std::vector<QuasiRigidMotion>& motions() const { return motions_; }
  const std::vector<QuasiRigidContact>& contacts() const { return contacts_; }  ///< by pair
  /// Kinetic energy, that in the gravitational field with 0 at the origin, and that of springs, J.
  double energy() const;

 private:
  void keep(double h);

  std::vector<QuasiRigidBody> bodies_;
  QuasiRigidProblem problem_;
  Vec3 gravity_;
  std::vector<QuasiRigidMotion> motions_, scratch_;
  std::vector<QuasiRigidContact> contacts_;
  VectorX lower_, upper_, unknowns_, trial_;
  std::vector<double> sizes_;
  MixedNcpOptions ncp_;
  MixedNcpSolver solver_;
  double time_ = 0;
};

}  // namespace carom
