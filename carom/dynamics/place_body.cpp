#include "carom/dynamics/place_body.h"

#include <string>

#include "carom/dynamics/motion_observer.h"
#include "carom/error.h"
#include "carom/model/part_numbers.h"

namespace carom {
namespace {

const Joint& free_joint(const Model& model, int body) {
  if (body < 0 || body >= model.body_count()) {
    throw Error("there is no body " + std::to_string(body) + " that could be placed; the model has " +
                std::to_string(model.body_count()));
  }
  const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
  if (joint.type == JointType::free) return joint;
  throw Error("body '" + model.bodies()[static_cast<std::size_t>(body)].name + "' hangs on a joint of type " +
              joint_name(joint.type) +
              " and can't be placed freely; set the joint's coordinates (joint_position, "
              "joint_velocity)");
}

}  // namespace

void set_pose(const Model& model, int body, const Transform& X_WB, State& state) {
  const Joint& joint = free_joint(model, body);
  constexpr double round_off = 1e-9;
  if (!X_WB.p.allFinite() || !X_WB.R.allFinite() ||
      (X_WB.R * X_WB.R.transpose() - Mat3::Identity()).norm() > round_off || X_WB.R.determinant() < 0) {
    throw Error("the pose given for body '" + model.bodies()[static_cast<std::size_t>(body)].name +
                "' is no rigid motion; its matrix must be a rotation, its position finite");
  }
  const Transform X_WP = MotionObserver(model, state).pose(joint.parent);
  const Transform X_FM = (X_WP * joint.X_PF).inverse() * X_WB * joint.X_BM;
  const Quaternion turn = Quaternion(X_FM.R).normalized();
  joint_position(model, body, state) << turn.w(), turn.x(), turn.y(), turn.z(), X_FM.p;
}

void set_velocity(const Model& model, int body, const Vec3& angular, const Vec3& linear, State& state) {
  const Joint& joint = free_joint(model, body);
  const MotionObserver motion(model, state);
  const Transform X_WM = motion.pose(body) * joint.X_BM;
  // The velocity of M's origin in the world, less that of the same point as a part of the parent.
  const FrameVelocity parent = motion.velocity(joint.parent);
  const Vec3 along = linear + angular.cross(X_WM.p - motion.pose(body).p);
  const Vec3 carried = parent.linear + parent.angular.cross(X_WM.p - motion.pose(joint.parent).p);
  joint_velocity(model, body, state) << X_WM.R.transpose() * (angular - parent.angular),
      X_WM.R.transpose() * (along - carried);
}

}  // namespace carom
