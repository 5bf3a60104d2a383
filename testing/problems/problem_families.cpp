#include "testing/problems/problem_families.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "testing/problems/linkages.h"

namespace carom::families {

namespace {

constexpr double pi = std::numbers::pi;

Eigen::Vector3d gyration(Random& random, double low = 0.2, double high = 0.5) {
  const double x = random.uniform(low, high), y = random.uniform(low, high), z = random.uniform(low, high);
  return {x, y, z};
}

void set_friction(Assembly& assembly, double friction) {
  for (Block& block : assembly.blocks) block.friction.setConstant(friction);
}

/// Half of the problems with some contacts still open.
void open_gaps(Assembly& assembly, Random& random) {
  if (!random.chance(0.5)) return;
  for (Block& block : assembly.blocks) {
    const bool has_gap = block.is_contact() || block.kind == BlockKind::unilateral;
    if (has_gap && random.chance(0.5)) block.offset = random.uniform(0, 0.5);
  }
}

/// Some or all contacts overlap, and are driven apart.
void push_out(Assembly& assembly, Random& random) {
  const double share = random.chance(0.5) ? 1 : 0.4;
  for (Block& block : assembly.blocks) {
    if (!random.chance(share)) continue;
    block.offset = -random.uniform(0, 1);
    block.push_speed = -block.offset;
  }
}

FreeBody potato(Random& random, double mass) {
  FreeBody body;
  body.mass = mass;
  body.gyration = gyration(random);
  body.axes = frame(random.direction());
  body.angular = random.vector(1);
  body.linear = random.vector(1);
  return body;
}

Touch random_touch(int a, int bodies, Random& random) {
  Touch touch;
  touch.a = a;
  touch.b = random.integer(-1, bodies - 1);
  if (touch.b == touch.a) touch.b = -1;
  touch.normal = random.direction();
  touch.r_a = random.vector(0.5);
  touch.r_b = random.vector(0.5);
  return touch;
}

void add_potatoes(Assembly& assembly, int contacts, double mass_ratio, Random& random) {
  for (int body = 0; body < contacts; ++body) {
    const double half = 0.5 * std::log10(mass_ratio);
    assembly.bodies.push_back(
        potato(random, mass_ratio > 1 ? random.logarithmic(-half, half) : random.uniform(0.5, 2)));
  }
  for (int i = 0; i < contacts; ++i) {
    assembly.add_contact(random_touch(i, contacts, random), BlockKind::cone);
  }
}

/// Points in a plane across the normal, the same from both bodies, some of them twice; each moved by `shift`, its
/// normal turned by `tilt`.
void add_face(Assembly& assembly, const Touch& centre, int corners, double shift, double tilt, Random& random) {
  const Eigen::Matrix3d R = frame(centre.normal);
  for (int corner = 0; corner < corners; ++corner) {
    const double angle = 2 * pi * corner / 4;  // the fifth and sixth lie on the first two
    Eigen::Vector3d out = 0.3 * (std::cos(angle) * R.col(0) + std::sin(angle) * R.col(1));
    Touch touch = centre;
    if (shift > 0) out += shift * random.direction();
    if (tilt > 0) touch.normal = (touch.normal + tilt * random.direction()).normalized();
    touch.r_a += out;
    touch.r_b += out;
    assembly.add_contact(touch, BlockKind::cone);
  }
}

void add_faces(Assembly& assembly, int contacts, bool nearly, Random& random) {
  const int bodies = std::max(1, contacts / 4);
  for (int body = 0; body < bodies; ++body) {
    assembly.bodies.push_back(potato(random, random.uniform(0.5, 2)));
    // A thin rod: hardly any inertia about one axis.
    if (nearly && random.chance(0.3))
      assembly.bodies.back().gyration(random.integer(0, 2)) = random.logarithmic(-3, -1);
  }
  for (int count = 0; count < contacts;) {
    const int corners = std::min(random.integer(2, 6), contacts - count);
    const double shift = nearly ? random.logarithmic(-9, -5) : 0;
    const double tilt = nearly && random.chance(0.5) ? random.logarithmic(-9, -5) : 0;
    add_face(assembly, random_touch(random.integer(0, bodies - 1), bodies, random), corners, shift, tilt, random);
    count += corners;
  }
}

void add_column(Assembly& assembly, int contacts, Random& random) {
  const int boxes = (contacts + 3) / 4;
  for (int box = 0; box < boxes; ++box) {
    FreeBody body;
    body.mass = random.uniform(0.5, 2);
    body.gyration = gyration(random);
    body.angular = random.vector(0.02);
    body.linear = {random.uniform(-0.2, 0.2), 0, -0.1};
    assembly.bodies.push_back(body);
  }
  for (int i = 0; i < contacts; ++i) {
    Touch touch;
    touch.a = i / 4;
    touch.b = touch.a - 1;
    const double x = i & 1 ? 0.5 : -0.5, y = i & 2 ? 0.5 : -0.5;
    touch.r_a = {x, y, -0.25};
    touch.r_b = {x, y, 0.25};
    assembly.add_contact(touch, BlockKind::cone);
  }
}

void add_frictionless(Assembly& assembly, int contacts, Random& random) {
  switch (random.integer(0, 3)) {
    case 0:
      add_potatoes(assembly, contacts, 1, random);
      break;
    case 1:
      add_faces(assembly, contacts, false, random);
      break;
    case 2:
      add_potatoes(assembly, contacts, 1e4, random);
      break;
    default:
      add_column(assembly, contacts, random);
  }
  set_friction(assembly, random.uniform(0.05, 1.2));
  const double share = random.chance(0.5) ? 1 : 0.5;
  for (Block& block : assembly.blocks) {
    if (random.chance(share)) block.friction.setZero();
  }
}

/// Plates side by side, each between two walls (or its neighbour and a wall). The walls lean out by an angle from −10°,
/// where they overhang, over 0, where no push comes free of both, to 40°.
void add_wedges(Assembly& assembly, int contacts, Random& random) {
  for (int count = 0; count < contacts;) {
    const int body = static_cast<int>(assembly.bodies.size());
    FreeBody plate = potato(random, random.uniform(0.5, 2));
    plate.linear.z() -= 1;  // driven in
    assembly.bodies.push_back(plate);
    const double lean = random.chance(0.3) ? 0 : random.uniform(-10, 40) * pi / 180;
    const bool on_neighbour = body > 0 && random.chance(0.3);
    for (const double side : {-1.0, 1.0}) {
      const int corners = std::min(random.integer(1, 4), contacts - count);
      const Eigen::Vector3d normal(-side * std::cos(lean), 0, std::sin(lean));
      for (int corner = 0; corner < corners; ++corner) {
        Touch touch;
        touch.a = body;
        touch.b = side < 0 && on_neighbour ? body - 1 : -1;
        touch.normal = normal;
        touch.r_a = {0.3 * side, corner & 1 ? 0.4 : -0.4, corner & 2 ? 0.5 : -0.5};
        touch.r_b = {-0.3 * side, touch.r_a.y(), touch.r_a.z()};
        assembly.add_contact(touch, BlockKind::cone);
      }
      count += corners;
    }
  }
  set_friction(assembly, random.uniform(0.2, 3));
}

/// Rods with one end, and boxes with two or four corners, that slide fast with the touching end ahead of the centre of
/// mass. They slide on the ground or on one another, some with a wall ahead.
void add_sliders(Assembly& assembly, int contacts, Random& random) {
  for (int count = 0; count < contacts;) {
    const int body = static_cast<int>(assembly.bodies.size());
    const bool rod = random.chance(0.6);
    const double steepness = random.uniform(0.2, 1.4), heading = random.uniform(-pi, pi);
    const Eigen::Vector3d ahead(std::cos(heading), std::sin(heading), 0), across(-ahead.y(), ahead.x(), 0);
    const Eigen::Vector3d tip = std::cos(steepness) * ahead - Eigen::Vector3d(0, 0, std::sin(steepness));
    FreeBody slider;
    slider.mass = random.uniform(0.5, 2);
    slider.gyration = rod ? Eigen::Vector3d(0.577, 0.577, 0.05) : gyration(random, 0.2, 0.6);
    slider.axes = frame(tip);
    slider.linear = random.uniform(0.5, 5) * ahead;
    slider.linear += 0.1 * random.vector(1);
    slider.angular = random.uniform(-1, 1) * across;
    slider.angular += 0.1 * random.vector(1);
    assembly.bodies.push_back(slider);
    const int support = body > 0 && random.chance(0.3) ? random.integer(0, body - 1) : -1;
    const int corners = std::min(rod ? 1 : 2 * random.integer(1, 2), contacts - count);
    for (int corner = 0; corner < corners; ++corner) {
      const double aside = rod ? 0 : corner & 1 ? 0.3 : -0.3, behind = corner & 2 ? 0.4 : 0;
      assembly.add_contact({body, support, tip + aside * across - behind * ahead, random.vector(0.5)}, BlockKind::cone);
    }
    count += corners;
    if (count < contacts && random.chance(0.3)) {
      assembly.add_contact({body, -1, tip, Eigen::Vector3d::Zero(), -ahead}, BlockKind::cone);
      ++count;
    }
  }
  set_friction(assembly, random.uniform(0.5, 3));
}

}  // namespace

std::string name(Family family) {
  constexpr const char* names[] = {"full rank",       "redundant", "mass ratio", "stack",     "zero friction",
                                   "near-degenerate", "wedged",    "jammed",     "mechanism", "torsion"};
  return names[static_cast<int>(family)];
}

std::string describe(const Recipe& recipe) {
  std::string family = name(recipe.family);
  std::replace_if(
      family.begin(), family.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  std::ostringstream text;
  text << "families::make({Family::" << family << ", " << recipe.contacts << ", " << recipe.seed << ", "
       << recipe.mass_ratio << "})";
  return text.str();
}

Mechanics make(const Recipe& recipe) {
  Random random(recipe.seed);
  return make(recipe.family, recipe.contacts, random, recipe.mass_ratio);
}

Mechanics make(Family family, int contacts, Random& random, double mass_ratio) {
  Assembly assembly;
  switch (family) {
    case Family::full_rank:
    case Family::mass_ratio:
      add_potatoes(assembly, contacts, family == Family::mass_ratio ? mass_ratio : 1, random);
      set_friction(assembly, random.uniform(0.05, 1.2));
      break;
    case Family::redundant:
    case Family::near_degenerate:
      add_faces(assembly, contacts, family == Family::near_degenerate, random);
      set_friction(assembly, random.uniform(0.05, 1.2));
      break;
    case Family::stack:
      add_column(assembly, contacts, random);
      set_friction(assembly, random.uniform(0.05, 1.2));
      break;
    case Family::zero_friction:
      add_frictionless(assembly, contacts, random);
      break;
    case Family::wedged:
      add_wedges(assembly, contacts, random);
      break;
    case Family::jammed:
      add_sliders(assembly, contacts, random);
      break;
    case Family::mechanism:
    case Family::torsion:
      add_linkage(assembly, contacts, family == Family::torsion, random);
      break;
  }
  const bool may_overlap = family == Family::wedged || family == Family::jammed;
  if (may_overlap && random.chance(0.6)) {
    push_out(assembly, random);
  } else {
    open_gaps(assembly, random);
  }
  return assembly.finish();
}

}  // namespace carom::families
