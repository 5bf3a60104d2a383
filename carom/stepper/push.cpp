#include "carom/stepper/push.h"

#include <algorithm>
#include <string>

#include "carom/counted.h"
#include "carom/dynamics/frame_jacobian.h"
#include "carom/dynamics/recursions.h"
#include "carom/error.h"

namespace carom {
namespace {

void check_number(const Model& model, const char* what, int number) {
  if (number >= 0 && number < model.body_count()) return;
  throw Error("there is no " + std::string(what) + " " + std::to_string(number) + " to push; the model has " + what +
              " 0 to " + std::to_string(model.body_count() - 1));
}

void check_seconds(double seconds) {
  if (seconds > 0) return;
  throw Error("a push must last for a time above 0 s, not " + std::to_string(seconds) + " s");
}

std::string joint_words(const Model& model, int number) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(number)];
  if (!joint.name.empty()) return "joint '" + joint.name + "'";
  return "the joint of body '" + model.bodies()[static_cast<std::size_t>(number)].name + "'";
}

/// The part of a step that something covers.
double share(double begin, double end, double from, double until) {
  const double covered = std::min(end, until) - std::max(begin, from);
  return until > from ? std::max(0.0, covered) / (until - from) : 0;
}

}  // namespace

void Pushes::add(const Model& model, double now, const BodyPush& push) {
  check_number(model, "body", push.body);
  check_seconds(push.seconds);
  const std::string& name = model.bodies()[static_cast<std::size_t>(push.body)].name;
  if (model.is_static(push.body)) throw Error("body '" + name + "' is fixed to the world; a push would do nothing");
  if (!push.force.allFinite() || !push.torque.allFinite() || !push.point.allFinite()) {
    throw Error("the push on body '" + name + "' has a number that is not finite");
  }
  bodies_.push_back({push, now, now + push.seconds});
}

void Pushes::add(const Model& model, double now, const JointPush& push) {
  check_number(model, "joint", push.joint);
  check_seconds(push.seconds);
  const Joint& joint = model.joints()[static_cast<std::size_t>(push.joint)];
  const int size = velocity_size(joint);
  if (size == 0) throw Error(joint_words(model, push.joint) + " is fixed; a push would do nothing");
  if (push.force.size() != size || !push.force.allFinite()) {
    throw Error("the push on " + joint_words(model, push.joint) + " has " +
                counted(push.force.size(), "number", "numbers") + "; it must have " + std::to_string(size) +
                ", all of them finite");
  }
  joints_.push_back({push, now, now + push.seconds});
}

void Pushes::add_force(const Model& model, const State& state, double until, VectorX& force) {
  for (const auto& [push, begin, end] : joints_) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(push.joint)];
    force.segment(joint.v_index, push.force.size()) += share(begin, end, state.time, until) * push.force;
  }
  if (bodies_.empty()) return;
  forward_kinematics(model, state.q, workspace_);
  jacobian_.resize(6, model.velocity_count());
  of_bodies_.setZero();
  for (const auto& [push, begin, end] : bodies_) {
    const Vec3 point = workspace_.X_WB[static_cast<std::size_t>(push.body)] * push.point;
    frame_jacobian(model, push.body, point, workspace_, jacobian_);
    Vec6 wrench;
    wrench << push.torque, push.force;
    of_bodies_.noalias() += jacobian_.transpose() * (share(begin, end, state.time, until) * wrench);
  }
  force += of_bodies_;
}

void Pushes::add_to(double begin_of_step, StepReport& report) const {
  report.pushes.clear();
  if (bodies_.empty()) return;
  const double h = report.time - begin_of_step;
  for (const auto& [push, begin, end] : bodies_) {
    const double seconds = h * share(begin, end, begin_of_step, report.time);
    report.pushes.push_back({push.body, push.point, seconds * push.torque, seconds * push.force});
  }
  if (report.loads.size() != loads_.size()) return;
  for (Eigen::Index i = 0; i < of_bodies_.size(); ++i) {
    loads_.add_torque(TorqueSource::controller, static_cast<int>(i), -h * of_bodies_[i], report.loads);
  }
}

void Pushes::forget(double now) {
  const auto is_over = [now](const auto& timed) { return timed.end <= now; };
  std::erase_if(bodies_, is_over);
  std::erase_if(joints_, is_over);
}

}  // namespace carom
