#include "carom/stepper/event_driven/smooth_forces.h"

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/step_loads.h"

namespace carom {

SmoothForces::SmoothForces(const Model& model) {
  for (VectorX* vector : {&damping_, &spring_, &applied_}) vector->setZero(model.velocity_count());
  for (const Joint& joint : model.joints()) damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
}

SmoothPower SmoothForces::gather(const Model& model, double time, const VectorX& q, const VectorX& v,
                                 const VectorX& controlled, const DynamicsWorkspace& workspace, VectorX& tau) {
  applied_ = controlled;
  add_applied_force(model, time, workspace, applied_);
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    if (model.drives()[i].kind != DriveKind::servo) continue;
    const double force = servo_force(model, i, time, q, v);
    for (const RowTerm& term : model.drive_terms(i)) applied_[term.coordinate] += term.coefficient * force;
  }
  spring_force(model, q, spring_);
  tau = applied_ + spring_ - damping_.cwiseProduct(v);
  const double damped = add_point_springs(model, v, workspace, tau);
  return {damping_.dot(v.cwiseAbs2()) + damped, applied_.dot(v)};
}

}  // namespace carom
