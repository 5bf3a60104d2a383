#include "carom/certificate/discrete_action.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/certificate/servo_pull.h"
#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/discrete_momentum.h"
#include "carom/dynamics/point_spring.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

bool turns_freely(const Joint& joint) { return joint.type == JointType::free || joint.type == JointType::spherical; }

Mat3 rotation(const VectorX& q, int i) { return Quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]).toRotationMatrix(); }

/// Centre of mass of a free joint's body in its frame M. A spherical joint turns about its own origin.
Vec3 mass_center(const Model& model, int body) {
  const Joint& joint = model.joints()[body];
  return joint.type == JointType::free ? joint.X_BM.inverse() * model.bodies()[body].inertia.center
                                       : Vec3(Vec3::Zero());
}

/// J_l(x) f = f + (1 − cos θ)/θ² x × f + (θ − sin θ)/θ³ x × (x × f), θ = |x|.
Vec3 left_differential(const Vec3& x, const Vec3& f) {
  const double square = x.squaredNorm();
  double a = 0.5 - square / 24, b = 1.0 / 6 - square / 120;  // exact to round-off below
  if (square > 1e-8) {
    const double angle = std::sqrt(square), half = std::sin(0.5 * angle);
    a = 2 * half * half / square;
    b = (angle - std::sin(angle)) / (square * angle);
  }
  return f + a * x.cross(f) + b * x.cross(x.cross(f));
}

/// J_r(y)⁻¹ μ = μ + ½ y × μ + (1 − (θ/2) cot(θ/2))/θ² y × (y × μ), θ = |y| < 2π.
Vec3 right_differential_inverse(const Vec3& y, const Vec3& momentum) {
  const double square = y.squaredNorm();
  double c = 1.0 / 12 + square / 720;
  if (square > 1e-8) {
    const double half = 0.5 * std::sqrt(square);
    c = (1 - half / std::tan(half)) / square;
  }
  return momentum + 0.5 * y.cross(momentum) + c * y.cross(y.cross(momentum));
}

}  // namespace

DiscreteAction::DiscreteAction(const Model& model) {
  const int n = model.velocity_count();
  for (VectorX* v : {&damping_, &way_, &rate_, &rate_middle_, &momentum_, &slope_, &force_, &opposed_, &start_,
                     &impulse_, &scratch_}) {
    v->setZero(n);
  }
  q_middle_.setZero(model.position_count());
  for (const Joint& joint : model.joints()) damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
}

void DiscreteAction::to_fixed_axes(const Model& model, const VectorX& q, const VectorX& own, VectorX& fixed) {
  fixed = own;
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    if (!turns_freely(joint)) continue;
    const Mat3 R = rotation(q, joint.q_index);
    Vec3 spin = fixed.segment<3>(joint.v_index);
    if (joint.type == JointType::free) {
      const Vec3 push = fixed.segment<3>(joint.v_index + 3);
      spin -= mass_center(model, body).cross(push);
      fixed.segment<3>(joint.v_index + 3) = R * push;
    }
    fixed.segment<3>(joint.v_index) = R * spin;
  }
}

void DiscreteAction::to_own_axes(const Model& model, const VectorX& q, const VectorX& fixed, VectorX& own) {
  own = fixed;
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    if (!turns_freely(joint)) continue;
    const Mat3 R = rotation(q, joint.q_index);
    Vec3 spin = R.transpose() * Vec3(own.segment<3>(joint.v_index));
    if (joint.type == JointType::free) {
      const Vec3 push = R.transpose() * Vec3(own.segment<3>(joint.v_index + 3));
      spin += mass_center(model, body).cross(push);
      own.segment<3>(joint.v_index + 3) = push;
    }
    own.segment<3>(joint.v_index) = spin;
  }
}

/// h w, by the turns that the velocities at both ends are nearest to.
void DiscreteAction::find_way(const Model& model, const StepEvidence& evidence) {
  difference(model, evidence.q_start, evidence.q_end, way_);
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    if (!turns_freely(joint)) continue;
    const int k = joint.v_index;
    const Vec3 shorter = way_.segment<3>(k);
    const double angle = shorter.norm();
    if (!(angle > 0)) continue;
    const Vec3 longer = shorter * (1 - 2 * std::numbers::pi / angle);
    const Vec3 expected = 0.5 * evidence.length * (evidence.v_start.segment<3>(k) + evidence.v_end.segment<3>(k));
    if (!((expected - longer).squaredNorm() < (expected - shorter).squaredNorm())) continue;
    way_.segment<3>(k) = longer;
    // The centre of mass goes its straight way however often the body turns.
    if (joint.type == JointType::free) {
      way_.segment<3>(k + 3) -= Vec3(longer - shorter).cross(mass_center(model, body));
    }
  }
}

/// All forces at the middle of path and time, into force_; their sizes, source by source, into opposed_.
void DiscreteAction::add_forces(const Model& model, const StepEvidence& evidence, DynamicsWorkspace& workspace) {
  const double time = evidence.end - 0.5 * evidence.length;
  const auto add = [&](const VectorX& part) {
    force_ += part;
    opposed_ += part.cwiseAbs();
  };
  force_.setZero();
  opposed_.setZero();
  gravity_force(model, workspace, scratch_);
  add(scratch_);
  spring_force(model, q_middle_, scratch_);
  add(scratch_);
  add(evidence.controlled);
  scratch_ = -damping_.cwiseProduct(rate_middle_);
  add(scratch_);
  scratch_.setZero();
  add_applied_force(model, time, workspace, scratch_);
  add(scratch_);
  add_point_springs(model, rate_middle_, workspace, force_, &opposed_);
  for_each_servo(model, time, q_middle_, rate_middle_, [&](int k, double pull) {
    force_[k] += pull;
    opposed_[k] += std::abs(pull);
  });
}

/// p⁻ and h f of a joint that turns freely, in fixed axes, from those in the middle's.
void DiscreteAction::end_rotation(const Model& model, int body, const StepEvidence& evidence) {
  const Joint& joint = model.joints()[body];
  const int k = joint.v_index;
  Vec3 spin = momentum_.segment<3>(k), turning = impulse_.segment<3>(k);
  const Mat3 R_start = rotation(evidence.q_start, joint.q_index), R_middle = rotation(q_middle_, joint.q_index);
  if (joint.type == JointType::free) {
    const Vec3 c = mass_center(model, body), w = rate_middle_.segment<3>(k);
    const Vec3 linear = momentum_.segment<3>(k + 3), push = impulse_.segment<3>(k + 3);
    const Vec3 center_velocity = rate_middle_.segment<3>(k + 3) + w.cross(c);
    spin -= c.cross(linear);
    // In the body's axes a centre of mass that goes straight on turns the other way.
    turning -= c.cross(push) + evidence.length * center_velocity.cross(linear);
    impulse_.segment<3>(k + 3) = R_middle * push;
    start_.segment<3>(k + 3) = R_middle * (linear - 0.5 * push);
  }
  const Vec3 y = way_.segment<3>(k);
  const Vec3 at_start = right_differential_inverse(y, spin + 0.5 * left_differential(0.5 * y, turning));
  impulse_.segment<3>(k) = R_middle * turning;
  start_.segment<3>(k) = R_start * at_start - R_middle * turning;
}

void DiscreteAction::evaluate(const Model& model, const StepEvidence& evidence, DynamicsWorkspace& workspace) {
  find_way(model, evidence);
  rate_ = way_ / evidence.length;
  integrate(model, evidence.q_start, way_, 0.5, q_middle_);
  transport_velocity(model, evidence.q_start, q_middle_, rate_, rate_middle_);
  forward_kinematics(model, q_middle_, workspace);
  forward_velocity(model, q_middle_, rate_middle_, workspace);
  add_forces(model, evidence, workspace);
  opposed_ *= evidence.length;
  kinetic_slopes(model, rate_middle_, workspace, momentum_, slope_);
  impulse_ = evidence.length * (slope_ + force_);
  start_ = momentum_ - 0.5 * impulse_;
  for (int body = 0; body < model.body_count(); ++body) {
    if (turns_freely(model.joints()[body])) end_rotation(model, body, evidence);
  }
}

}  // namespace carom
