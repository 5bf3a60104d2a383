#include "carom/record/world_motion.h"

#include "carom/dynamics/centroidal.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

void resize(WorldMotion::Places& places, Eigen::Index count) {
  places.position.resize(3 * count);
  places.orientation.resize(4 * count);
  places.velocity.resize(3 * count);
  places.angular_velocity.resize(3 * count);
}

/// The motion of a frame fixed at X_BF on a body that is at X_WB and has the spatial velocity V in its own axes.
void place(const Transform& X_WB, const Vec6& V, const Transform& X_BF, Eigen::Index i, WorldMotion::Places& places) {
  const Vec3 omega = V.head<3>(), velocity = V.tail<3>();
  Quaternion orientation(X_WB.R * X_BF.R);
  if (orientation.w() < 0) orientation.coeffs() *= -1;
  places.position.segment<3>(3 * i) = X_WB.p + X_WB.R * X_BF.p;
  places.orientation.segment<4>(4 * i) << orientation.w(), orientation.x(), orientation.y(), orientation.z();
  places.velocity.segment<3>(3 * i) = X_WB.R * (velocity + omega.cross(X_BF.p));
  places.angular_velocity.segment<3>(3 * i) = X_WB.R * omega;
}

}  // namespace

std::vector<int> tree_roots(const Model& model) {
  std::vector<int> roots;
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.root(body) == body) roots.push_back(body);
  }
  return roots;
}

WorldObserver::WorldObserver(const Model& model) : model_(model), roots_(tree_roots(model)), workspace_(model) {
  resize(motion_.bodies, model.body_count());
  resize(motion_.frames, static_cast<Eigen::Index>(model.frames().size()));
  const auto trees = static_cast<Eigen::Index>(roots_.size());
  for (VectorX* row :
       {&motion_.mass_centre, &motion_.mass_centre_velocity, &motion_.momentum, &motion_.angular_momentum}) {
    row->resize(3 * trees);
  }
}

const WorldMotion& WorldObserver::observe(const State& state) {
  forward_kinematics(model_, state.q, workspace_);
  forward_velocity(model_, state.q, state.v, workspace_);
  const Transform identity;
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto b = static_cast<std::size_t>(body);
    place(workspace_.X_WB[b], workspace_.V[b], identity, body, motion_.bodies);
  }
  for (std::size_t i = 0; i < model_.frames().size(); ++i) {
    const NamedFrame& frame = model_.frames()[i];
    const auto row = static_cast<Eigen::Index>(i);
    if (frame.body < 0) {
      place(identity, Vec6::Zero(), frame.X_BF, row, motion_.frames);
    } else {
      const auto b = static_cast<std::size_t>(frame.body);
      place(workspace_.X_WB[b], workspace_.V[b], frame.X_BF, row, motion_.frames);
    }
  }
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    const CentroidalState whole = centroidal_state(model_, model_.tree(roots_[i]).bodies, workspace_);
    const auto at = static_cast<Eigen::Index>(3 * i);
    motion_.mass_centre.segment<3>(at) = whole.center;
    motion_.mass_centre_velocity.segment<3>(at) = whole.velocity;
    motion_.momentum.segment<3>(at) = whole.linear_momentum;
    motion_.angular_momentum.segment<3>(at) = whole.angular_momentum;
  }
  return motion_;
}

}  // namespace carom
