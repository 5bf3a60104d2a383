#include "carom/stepper/free_motion.h"

#include <algorithm>
#include <limits>

#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/multiply_mass.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/free_spin.h"

namespace carom {
FreeMotion::FreeMotion(const Model& model) : scaling_(model), scratch_(model) {
  const int n = model.velocity_count();
  for (VectorX* vector : {&damping_, &stiffness_, &augmentation_, &kick_, &from_, &velocity_, &spin_, &force_,
                          &scratch_vector_, &bias_, &mean_, &last_}) {
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

const VectorX& FreeMotion::augmentation(double h, const SmoothWeights* weights) {
  if (weights == nullptr) {
    augmentation_ = h * damping_ + h * h * stiffness_;
  } else {
    const auto phi = weights->of_joints().array();
    augmentation_ = h * phi * damping_.array() + h * h * phi.square() * stiffness_.array();
  }
  return augmentation_;
}

double FreeMotion::damping_loss(const Linearisation& at, const VectorX& v_plus, double h) {
  if (at.weights == nullptr) return h * damping_.dot(v_plus.cwiseAbs2());
  mean_ = at.start + at.weights->of_joints().cwiseProduct(v_plus - at.start);
  return h * damping_.dot(mean_.cwiseAbs2());
}

void FreeMotion::spin_single_bodies(const Model& model, const Linearisation& at, const Start& start) {
  spin_.setZero();
  for (const SingleBody& single : single_bodies_) {
    const Joint& joint = model.joints()[single.body];
    const Vec3 before = from_.segment<3>(joint.v_index);
    Vec3 after = torque_free_spin(single.inertia, before, start.h);
    const double theta = start.end_weight.empty() ? 1 : start.end_weight[static_cast<std::size_t>(single.body)];
    if (theta < 1) after = carried_spin(before, after, start.h, theta);
    spin_.segment<3>(joint.v_index) = after - before;
    // The centre of mass keeps its velocity: v_o = v_c − ω × c.
    if (joint.type == JointType::free) {
      spin_.segment<3>(joint.v_index + 3) = single.center.cross(Vec3(spin_.segment<3>(joint.v_index)));
    }
  }
  transport_velocity(model, start.q, at.q, spin_, spin_);
}

/// Velocity after the Coriolis and centrifugal terms of articulated trees at the mean velocity. The energy that the
/// step's order put in is then taken out. In the coordinates at at.q, spin of single bodies included.
void FreeMotion::turn_trees(const Model& model, const Linearisation& at, const Start& start,
                            DynamicsWorkspace& workspace, MassOperator& mass) {
  // To second order a turn without forces knows nothing of dampers and springs, which `mass` has in it.
  const bool apart = at.weights != nullptr && !augmentation_.isZero(0);
  if (apart) {
    forward_kinematics(model, at.q, scratch_);
    factor_mass(model, last_.setZero(), scratch_);
  }
  const auto turned = [&] {
    momentum_bias(model, mean_, workspace, bias_);
    for (const SingleBody& single : single_bodies_) {
      const Joint& joint = model.joints()[single.body];
      bias_.segment(joint.v_index, velocity_size(joint)).setZero();
    }
    velocity_ = -start.h * bias_;
    if (apart) {
      solve_mass(model, velocity_, scratch_, velocity_);
    } else {
      mass.solve(model, velocity_, workspace, velocity_);
    }
    velocity_ += at.start + kick_ + spin_;
  };
  mean_ = at.start + kick_;
  if (at.weights != nullptr) forward_velocity(model, at.q, mean_, workspace);
  turned();
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 30; ++iteration) {
    last_ = velocity_;
    mean_ = 0.5 * (at.start + kick_ + velocity_);
    forward_velocity(model, at.q, mean_, workspace);
    turned();
    const double change = (velocity_ - last_).cwiseAbs().maxCoeff(), size = velocity_.cwiseAbs().maxCoeff();
    if (change <= 1e-14 * size) break;
    if (change > previous) {
      if (previous <= 1e-10 * size) break;  // as near as round-off lets it come
      // Spins too fast for this step: no fixed point within reach.
      mean_ = at.start + kick_;
      forward_velocity(model, at.q, mean_, workspace);
      turned();
      break;
    }
    previous = change;
  }
  transport_velocity(model, at.q, start.q, velocity_, velocity_);
  const VectorX& before = at.weights != nullptr ? from_ : start.v;
  scaling_.apply(model, {start.q, start.v, before, start.h, start.end_weight}, scratch_, velocity_);
  transport_velocity(model, start.q, at.q, velocity_, velocity_);
  spin_ = velocity_ - at.start - kick_;
  if (at.weights != nullptr) velocity_ -= kick_;
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
  if (at.weights != nullptr) {
    // The kick acted before the turn: on v, not on v + s.
    multiply_mass(model, spin_, workspace, scratch_vector_);
    for (int body = 0; body < model.body_count(); ++body) {
      const Joint& joint = model.joints()[body];
      const int first = joint.v_index, n = velocity_size(joint);
      scaling_.give_back(body, -kick_.segment(first, n).dot(scratch_vector_.segment(first, n)));
    }
  }
  forward_velocity(model, q_end, v_end, workspace_end);
  scaling_.settle(model, impacts.struck, impacts.end_weight, at.lead < 1, workspace_end, v_end);
}

/// h times the forces on a motion that begins with at.start + spin_, into force_.
void FreeMotion::add_forces(const Model& model, const Linearisation& at, double h, DynamicsWorkspace& workspace) {
  gravity_force(model, workspace, force_);
  spring_force(model, at.q, scratch_vector_);
  if (at.weights == nullptr) {
    force_ = h * (force_ + at.applied + scratch_vector_ - bias_ - damping_.cwiseProduct(at.start + spin_) -
                  h * stiffness_.cwiseProduct(at.start + spin_ - at.reach));
    return;
  }
  const auto phi = at.weights->of_joints().array();
  const auto start = at.start.array();
  const auto spin = spin_.array();
  force_ += at.applied + scratch_vector_;
  force_.array() -= damping_.array() * (start + phi * spin) +
                    h * stiffness_.array() * (phi * start + phi.square() * spin - at.reach.array());
  force_ *= h;
}

void FreeMotion::kick_freely(const Model& model, const Linearisation& at, double h, DynamicsWorkspace& workspace,
                             MassOperator& mass) {
  spin_.setZero();
  kick_.setZero();
  if (at.weights == nullptr) return;
  add_forces(model, at, h, workspace);
  mass.solve(model, force_, workspace, kick_);
  kick_ *= 0.5;
}

bool FreeMotion::kick_fits(const Model& model, const Linearisation& at, const VectorX& v_plus) const {
  return std::ranges::all_of(single_bodies_, [&](const SingleBody& single) {
    const int i = model.joints()[single.body].v_index;
    const auto spin_of = [i](const VectorX& v) { return Vec3(v.segment<3>(i)); };
    const Vec3 turned = spin_of(at.start) + spin_of(spin_);
    const double most = (spin_of(v_plus) - turned).norm() + (spin_of(velocity_) - turned).norm();
    const double round_off = 1e-12 * (spin_of(at.start).norm() + spin_of(v_plus).norm());
    return spin_of(kick_).norm() <= most + round_off;
  });
}

const VectorX& FreeMotion::solve(const Model& model, const Method& method, const Linearisation& at,
                                 const VectorX& q_start, const VectorX& v_start, const std::vector<double>& end_weight,
                                 DynamicsWorkspace& workspace, MassOperator& mass) {
  const double h = method.step;
  if (method.gyroscopic == GyroscopicTerms::implicit) {
    from_ = v_start;
    if (at.weights != nullptr) {
      transport_velocity(model, at.q, q_start, kick_, scratch_vector_);
      from_ += scratch_vector_;
    }
    const Start start{q_start, v_start, end_weight, h};
    spin_single_bodies(model, at, start);
    if (articulated_) turn_trees(model, at, start, workspace, mass);
    bias_.setZero();
  } else {
    spin_.setZero();
    momentum_bias(model, at.start, workspace, bias_);
  }
  add_forces(model, at, h, workspace);
  mass.solve(model, force_, workspace, velocity_);
  velocity_ += at.start + spin_;
  return velocity_;
}

}  // namespace carom
