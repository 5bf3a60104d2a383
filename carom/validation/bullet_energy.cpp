// Figure 2 of paper PROP asks what Bullet does to three spheres.
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "carom/validation/seghete2014_examples.h"

namespace carom::seghete2014 {

double bullet_energy_ratio(double speed, double restitution, double rate) {
  constexpr double radius = 0.05, gap = 0.05;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, 0));
  btSphereShape sphere(radius);
  btVector3 inertia(0, 0, 0);
  sphere.calculateLocalInertia(1, inertia);
  std::vector<std::unique_ptr<btRigidBody>> balls;
  for (const double x : {-gap - 2 * radius, 0.0, 2 * radius}) {
    btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &sphere, inertia);
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(btVector3(x, 0, 0));
    info.m_restitution = restitution;
    info.m_friction = 0;
    balls.push_back(std::make_unique<btRigidBody>(info));
    balls.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(balls.back().get());
  }
  balls.front()->setLinearVelocity(btVector3(speed, 0, 0));
  const int steps = static_cast<int>((gap / speed + 0.2) * rate) + 20;
  for (int i = 0; i < steps; ++i) world.stepSimulation(1 / rate, 0);
  double energy = 0;
  for (const auto& ball : balls) {
    energy += ball->getLinearVelocity().length2();
    world.removeRigidBody(ball.get());
  }
  return energy / (speed * speed);
}

}  // namespace carom::seghete2014
