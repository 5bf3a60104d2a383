#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "benchmarks/contact_peer.h"

namespace carom::bench {
namespace {

btVector3 to_bullet(const Vec3& v) { return btVector3(v.x(), v.y(), v.z()); }

class BulletScene : public ContactPeer {
 public:
  explicit BulletScene(const ContactScene& scene)
      : step_(scene.step),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(btVector3(0, 0, -scene.gravity));
    world_.getSolverInfo().m_numIterations = 50;
    for (const Transform& plane : scene.planes) {
      const Vec3 normal = plane.R.col(2);
      add(std::make_unique<btStaticPlaneShape>(to_bullet(normal), normal.dot(plane.p)), 0, btTransform::getIdentity(),
          scene);
    }
    first_ = bodies_.size();
    for (const ContactBody& body : scene.bodies) {
      const Quaternion& turn = body.orientation;
      const btTransform pose(btQuaternion(turn.x(), turn.y(), turn.z(), turn.w()), to_bullet(body.position));
      add(make_shape(body.shape), body.mass, pose, scene);
    }
  }
  ~BulletScene() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(step_, 0); }

  Transform pose(int i) const override {
    const btTransform& pose = bodies_[first_ + static_cast<std::size_t>(i)]->getWorldTransform();
    Transform X;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) X.R(row, column) = pose.getBasis()[row][column];
      X.p[row] = pose.getOrigin()[row];
    }
    return X;
  }

 private:
  static std::unique_ptr<btCollisionShape> make_shape(const Shape& shape) {
    if (const auto* ball = std::get_if<Sphere>(&shape)) return std::make_unique<btSphereShape>(ball->radius);
    return std::make_unique<btBoxShape>(to_bullet(std::get<Box>(shape).half_extents));
  }

  void add(std::unique_ptr<btCollisionShape> shape, double mass, const btTransform& pose, const ContactScene& scene) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = pose;
    info.m_friction = std::sqrt(scene.friction);  // a contact has the product of its two
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
    shapes_.push_back(std::move(shape));
  }

  double step_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::size_t first_ = 0;  // of the bodies that move
};

}  // namespace

std::unique_ptr<ContactPeer> make_bullet(const ContactScene& scene) { return std::make_unique<BulletScene>(scene); }

}  // namespace carom::bench
