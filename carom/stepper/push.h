#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"
#include "carom/model/state.h"
#include "carom/stepper/step_loads.h"
#include "carom/stepper/step_report.h"

// Forces that a program lays on a mechanism for a time, as it goes (Simulation::push). Forces that act all along are
// better said in the model: AppliedWrench, Drive.
namespace carom {

/// A constant force and torque on a body.
struct BodyPush {
  int body = -1;
  Vec3 force = Vec3::Zero();   ///< world axes, N
  Vec3 torque = Vec3::Zero();  ///< world axes, beside the force's own moment, N m
  Vec3 point = Vec3::Zero();   ///< where the force acts, fixed in the body, body frame, m
  double seconds = 0;          ///< for how long from the time of the call, > 0; infinity: to the end
};

/// A constant force on a joint's coordinates.
struct JointPush {
  int joint = -1;      ///< number of the body that hangs on it
  VectorX force = {};  ///< by the joint's entries of v, N m or N
  double seconds = 0;  ///< as above
};

/// The pushes that are at work. A step that one covers in part gets that part of its force, so that what it gives is
/// force × seconds whatever the step. Forces of bodies are turned into those of joints at the start of a step.
class Pushes {
 public:
  explicit Pushes(const Model& model)
      : workspace_(model), loads_(model), of_bodies_(VectorX::Zero(model.velocity_count())) {}

  /// Throw Error if there is no such body or joint, or if it never moves. They also throw if the force has another size
  /// than the joint's velocity, if a number is not finite, or if the time is not positive.
  void add(const Model& model, double now, const BodyPush& push);
  void add(const Model& model, double now, const JointPush& push);

  /// force += mean generalized force over the step from the state to `until`, s.
  void add_force(const Model& model, const State& state, double until, VectorX& force);
  /// Tells the report of that step, which began at `begin`, the impulses on bodies. Takes them out of the torques of
  /// the controller, among which the stepper counted them.
  void add_to(double begin, StepReport& report) const;
  /// Forgets those that are over.
  void forget(double now);
  bool empty() const { return bodies_.empty() && joints_.empty(); }

 private:
  template <class Push>
  struct Timed {
    Push push;
    double begin, end;
  };
  DynamicsWorkspace workspace_;
  StepLoads loads_;
  MatrixX jacobian_;
  VectorX of_bodies_;  ///< mean generalized force of the pushes on bodies in the step
  std::vector<Timed<BodyPush>> bodies_;
  std::vector<Timed<JointPush>> joints_;
};

}  // namespace carom
