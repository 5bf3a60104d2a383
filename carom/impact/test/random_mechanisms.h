#pragma once

#include "carom/impact/test/random_impacts.h"

/// Seeded random impacts on mechanisms of one kind each: clusters of spheres, bricks on some of their vertices, chains
/// and closed loops of ball joints. As lists of bodies and contacts, so that the world they lie in can be turned.
namespace carom::impacts {

struct World {
  std::vector<Body> bodies;
  std::vector<Touch> touches;

  /// The impact that it receives; joints hold before.
  Impact impact() const {
    Impact made = make(bodies, touches);
    made.hold();
    return made;
  }
  /// In a world that is turned, or mirrored: by an orthogonal matrix. Angular velocities are axial vectors.
  World seen_by(const Matrix3d& T) const {
    World other = *this;
    for (Body& body : other.bodies) {
      body.inertia = (T * body.inertia * T.transpose()).eval();
      body.linear = (T * body.linear).eval();
      body.angular = (T.determinant() * T * body.angular).eval();
    }
    for (Touch& touch : other.touches) {
      touch.r_a = (T * touch.r_a).eval();
      touch.r_b = (T * touch.r_b).eval();
      touch.frame = (T * touch.frame).eval();
    }
    return other;
  }
  /// The frames of all contacts turned about their normals, by angles up to `angle`.
  void turn_tangents(Random& random, double angle) {
    for (Touch& touch : touches) {
      if (touch.kind != BlockKind::cone) continue;
      touch.frame = (touch.frame * Eigen::AngleAxisd(random.uniform(0, angle), Vector3d::UnitZ())).eval();
    }
  }
};

/// A frame whose third column is the unit vector z.
inline Matrix3d frame_about(const Vector3d& z) {
  Matrix3d frame;
  frame.col(2) = z;
  frame.col(0) = z.unitOrthogonal();
  frame.col(1) = z.cross(frame.col(0));
  return frame;
}

inline Vector3d random_direction(Random& random) { return random.rotation().col(2); }

struct Surface {
  double friction = 0, e = 0;  ///< of all contacts
};

/// Up to `contacts` contacts of spheres of all sizes, each lying against an earlier one, or against the ground below
/// it.
inline World sphere_cluster(Random& random, int contacts, const Surface& surface) {
  World world;
  std::vector<double> radii;
  for (int i = 0; i <= contacts; ++i) {
    Body ball;
    const double radius = random.uniform(0.05, 0.3);
    ball.mass = 4000 * radius * radius * radius;
    ball.inertia = 0.4 * ball.mass * radius * radius * Matrix3d::Identity();
    ball.linear = random.vector(1);
    ball.angular = random.vector(3);
    world.bodies.push_back(ball);
    radii.push_back(radius);
    if (i == 0) continue;
    Touch touch;
    touch.a = i;
    touch.friction = surface.friction;
    touch.restitution = ConstantRestitution{surface.e};
    const bool on_ground = random.integer(0, 3) == 0;
    touch.b = on_ground ? -1 : random.integer(0, i - 1);
    const Vector3d normal = on_ground ? Vector3d::UnitZ() : random_direction(random);  // from b towards a
    touch.frame = frame_about(normal);
    touch.r_a = -radius * normal;
    if (!on_ground) touch.r_b = radii[touch.b] * normal;
    world.touches.push_back(touch);
  }
  return world;
}

/// Bricks on one, two or four of their vertices, each on ground of its own slope, until `contacts` are made. Each but
/// the first also touches the one before, if a contact is left.
inline World bricks(Random& random, int contacts, const Surface& surface) {
  World world;
  while (std::ssize(world.touches) < contacts) {
    const int left = contacts - static_cast<int>(world.touches.size());
    const Vector3d size(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    Body brick;
    brick.mass = random.uniform(0.5, 5);
    brick.inertia = box_inertia(brick.mass, size);
    brick.linear = random.vector(2);
    brick.angular = random.vector(2);
    world.bodies.push_back(brick);
    const int number = static_cast<int>(world.bodies.size()) - 1;
    Touch touch;
    touch.a = number;
    touch.friction = surface.friction;
    touch.restitution = ConstantRestitution{surface.e};
    touch.frame = frame_about((Vector3d::UnitZ() + random.vector(0.5)).normalized());
    const int vertices = std::min(left, std::vector<int>{1, 2, 4}[random.integer(0, 2)]);
    for (int corner = 0; corner < vertices; ++corner) {
      touch.r_a = {(corner & 1 ? 0.5 : -0.5) * size[0], (corner & 2 ? 0.5 : -0.5) * size[1], -0.5 * size[2]};
      world.touches.push_back(touch);
    }
    if (number == 0 || left == vertices) continue;
    touch.b = number - 1;
    touch.frame = frame_about(random_direction(random));
    touch.r_a = -0.3 * touch.frame.col(2);
    touch.r_b = 0.3 * touch.frame.col(2);
    world.touches.push_back(touch);
  }
  return world;
}

/// A ball joint: three bilateral rows.
inline void join(World& world, int a, int b, const Vector3d& r_a, const Vector3d& r_b) {
  Touch joint;
  joint.kind = BlockKind::bilateral;
  joint.a = a;
  joint.b = b;
  joint.r_a = r_a;
  joint.r_b = r_b;
  for (int axis = 0; axis < 3; ++axis) {
    joint.frame = frame_about(Vector3d::Unit(axis));
    world.touches.push_back(joint);
  }
}

/// Rods on ball joints, one after the other; `contacts` of their points strike walls of any direction. If `closed`, the
/// last rod is joined to the first; else the first hangs in the world.
inline World chain(Random& random, int contacts, const Surface& surface, bool closed) {
  World world;
  const int rods = random.integer(closed ? 3 : 1, 6);
  std::vector<Vector3d> half;  // from the middle of a rod to its far end
  for (int i = 0; i < rods; ++i) {
    Body rod;
    half.push_back(random.uniform(0.2, 0.5) * random_direction(random));
    rod.mass = random.uniform(0.5, 3);
    const double length = 2 * half[i].norm();
    const Vector3d along = half[i].normalized();
    rod.inertia = rod.mass / 12 * length * length * (Matrix3d::Identity() - along * along.transpose()) +
                  rod.mass * 1e-3 * Matrix3d::Identity();
    rod.linear = random.vector(2);
    rod.angular = random.vector(3);
    world.bodies.push_back(rod);
    if (i > 0) join(world, i, i - 1, -half[i], half[i - 1]);
  }
  if (closed) {
    join(world, 0, rods - 1, -half[0], half[rods - 1]);
  } else {
    join(world, 0, -1, -half[0], Vector3d::Zero());
  }
  for (int i = 0; i < contacts; ++i) {
    Touch touch;
    touch.a = random.integer(0, rods - 1);
    touch.r_a = random.uniform(-1, 1) * half[touch.a];
    touch.frame = frame_about(random_direction(random));
    touch.friction = surface.friction;
    touch.restitution = ConstantRestitution{surface.e};
    world.touches.push_back(touch);
  }
  return world;
}

enum class Family { spheres, bricks, chains, loops };
inline constexpr Family families[] = {Family::spheres, Family::bricks, Family::chains, Family::loops};

inline const char* family_name(Family family) {
  const char* const names[] = {"spheres", "bricks", "chains", "loops"};
  return names[static_cast<std::size_t>(family)];
}

inline World random_world(Family family, Random& random, int contacts, const Surface& surface) {
  switch (family) {
    case Family::spheres:
      return sphere_cluster(random, contacts, surface);
    case Family::bricks:
      return bricks(random, contacts, surface);
    case Family::chains:
      return chain(random, contacts, surface, false);
    case Family::loops:
      break;
  }
  return chain(random, contacts, surface, true);
}

}  // namespace carom::impacts
