#include "carom/dynamics/motion_observer.h"

#include <string>

#include "carom/dynamics/recursions.h"
#include "carom/error.h"

namespace carom {
namespace {

[[noreturn]] void no_such(const char* kind, int number, std::size_t count) {
  throw Error("there is no " + std::string(kind) + " " + std::to_string(number) + "; the model has " +
              std::to_string(count));
}

void check_body(const Model& model, int body) {
  if (body < -1 || body >= model.body_count()) no_such("body", body, model.bodies().size());
}

const NamedFrame& frame_of(const Model& model, int frame) {
  const std::vector<NamedFrame>& frames = model.frames();
  if (frame < 0 || static_cast<std::size_t>(frame) >= frames.size()) no_such("frame", frame, frames.size());
  return frames[static_cast<std::size_t>(frame)];
}

}  // namespace

MotionObserver::MotionObserver(const Model& model) : model_(model), workspace_(model) {}

void MotionObserver::observe(const State& state) {
  forward_kinematics(model_, state.q, workspace_);
  forward_velocity(model_, state.q, state.v, workspace_);
  potential_ = carom::potential_energy(model_, state.q, workspace_);
}

Transform MotionObserver::pose(int body) const {
  check_body(model_, body);
  return body < 0 ? Transform::identity() : workspace_.X_WB[static_cast<std::size_t>(body)];
}

FrameVelocity MotionObserver::velocity(int body) const {
  check_body(model_, body);
  if (body < 0) return {};
  const auto b = static_cast<std::size_t>(body);
  const Mat3& R_WB = workspace_.X_WB[b].R;
  return {R_WB * workspace_.V[b].head<3>(), R_WB * workspace_.V[b].tail<3>()};
}

Transform MotionObserver::frame_pose(int frame) const {
  const NamedFrame& place = frame_of(model_, frame);
  return pose(place.body) * place.X_BF;
}

FrameVelocity MotionObserver::frame_velocity(int frame) const {
  const NamedFrame& place = frame_of(model_, frame);
  return {velocity(place.body).angular, point_velocity(place.body, place.X_BF.p)};
}

Vec3 MotionObserver::point_velocity(int body, const Vec3& point_B) const {
  const FrameVelocity V = velocity(body);
  return V.linear + V.angular.cross(pose(body).R * point_B);
}

CentroidalState MotionObserver::tree_of(int body) const {
  if (body < 0) no_such("tree of body", body, model_.bodies().size());
  check_body(model_, body);
  return centroidal_state(model_, model_.tree(body).bodies, workspace_);
}

double MotionObserver::kinetic_energy() const { return carom::kinetic_energy(model_, workspace_); }

}  // namespace carom
