#include "carom/validation/compliant_motion.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"
#include "carom/validation/mechanism_impact.h"

namespace carom {
namespace {

class LayeredMotion {
 public:
  LayeredMotion(const std::shared_ptr<const Model>& model, const CompliantMotionOptions& options)
      : options_(options),
        surfaces_{{options.surface.stiffness, options.surface.exponent},
                  options.dissipation,
                  Eigen::Vector2d::Constant(options.friction),
                  Eigen::Vector2d::Constant(options.friction),
                  0,
                  options.transition_speed},
        model_(*model),
        contacts_(model),
        workspace_(*model) {}

  /// Sets contacts, their forces and v̇.
  void evaluate(const VectorX& q, const VectorX& v) {
    contacts_.find(q, v, options_.margin);
    force.setZero(contacts_.u().size());
    for (int i = 0; i < contacts_.contact_count(); ++i) set_force(i);
    tau_.setZero(v.size());
    contacts_.add_force(force, tau_);
    forward_dynamics(model_, q, v, tau_, workspace_, vdot);
  }
  const MechanismImpact& contacts() const { return contacts_; }

  VectorX force, vdot;

 private:
  void set_force(int i) {
    const int row = contacts_.block(i).row;
    if (contacts_.block(i).size() != 3) throw Error("a compliant motion needs contacts with friction");
    force.segment<3>(row) = compliant_force(surfaces_, -contacts_.contact(i).gap, contacts_.u().segment<3>(row));
  }

  const CompliantMotionOptions& options_;
  const CompliantSurfaces surfaces_;
  const Model& model_;
  MechanismImpact contacts_;
  DynamicsWorkspace workspace_;
  VectorX tau_;
};

/// Notes an instant. False once all contacts have parted and none approaches.
bool record(const MechanismImpact& contacts, double time, const VectorX& impulse, CompliantTrace& trace) {
  if (contacts.contact_count() != trace.contacts) throw Error("contacts came or went during a compliant motion");
  trace.time.push_back(time);
  bool on = false;
  for (int i = 0; i < trace.contacts; ++i) {
    const double gap = contacts.contact(i).gap;
    trace.compression.push_back(-gap);
    on = on || gap < 0 || contacts.u()[contacts.block(i).row + 2] < 0;
  }
  trace.impulse.insert(trace.impulse.end(), impulse.begin(), impulse.end());
  trace.velocity.insert(trace.velocity.end(), contacts.u().begin(), contacts.u().end());
  return on;
}

}  // namespace

CompliantMotion move_through(const std::shared_ptr<const Model>& model, const State& start,
                             const CompliantMotionOptions& options) {
  LayeredMotion motion(model, options);
  CompliantMotion result;
  VectorX q = start.q, v = start.v;
  motion.evaluate(q, v);
  result.trace.clear(motion.contacts().contact_count(), static_cast<int>(motion.force.size()));
  VectorX impulse = VectorX::Zero(motion.force.size()), middle_q = q, middle_v = v;
  const double h = options.step;
  double time = 0;
  for (int step = 0; record(motion.contacts(), time, impulse, result.trace); ++step) {
    if (step == options.max_steps) throw Error("a compliant motion did not end within its budget of steps");
    middle_v = v + h / 2 * motion.vdot;
    integrate(*model, q, v, h / 2, middle_q);
    motion.evaluate(middle_q, middle_v);
    const VectorX from = q;
    integrate(*model, from, middle_v, h, q);
    v += h * motion.vdot;
    impulse += h * motion.force;
    time += h;
    motion.evaluate(q, v);
  }
  result.end = start;
  result.end.q = q;
  result.end.v = v;
  result.end.time += time;
  return result;
}

}  // namespace carom
