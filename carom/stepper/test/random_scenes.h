#pragma once

#include <random>

#include "carom/contact/contact_finder.h"
#include "carom/error.h"
#include "mechanisms.h"

namespace carom::test {

/// Lays a floor under everything, and lets shapes that overlap at the start pass through one another.
inline void clear_overlaps(SceneMaker& scene) {
  const auto bare = scene.model();
  DynamicsWorkspace workspace(*bare);
  forward_kinematics(*bare, scene.q, workspace);
  double lowest = 0;
  for (const Collider& collider : bare->colliders()) {
    const Transform X_WS = workspace.X_WB[collider.body] * collider.X_BS;
    lowest = std::min(lowest, bounds(collider.shape, X_WS, 0).lower.z());
  }
  // Bodies of the model are numbered as the builder numbered them: parents came first.
  ContactFinder finder(*bare);
  for (const Contact& contact : finder.find(*bare, scene.q, workspace.X_WB, 0)) {
    if (!contact.id.is_limit()) scene.builder.exclude(contact.body_a, contact.body_b);
  }
  Transform floor;
  floor.p.z() = lowest - 0.01;
  scene.add_static(HalfSpace{}, floor);
}

/// Draws by a seed, the same on every platform.
struct Draw {
  std::mt19937 random;

  double uniform(double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(random() >> 5) / static_cast<double>(1u << 27);
  }
  // In braces, because arguments in parentheses are evaluated in an order that compilers choose.
  Vec3 vector(double size) { return Vec3{uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Quaternion rotation() { return exponential(vector(3)); }
  Shape shape() {
    switch (random() % 3) {
      case 0:
        return Sphere{uniform(0.03, 0.15)};
      case 1:
        return Box{Vec3{uniform(0.03, 0.15), uniform(0.03, 0.15), uniform(0.03, 0.15)}};
      default:
        return Capsule{uniform(0.02, 0.08), uniform(0, 0.2)};
    }
  }
  Joint joint(int parent) {
    constexpr auto types = static_cast<unsigned>(std::size(joint_types));
    Joint joint;
    do {
      joint.type = joint_types[random() % types];
    } while (joint.type == JointType::free);
    joint.parent = parent;
    if (joint.type == JointType::screw) joint.pitch = uniform(0.01, 0.3);
    if (joint.type == JointType::twists) {
      joint.twists.setZero(6, 1 + static_cast<int>(random() % 6));
      for (double& entry : joint.twists.reshaped()) entry = uniform(-1, 1);
    }
    joint.X_PF = {rotation().toRotationMatrix(), vector(0.2)};
    joint.X_BM = {rotation().toRotationMatrix(), vector(0.2)};
    const int n = velocity_size(joint);
    if (random() % 2 == 0) joint.damping = VectorX::Constant(n, uniform(0, 2));
    const bool scalar = has_scalar_coordinates(joint.type);
    if (scalar && random() % 2 == 0) {
      joint.lower = VectorX::Constant(n, -uniform(0.05, 0.5));
      joint.upper = VectorX::Constant(n, uniform(0.05, 0.5));
    }
    if (scalar && random() % 2 == 0) joint.stiffness = VectorX::Constant(n, uniform(0, 500));
    if (scalar && random() % 2 == 0) joint.rest = VectorX::Constant(n, uniform(-0.2, 0.2));
    if (scalar && random() % 4 == 0) joint.reflected_inertia = VectorX::Constant(n, uniform(0, 1));
    return joint;
  }
};

/// Dry friction, ratchets, and servos for some coordinates of a joint.
inline void drive(SceneMaker& scene, int body, Joint& joint, Draw& draw) {
  if (!has_scalar_coordinates(joint.type)) return;
  const int n = velocity_size(joint);
  if (draw.random() % 2 == 0) joint.friction = VectorX::Constant(n, draw.uniform(0, 5));
  if (draw.random() % 4 == 0) joint.ratchet.assign(n, draw.random() % 2 == 0 ? Ratchet::forward : Ratchet::backward);
  for (int k = 0; k < n; ++k) {
    if (draw.random() % 3 != 0) continue;
    Drive servo{"servo" + std::to_string(body), DriveKind::servo, body, k, {}};
    servo.value.sinusoids = {{draw.uniform(0, 1), draw.uniform(0, 3), draw.uniform(0, 6)}};
    servo.stiffness = std::pow(10, draw.uniform(0, 6));
    servo.damping = std::pow(10, draw.uniform(-1, 3));
    if (draw.random() % 2 == 0) servo.limit = draw.uniform(0.5, 20);
    scene.builder.add_drive(servo);
  }
}

/// A rope from the body to the world that is slack at the start, and a wind.
inline void tether(SceneMaker& scene, int body, const Vec3& position, Draw& draw) {
  if (draw.random() % 3 == 0) {
    Constraint rope;
    rope.name = "rope" + std::to_string(body);
    rope.kind = ConstraintKind::rope;
    rope.body_a = body;
    rope.X_BG.p = position + draw.vector(0.2);
    rope.length = (rope.X_BG.p - position).norm() + draw.uniform(0.05, 0.3);
    scene.builder.add_constraint(rope);
  }
  if (draw.random() % 3 == 0) {
    AppliedWrench wind;
    wind.body = body;
    wind.point = draw.vector(0.1);
    wind.force = draw.vector(10);
    wind.turns_with_body = draw.random() % 2 == 0;
    wind.scale.sinusoids = {{1, draw.uniform(0, 5), 0}};
    scene.builder.add_wrench(wind);
  }
}

/// A spring from the body to an earlier one or to the world, of one side or both, which starts stretched or slack.
/// There is none where they are welded together.
inline void string_up(SceneMaker& scene, int body, Draw& draw) {
  if (draw.random() % 3 != 0) return;
  Constraint spring;
  spring.name = "spring" + std::to_string(body);
  spring.kind = ConstraintKind::spring;
  spring.body_a = body;
  spring.body_b = static_cast<int>(draw.random() % static_cast<unsigned>(body + 1)) - 1;
  spring.X_AF.p = draw.vector(0.1);
  spring.X_BG.p = draw.vector(spring.body_b < 0 ? 1 : 0.1);
  spring.length = draw.uniform(0.1, 0.8);
  spring.stiffness = std::pow(10, draw.uniform(0, 3.5));
  const unsigned side = draw.random() % 4;
  spring.side = side == 0 ? SpringSide::pull : side == 1 ? SpringSide::push : SpringSide::both;
  if (side > 1) spring.damping = std::pow(10, draw.uniform(-2, 2));
  const ModelBuilder before = scene.builder;
  scene.builder.add_constraint(spring);
  try {
    (void)scene.builder.build();
  } catch (const Error&) {
    scene.builder = before;
  }
}

/// Gives the body added last a joint instead of its freedom.
inline void hang(SceneMaker& scene, int body, const Joint& joint, Draw& draw) {
  const int n = velocity_size(joint);
  // The free coordinates that `add` appended give way to the joint's.
  scene.q.conservativeResize(scene.q.size() - 7 + position_size(joint));
  scene.v.conservativeResize(scene.v.size() - 6 + n);
  if (n > 0) {
    scene.q.tail(position_size(joint)).setZero();
    if (joint.type == JointType::spherical) scene.q[scene.q.size() - 4] = 1;
    for (int k = 0; k < n; ++k) scene.v[scene.v.size() - n + k] = draw.uniform(-3, 3);
  }
  scene.builder.add_joint(body, joint);
}

/// A scene of 1 to 20 bodies drawn by a seed, thrown onto a floor and one another. It has free boxes, balls and
/// capsules, chains of all joint types, limits, dampers and springs. Boxes do not meet boxes. `driven`: with servos,
/// dry friction, ratchets if they are wanted, ropes, springs between points and wind besides.
inline SceneMaker random_scene(unsigned seed, double restitution = 0, bool driven = false, bool ratchets = true) {
  Draw draw{std::mt19937(seed)}, of_drives{std::mt19937(seed + 10000)}, of_springs{std::mt19937(seed + 20000)};
  const auto uniform = [&](double lower, double upper) { return draw.uniform(lower, upper); };
  const double friction = draw.random() % 5 == 0 ? 0 : uniform(0.05, 1);
  SceneMaker scene(friction, restitution, Vec3{uniform(-1, 1), uniform(-1, 1), -9.81});
  const int count = 1 + static_cast<int>(draw.random() % 20);
  std::vector<int> boxes;
  int parent = -1;
  for (int i = 0; i < count; ++i) {
    const Shape form = draw.shape();
    const double mass = std::pow(10, uniform(-1, 1));
    const bool hangs = parent >= 0 && draw.random() % 3 == 0;
    const Vec3 position{uniform(-0.6, 0.6), uniform(-0.6, 0.6), uniform(0.3, 1.5)};
    const Vec3 velocity = draw.vector(2);
    const Quaternion orientation = draw.rotation();
    const int body = scene.add(form, mass, position, velocity, orientation, draw.vector(5));
    if (std::holds_alternative<Box>(form)) {
      for (const int other : boxes) scene.builder.exclude(body, other);
      boxes.push_back(body);
    }
    if (hangs) {
      Joint joint = draw.joint(parent);
      joint.name = "joint" + std::to_string(i);
      if (driven) drive(scene, body, joint, of_drives);
      if (!ratchets) joint.ratchet.clear();
      hang(scene, body, joint, draw);
    } else if (driven) {
      tether(scene, body, position, of_drives);
    }
    if (driven) string_up(scene, body, of_springs);
    if (!hangs || draw.random() % 2 == 0) parent = body;
  }
  clear_overlaps(scene);
  return scene;
}

}  // namespace carom::test
