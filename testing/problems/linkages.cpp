#include "testing/problems/linkages.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

namespace carom::families {

namespace {

using Points = std::vector<Eigen::Vector3d>;

Touch joint_at(const Points& centres, int a, int b, const Eigen::Vector3d& point) {
  Touch touch;
  touch.a = a;
  touch.b = b;
  touch.r_a = point - centres[static_cast<std::size_t>(a)];
  touch.r_b = b < 0 ? Eigen::Vector3d(point) : Eigen::Vector3d(point - centres[static_cast<std::size_t>(b)]);
  return touch;
}

void add_ball(Assembly& assembly, const Touch& touch) {
  for (int axis = 0; axis < 3; ++axis) {
    assembly.add_point_row(touch, Eigen::Vector3d::Unit(axis), BlockKind::bilateral);
  }
}

/// A pin, with a limit or dry friction about it now and then.
void add_pin(Assembly& assembly, const Points& centres, int a, int b, const Eigen::Vector3d& axis, Random& random) {
  const auto i = static_cast<std::size_t>(a);
  const Eigen::Vector3d other =
      b < 0 ? Eigen::Vector3d(centres[i] + Eigen::Vector3d(0.2, 0.4, 0)) : centres[static_cast<std::size_t>(b)];
  const Eigen::Vector3d middle = 0.5 * (centres[i] + other);
  add_ball(assembly, joint_at(centres, a, b, middle + 0.1 * axis));
  add_ball(assembly, joint_at(centres, a, b, middle - 0.1 * axis));
  if (random.chance(0.3)) {
    assembly.add_turning_row(a, b, axis, BlockKind::unilateral).offset = random.chance(0.5) ? random.uniform(0, 1) : 0;
  }
  if (random.chance(0.5)) {
    Block& dry = assembly.add_turning_row(a, b, axis, BlockKind::bounded);
    dry.upper = random.logarithmic(-3, 0);
    dry.lower = random.chance(0.7) ? -dry.upper : 0;
    if (random.chance(0.3)) dry.offset = random.uniform(-1, 1);  // a drive of limited torque
  }
}

/// Bodies first, first + 1, …: each joined to the one before it, the first to the world or to nothing.
void add_chain(Assembly& assembly, const Points& centres, int first, int length, Random& random) {
  const bool planar = random.chance(0.5), closed = random.chance(0.5), free = !closed && random.chance(0.5);
  for (int body = free ? first + 1 : first; body < first + length; ++body) {
    const int parent = body > first ? body - 1 : -1;
    const Eigen::Vector3d axis = planar ? Eigen::Vector3d::UnitZ() : random.direction();
    const Eigen::Vector3d& centre = centres[static_cast<std::size_t>(body)];
    const double kind = planar ? 0 : random.uniform(0, 1);
    if (kind < 0.5) {
      add_pin(assembly, centres, body, parent, axis, random);
    } else if (kind < 0.8) {
      add_ball(assembly, joint_at(centres, body, parent, centre + random.vector(0.5)));
    } else {  // rigidly, by three balls: nine rows of rank six
      for (int point = 0; point < 3; ++point) {
        add_ball(assembly, joint_at(centres, body, parent, centre + Eigen::Vector3d::Unit(point)));
      }
    }
  }
  if (closed && length > 2) {
    add_pin(assembly, centres, first + length - 1, -1, planar ? Eigen::Vector3d::UnitZ() : random.direction(), random);
  }
}

}  // namespace

void add_linkage(Assembly& assembly, int contacts, bool torsion, Random& random) {
  const int bodies = std::max(1, random.integer(contacts / 3, contacts));
  Points centres;
  for (int body = 0; body < bodies; ++body) {
    FreeBody link;
    link.mass = random.logarithmic(-1, 1);
    link.gyration = {random.uniform(0.2, 0.5), random.uniform(0.2, 0.5), random.uniform(0.2, 0.5)};
    link.axes = frame(random.direction());
    link.angular = random.vector(1);
    link.linear = random.vector(1);
    assembly.bodies.push_back(link);
    centres.push_back(Eigen::Vector3d(body, body % 2, 0) + random.vector(0.2));
  }
  // Chains side by side; contacts join them.
  for (int first = 0; first < bodies;) {
    const int length = std::min(random.integer(1, 6), bodies - first);
    add_chain(assembly, centres, first, length, random);
    first += length;
  }
  for (int i = 0; i < contacts; ++i) {
    Touch touch;
    touch.a = random.integer(0, bodies - 1);
    touch.b = random.integer(-1, bodies - 1);
    if (touch.b == touch.a) touch.b = -1;
    touch.normal = random.direction();
    touch.r_a = random.vector(0.5);
    touch.r_b = random.vector(0.5);
    const bool ellipsoid = torsion && random.chance(0.7);
    Block& block = assembly.add_contact(touch, ellipsoid ? BlockKind::ellipsoid : BlockKind::cone);
    block.friction = {random.uniform(0.05, 1.2), random.uniform(0.05, 1.2)};
    if (random.chance(0.2)) block.friction.setConstant(block.friction.x());
    if (ellipsoid) block.torsion = random.uniform(0, 0.2);
  }
}

}  // namespace carom::families
