#pragma once

#include <cstdint>
#include <random>

#include "carom/impact/test/impacts.h"

/// Seeded random impacts: free bodies that touch one another and the world, faces on several points, joints.
namespace carom::impacts {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  int integer(int low, int high) {
    return low + static_cast<int>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Matrix3d rotation() {
    Eigen::Quaterniond q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    return q.normalized().toRotationMatrix();
  }

 private:
  std::mt19937_64 engine_;
};

struct RandomKind {
  bool friction = true;
  bool one_restitution = false;  ///< the same constant for all contacts
  double mass_ratio = 100;
  double largest_friction = 1;
};

/// An impact of `contacts` contacts on one to four bodies. They come in groups, about half of them single points, the
/// others faces: up to four points with one normal. In one group of eight, and in all without friction, they are
/// unilateral rows, as of joint limits. Every third impact has a joint of one to three rows.
inline Impact random_impact(Random& random, int contacts, const RandomKind& kind = {}) {
  std::vector<Body> bodies(random.integer(1, 4));
  for (Body& body : bodies) {
    body.mass = std::pow(kind.mass_ratio, random.uniform(-0.5, 0.5));
    const double radius = random.uniform(0.2, 0.5);
    const Matrix3d R = random.rotation();
    body.inertia = body.mass * radius * radius * R *
                   Vector3d(random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1)).asDiagonal() *
                   R.transpose();
    body.linear = random.vector(2);
    body.angular = random.vector(3);
  }
  const double e = random.uniform(0, 1), mu = random.uniform(0, kind.largest_friction);
  std::vector<Touch> touches;
  const auto pair = [&](Touch& touch) {
    touch.a = random.integer(0, static_cast<int>(bodies.size()) - 1);
    touch.b = random.integer(-1, static_cast<int>(bodies.size()) - 1);
    if (touch.b == touch.a) touch.b = -1;
  };
  while (std::ssize(touches) < contacts) {
    Touch touch;
    pair(touch);
    touch.frame = random.rotation();
    touch.friction = !kind.friction ? 0 : random.integer(0, 2) == 0 ? mu : random.uniform(0, kind.largest_friction);
    touch.restitution = ConstantRestitution{kind.one_restitution ? e : random.uniform(0, 1)};
    if (!kind.friction || random.integer(0, 7) == 0) touch.kind = BlockKind::unilateral;
    const int points = std::min(contacts - static_cast<int>(touches.size()), random.integer(0, 1) == 0 ? 1 : 4);
    const Vector3d centre = random.vector(0.4);
    for (int i = 0; i < points; ++i) {
      const Vector3d across = touch.frame * Vector3d(i & 1 ? 0.2 : -0.2, i & 2 ? 0.2 : -0.2, 0);
      touch.r_a = centre + across;
      touch.r_b = -centre + across;
      touches.push_back(touch);
    }
  }
  if (random.integer(0, 2) == 0) {
    Touch joint;
    pair(joint);
    joint.kind = BlockKind::bilateral;
    joint.frame = random.rotation();
    joint.r_a = random.vector(0.4);
    joint.r_b = random.vector(0.4);
    const int rows = random.integer(1, 3);
    for (int i = 0; i < rows; ++i) {
      touches.push_back(joint);
      joint.frame = (joint.frame * Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitX())).eval();
      if (i == 1) joint.frame = (joint.frame * Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitY())).eval();
    }
  }
  return make(bodies, touches);
}

}  // namespace carom::impacts
