#include "carom/stepper/variational/discrete_motion.h"

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"

namespace carom {

DiscreteMotion::DiscreteMotion(const Model& model) : forces_(model), workspace_(model) {
  for (VectorX* q : {&q_, &q_middle_, &q_end_}) q->setZero(model.position_count());
  for (VectorX* v :
       {&controlled_, &v_middle_, &tau_, &gravity_, &momentum_, &slope_, &p_, &middle_.mean, &middle_.impulse}) {
    v->setZero(model.velocity_count());
  }
}

void DiscreteMotion::begin(const VectorX& q, double time, double h, const VectorX& controlled) {
  q_ = q;
  time_ = time;
  h_ = h;
  controlled_ = controlled;
}

const VectorX& DiscreteMotion::evaluate(const Model& model, const VectorX& w) {
  integrate(model, q_, w, 0.5 * h_, q_middle_);
  integrate(model, q_, w, h_, q_end_);
  transport_velocity(model, q_, q_middle_, w, v_middle_);
  forward_kinematics(model, q_middle_, workspace_);
  forward_velocity(model, q_middle_, v_middle_, workspace_);
  power_ = forces_.gather(model, time_ + 0.5 * h_, q_middle_, v_middle_, controlled_, workspace_, tau_);
  gravity_force(model, workspace_, gravity_);
  tau_ += gravity_;
  kinetic_slopes(model, v_middle_, workspace_, momentum_, slope_);
  midpoint_momentum(model, v_middle_, h_, momentum_, slope_, tau_, middle_);
  p_ = middle_.mean - 0.5 * middle_.impulse;
  transport_momentum(model, q_middle_, q_, p_, p_);
  return p_;
}

void DiscreteMotion::add_loads(const Model& model, const StepLoads& loads, VectorX& impulses) const {
  const double time = time_ + 0.5 * h_;
  loads.add_applied(model, time, h_, controlled_, workspace_, impulses);
  loads.add_explicit(model, time, h_, q_middle_, v_middle_, workspace_, impulses);
}

void DiscreteMotion::end_momentum(const Model& model, const VectorX& p_start, VectorX& p_end) {
  transport_momentum(model, q_, q_middle_, p_start, p_);
  p_ += middle_.impulse;
  transport_momentum(model, q_middle_, q_end_, p_, p_end);
}

}  // namespace carom
