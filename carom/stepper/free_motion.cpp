#include "carom/stepper/free_motion.h"

#include <algorithm>
#include <limits>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "carom/numerics/solve_three.h"

namespace carom {
namespace {

/// Angular velocity after a time h without torque: I (ω⁺ − ω) + h ω̄ × I ω̄ = 0 by Newton's method from ω⁺ = ω.
Vec3 torque_free_spin(const Mat3& inertia, const Vec3& spin, double h) {
  Vec3 next = spin;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Vec3 mean = 0.5 * (spin + next);
    const Vec3 momentum = inertia * mean;
    const Vec3 residual = inertia * (next - spin) + h * mean.cross(momentum);
    const Mat3 slope = inertia + 0.5 * h * (skew(mean) * inertia - skew(momentum));
    const Vec3 change = solve_three(slope, residual);
    next -= change;
    if (change.norm() <= 1e-15 * next.norm()) break;
  }
  return next;
}

}  // namespace

FreeMotion::FreeMotion(const Model& model) : scaling_(model), scratch_(model) {
  const int n = model.velocity_count();
  for (VectorX* vector :
       {&damping_, &stiffness_, &augmentation_, &velocity_, &spin_, &gravity_, &spring_, &bias_, &mean_, &last_}) {
    vector->setZero(n);
  }
  articulated_ = std::ranges::any_of(model.constraints(), [](const Constraint& c) { return restricts_motion(c.kind); });
  std::vector<char> has_child(model.body_count(), 0);
  for (const Joint& joint : model.joints()) {
    damping_.segment(joint.v_index, joint.damping.size()) = joint.damping;
    stiffness_.segment(joint.v_index, joint.stiffness.size()) = joint.stiffness;
    if (joint.parent >= 0) has_child[joint.parent] = 1;
  }
  for (int body = 0; body < model.body_count(); ++body) {
    const Joint& joint = model.joints()[body];
    const bool turns = joint.type == JointType::free || joint.type == JointType::spherical;
    if (joint.parent >= 0 || has_child[body] || !turns) {
      articulated_ = articulated_ || velocity_size(joint) > 0;
      continue;
    }
    const SpatialInertia inertia = model.bodies()[body].inertia.in(joint.X_BM.inverse());
    const Mat3 c = skew(inertia.center);
    if (joint.type == JointType::free) {
      single_bodies_.push_back({body, inertia.central, inertia.center});
    } else {
      const Mat3 reflected = joint.reflected_inertia[0] * Mat3::Identity();
      single_bodies_.push_back({body, inertia.central + inertia.mass * c * c.transpose() + reflected, Vec3::Zero()});
    }
  }
}

const VectorX& FreeMotion::augmentation(double h) {
  augmentation_ = h * damping_ + h * h * stiffness_;
  return augmentation_;
}

void FreeMotion::spin_single_bodies(const Model& model, const Linearisation& at, const VectorX& q_start,
                                    const VectorX& v_start, double h) {
  spin_.setZero();
  for (const SingleBody& single : single_bodies_) {
    const Joint& joint = model.joints()[single.body];
    const Vec3 before = v_start.segment<3>(joint.v_index);
    const Vec3 after = torque_free_spin(single.inertia, before, h);
    spin_.segment<3>(joint.v_index) = after - before;
    // The centre of mass keeps its velocity: v_o = v_c − ω × c.
    if (joint.type == JointType::free) {
      spin_.segment<3>(joint.v_index + 3) = single.center.cross(Vec3(spin_.segment<3>(joint.v_index)));
    }
  }
  transport_velocity(model, q_start, at.q, spin_, spin_);
}

/// Velocity after the Coriolis and centrifugal terms of articulated trees at the mean velocity. The energy that the
/// step's order put in is then taken out. In the coordinates at at.q, spin of single bodies included.
void FreeMotion::turn_trees(const Model& model, const Linearisation& at, const VectorX& q_start, const VectorX& v_start,
                            double h, DynamicsWorkspace& workspace, MassOperator& mass) {
  const auto turned = [&] {
    momentum_bias(model, mean_, workspace, bias_);
    for (const SingleBody& single : single_bodies_) {
      const Joint& joint = model.joints()[single.body];
      bias_.segment(joint.v_index, velocity_size(joint)).setZero();
    }
    velocity_ = -h * bias_;
    mass.solve(model, velocity_, workspace, velocity_);
    velocity_ += at.start + spin_;
  };
  mean_ = at.start;
  turned();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    last_ = velocity_;
    mean_ = 0.5 * (at.start + velocity_);
    forward_velocity(model, at.q, mean_, workspace);
    turned();
    const double change = (velocity_ - last_).cwiseAbs().maxCoeff(), size = velocity_.cwiseAbs().maxCoeff();
    if (change <= 1e-14 * size) break;
    if (change > previous) {
      if (previous <= 1e-10 * size) break;  // as near as round-off lets it come
      // Spins too fast for this step: no fixed point within reach.
      mean_ = at.start;
      forward_velocity(model, at.q, mean_, workspace);
      turned();
      break;
    }
    previous = change;
  }
  transport_velocity(model, at.q, q_start, velocity_, velocity_);
  scaling_.apply(model, q_start, v_start, h, scratch_, velocity_);
  transport_velocity(model, q_start, at.q, velocity_, velocity_);
  spin_ = velocity_ - at.start;
  forward_velocity(model, at.q, velocity_, workspace);
  scaling_.note_turned(model, workspace);
}

void FreeMotion::settle(const Model& model, const Method& method, const Linearisation& at, const VectorX& v_plus,
                        const Impacts& impacts, DynamicsWorkspace& workspace, const VectorX& q_end,
                        DynamicsWorkspace& workspace_end, VectorX& v_end) {
  if (!articulated_ || method.gyroscopic != GyroscopicTerms::implicit) return;
  forward_velocity(model, at.q, v_plus, workspace);
  scaling_.note_solved(model, workspace);
  for (int body = 0; body < model.body_count(); ++body) scaling_.give_back(body, -impacts.turning_work[body]);
  forward_velocity(model, q_end, v_end, workspace_end);
  scaling_.settle(model, impacts.struck, method.stepper->joins_constraints, workspace_end, v_end);
}

const VectorX& FreeMotion::solve(const Model& model, const Method& method, const Linearisation& at,
                                 const VectorX& q_start, const VectorX& v_start, DynamicsWorkspace& workspace,
                                 MassOperator& mass) {
  const double h = method.step;
  gravity_force(model, workspace, gravity_);
  spring_force(model, at.q, spring_);
  if (method.gyroscopic == GyroscopicTerms::implicit) {
    spin_single_bodies(model, at, q_start, v_start, h);
    if (articulated_) turn_trees(model, at, q_start, v_start, h, workspace, mass);
    bias_.setZero();
  } else {
    spin_.setZero();
    momentum_bias(model, at.start, workspace, bias_);
  }
  velocity_ = h * (gravity_ + at.applied + spring_ - bias_ - damping_.cwiseProduct(at.start + spin_) -
                   h * stiffness_.cwiseProduct(at.start + spin_ - at.reach));
  mass.solve(model, velocity_, workspace, velocity_);
  velocity_ += at.start + spin_;
  return velocity_;
}

}  // namespace carom
