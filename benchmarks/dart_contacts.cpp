#include <dart/collision/dart/DARTCollisionDetector.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/BoxShape.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/SphereShape.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <dart/simulation/World.hpp>

#include "benchmarks/contact_peer.h"

namespace carom::bench {
namespace {

using dart::dynamics::BodyNode;

class DartScene : public ContactPeer {
 public:
  explicit DartScene(const ContactScene& scene) : world_(dart::simulation::World::create(scene.name)) {
    world_->setGravity(Vec3(0, 0, -scene.gravity));
    world_->setTimeStep(scene.step);
    world_->getConstraintSolver()->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    constexpr double size = 20;
    for (const Transform& plane : scene.planes) {
      const Vec3 center = plane.p - 0.5 * size * plane.R.col(2);
      const Transform pose{plane.R, center};
      add<dart::dynamics::WeldJoint>(Box{Vec3::Constant(0.5 * size)}, 1, pose, scene.friction);
    }
    for (const ContactBody& body : scene.bodies) {
      const Transform pose{body.orientation.toRotationMatrix(), body.position};
      bodies_.push_back(add<dart::dynamics::FreeJoint>(body.shape, body.mass, pose, scene.friction));
    }
  }

  void step() override { world_->step(); }

  Transform pose(int i) const override {
    const Eigen::Isometry3d& pose = bodies_[static_cast<std::size_t>(i)]->getWorldTransform();
    return {pose.linear(), pose.translation()};
  }

 private:
  static dart::dynamics::ShapePtr make_shape(const Shape& shape) {
    if (const auto* ball = std::get_if<Sphere>(&shape)) {
      return std::make_shared<dart::dynamics::SphereShape>(ball->radius);
    }
    return std::make_shared<dart::dynamics::BoxShape>(2 * std::get<Box>(shape).half_extents);
  }

  /// The joint carries the start, so that a body's own coordinates begin at zero.
  template <typename Joint>
  BodyNode* add(const Shape& shape, double mass, const Transform& pose, double friction) {
    const auto skeleton = dart::dynamics::Skeleton::create("body" + std::to_string(world_->getNumSkeletons()));
    typename Joint::Properties joint;
    joint.mT_ParentBodyToJoint.linear() = pose.R;
    joint.mT_ParentBodyToJoint.translation() = pose.p;
    BodyNode* body = skeleton->createJointAndBodyNodePair<Joint>(nullptr, joint).second;
    const dart::dynamics::ShapePtr form = make_shape(shape);
    auto* node = body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(form);
    node->getDynamicsAspect()->setFrictionCoeff(friction);
    body->setInertia(dart::dynamics::Inertia(mass, Vec3::Zero(), form->computeInertia(mass)));
    if (body->getParentJoint()->getNumDofs() == 0) skeleton->setMobile(false);
    world_->addSkeleton(skeleton);
    return body;
  }

  dart::simulation::WorldPtr world_;
  std::vector<BodyNode*> bodies_;
};

}  // namespace

std::unique_ptr<ContactPeer> make_dart(const ContactScene& scene) { return std::make_unique<DartScene>(scene); }

}  // namespace carom::bench
