#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/WeldJoint.hpp>

#include "benchmarks/dynamics_peers.h"

namespace carom::bench {
namespace {

Eigen::Isometry3d to_dart(const Transform& X) {
  Eigen::Isometry3d T = Eigen::Isometry3d::Identity();
  T.linear() = X.R;
  T.translation() = X.p;
  return T;
}

/// DART's rates of spherical and free joints are Carom's; their positions are rotation vectors.
class DartPeer : public DynamicsPeer {
 public:
  explicit DartPeer(const Model& model) : model_(model), skeleton_(dart::dynamics::Skeleton::create("model")) {
    skeleton_->setGravity(model.gravity());
    std::vector<dart::dynamics::BodyNode*> bodies;
    for (int i = 0; i < model.body_count(); ++i) {
      const int parent = model.joints()[i].parent;
      bodies.push_back(add_body(i, parent < 0 ? nullptr : bodies[parent]));
    }
    for (const auto* body : bodies) {
      const auto* joint = body->getParentJoint();
      index_.push_back(joint->getNumDofs() > 0 ? static_cast<int>(joint->getIndexInSkeleton(0)) : 0);
    }
  }

  void set_states(const std::vector<DynamicsState>& states) override {
    states_.clear();
    for (const DynamicsState& state : states) {
      DynamicsState to{VectorX(model_.velocity_count()), VectorX(model_.velocity_count()),
                       VectorX(model_.velocity_count())};
      for (int i = 0; i < model_.body_count(); ++i) convert(i, state, to);
      states_.push_back(to);
    }
  }

  void evaluate(int k) override {
    skeleton_->setPositions(states_[k].q);
    skeleton_->setVelocities(states_[k].v);
    skeleton_->setForces(states_[k].tau);
    skeleton_->computeForwardDynamics();
  }

  VectorX acceleration(int) override {
    const VectorX theirs = skeleton_->getAccelerations();
    VectorX vdot(model_.velocity_count());
    for (int i = 0; i < model_.body_count(); ++i) {
      const Joint& joint = model_.joints()[i];
      const int size = velocity_size(joint);
      vdot.segment(joint.v_index, size) = theirs.segment(index_[i], size);
    }
    return vdot;
  }

  void set_points(const std::vector<PeerPoint>& points) override {
    points_ = points;
    A_.resize(3 * static_cast<Eigen::Index>(points.size()), 3 * static_cast<Eigen::Index>(points.size()));
  }

  /// As its constraints do it: the answer of all velocities to a unit impulse, one after the other.
  void evaluate_delassus() override {
    const Eigen::Index rows = A_.rows();
    for (Eigen::Index column = 0; column < rows; ++column) {
      skeleton_->clearConstraintImpulses();
      const PeerPoint& point = points_[column / 3];
      auto* body = skeleton_->getBodyNode(point.body);
      const Vec3 force = body->getWorldTransform().linear().transpose().col(column % 3);
      Vec6 impulse;
      impulse << point.at.cross(force), force;
      skeleton_->updateBiasImpulse(body, impulse);
      skeleton_->updateVelocityChange();
      for (Eigen::Index i = 0; i < rows / 3; ++i) {
        const auto* other = skeleton_->getBodyNode(points_[i].body);
        const Vec6& change = other->getBodyVelocityChange();
        const Vec3 at_point = change.tail<3>() + change.head<3>().cross(points_[i].at);
        A_.block<3, 1>(3 * i, column) = other->getWorldTransform().linear() * at_point;
      }
    }
    skeleton_->clearConstraintImpulses();
  }

  const MatrixX& delassus() const override { return A_; }

 private:
  template <typename Properties>
  Properties frames(const Joint& joint, Properties properties) const {
    properties.mName = "joint" + std::to_string(skeleton_->getNumBodyNodes());
    properties.mT_ParentBodyToJoint = to_dart(joint.X_PF);
    properties.mT_ChildBodyToJoint = to_dart(joint.X_BM);
    return properties;
  }

  dart::dynamics::BodyNode* add_body(int i, dart::dynamics::BodyNode* parent) {
    using namespace dart::dynamics;
    const Joint& joint = model_.joints()[i];
    const SpatialInertia& I = model_.bodies()[i].inertia;
    BodyNode::Properties body(BodyNode::AspectProperties("body" + std::to_string(i)));
    body.mInertia = Inertia(I.mass, I.center, I.central);
    switch (joint.type) {
      case JointType::revolute: {
        RevoluteJoint::Properties properties = frames(joint, RevoluteJoint::Properties());
        properties.mAxis = Vec3::UnitZ();
        return skeleton_->createJointAndBodyNodePair<RevoluteJoint>(parent, properties, body).second;
      }
      case JointType::prismatic: {
        PrismaticJoint::Properties properties = frames(joint, PrismaticJoint::Properties());
        properties.mAxis = Vec3::UnitZ();
        return skeleton_->createJointAndBodyNodePair<PrismaticJoint>(parent, properties, body).second;
      }
      case JointType::spherical:
        return skeleton_->createJointAndBodyNodePair<BallJoint>(parent, frames(joint, BallJoint::Properties()), body)
            .second;
      case JointType::free:
        return skeleton_->createJointAndBodyNodePair<FreeJoint>(parent, frames(joint, FreeJoint::Properties()), body)
            .second;
      default:
        return skeleton_->createJointAndBodyNodePair<WeldJoint>(parent, frames(joint, WeldJoint::Properties()), body)
            .second;
    }
  }

  void convert(int i, const DynamicsState& from, DynamicsState& to) const {
    const Joint& joint = model_.joints()[i];
    const int size = velocity_size(joint);
    to.v.segment(index_[i], size) = from.v.segment(joint.v_index, size);
    to.tau.segment(index_[i], size) = from.tau.segment(joint.v_index, size);
    if (size == 1) to.q[index_[i]] = from.q[joint.q_index];
    if (size < 3) return;
    to.q.segment<3>(index_[i]) = logarithm(quaternion_at(from.q, joint.q_index));
    if (size == 6) to.q.segment<3>(index_[i] + 3) = from.q.segment<3>(joint.q_index + 4);
  }

  const Model& model_;
  dart::dynamics::SkeletonPtr skeleton_;
  std::vector<int> index_;
  std::vector<DynamicsState> states_;
  std::vector<PeerPoint> points_;
  MatrixX A_;
};

}  // namespace

std::unique_ptr<DynamicsPeer> make_dart_peer(const Model& model) {
  if (!has_common_joints(model)) return nullptr;
  return std::make_unique<DartPeer>(model);
}

}  // namespace carom::bench
