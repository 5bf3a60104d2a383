#pragma once

#include <string>
#include <vector>

#include "carom/geometry/shape.h"

namespace carom::bench {

/// A ball or a box, at rest.
struct ContactBody {
  Shape shape;
  double mass = 1;  ///< kg, spread evenly
  Vec3 position = Vec3::Zero();
  Quaternion orientation = Quaternion::Identity();
};

/// The scene that every program builds for itself: bodies that fall or stand among half-spaces, without restitution.
struct ContactScene {
  std::string name;
  double friction = 0.5;          ///< between any two surfaces
  double step = 0.005;            ///< s
  double duration = 2;            ///< s
  double gravity = 9.81;          ///< downwards, m/s²
  bool stands = false;            ///< from the start: what moves is creep
  std::vector<Transform> planes;  ///< half-spaces: z is the outward normal
  std::vector<ContactBody> bodies;

  int steps() const { return static_cast<int>(duration / step + 0.5); }
};

/// Bricks of 0.2 × 0.1 × 0.1 m and 2 kg with joints of 2 mm between those of a row. Each row is half a brick further
/// than the one below it, and every other one has half bricks at its ends.
ContactScene wall(int rows, int bricks);

/// Boxes and balls in turn, of 8 to 14 cm and 0.5 to 2 kg, which fall in layers into a box without a lid.
ContactScene heap(int count);

/// A cubic lattice of balls of 10 cm that touch all their neighbours: columns that bear, and contacts that do not.
ContactScene lattice(int across, int along, int up);

/// A flat box on a plane of slope 0.7, on which it slides: every program must say how far.
ContactScene slope();

/// Bricks of 2 kg on top of one another on a plane of slope 0.25, on which friction holds them.
ContactScene held_stack(int bricks);

}  // namespace carom::bench
