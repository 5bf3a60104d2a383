// Merging must change nothing that can be measured from outside: masses, energies, places, and which shapes meet. The
// tests walk the tree of joints by themselves, before and after.

#include "carom/import/merge_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "carom/error.h"
#include "carom/import/test/tree_walk.h"
#include "carom/spatial/test/random_spatial.h"

namespace carom::merge_links_test {
namespace {

using Link = ImportedModel::Link;

/// From 0 to count − 1.
int index(Random& random, int count) { return static_cast<int>(random.between(0, count)); }

VectorX random_numbers(Random& random, int count) {
  VectorX numbers(count);
  for (double& x : numbers) x = random.between(-1, 1);
  return numbers;
}

/// Inertia of four points, so that some body has it.
SpatialInertia random_inertia(Random& random) {
  SpatialInertia sum;
  for (int i = 0; i < 4; ++i) sum = sum + SpatialInertia{random.between(0.1, 1), random.vector(), Mat3::Zero()};
  return sum;
}

Joint random_joint(Random& random, JointType type) {
  Joint joint;
  joint.type = type;
  joint.X_PF = random.pose();
  joint.X_BM = random.pose();
  joint.pitch = random.between(-1, 1);
  return joint;
}

/// Links on joints of scalar coordinates, welds and nothing, each with what can be fixed to a link.
ImportedModel random_model(Random& random, int count) {
  constexpr std::array types = {JointType::fixed,  JointType::revolute, JointType::fixed, JointType::prismatic,
                                JointType::planar, JointType::fixed,    JointType::screw};
  ImportedModel model;
  for (int i = 0; i < count; ++i) {
    Link link;
    link.name = "link" + std::to_string(i);
    link.line = 10 + i;
    link.inertia = random_inertia(random);
    link.X_WB = random.pose();
    const int type = index(random, static_cast<int>(types.size()) + 1);
    if (type < static_cast<int>(types.size())) {
      link.joint = random_joint(random, types[type]);
      link.joint->parent = index(random, i + 1) - 1;
    }
    model.links.push_back(link);
  }
  for (int i = -1; i < count; ++i) {
    Collider collider;
    collider.body = i;
    collider.shape = Sphere{1};
    collider.X_BS = random.pose();
    model.colliders.push_back(collider);
    model.frames.push_back({"frame" + std::to_string(i), 1, i, random.pose(), {}});
    Constraint rod;
    rod.kind = ConstraintKind::rod;
    rod.body_a = i;
    rod.body_b = index(random, count + 1) - 1;
    rod.X_AF = random.pose();
    rod.X_BG = random.pose();
    model.constraints.push_back(rod);
  }
  return model;
}

Coordinates random_coordinates(const ImportedModel& model, Random& random) {
  Coordinates at;
  for (const Link& link : model.links) {
    const int count = link.joint ? velocity_size(*link.joint) : 6;
    at.q[link.name] = random_numbers(random, link.joint ? count : 0);
    at.v[link.name] = random_numbers(random, count);
  }
  return at;
}

/// All moving mass, in the world.
SpatialInertia total(const ImportedModel& model, const std::vector<Motion>& motions) {
  SpatialInertia sum;
  for (std::size_t i = 0; i < model.links.size(); ++i) sum = sum + model.links[i].inertia.in(motions[i].X_WB);
  return sum;
}

double kinetic_energy(const ImportedModel& model, const std::vector<Motion>& motions) {
  double energy = 0;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    energy += 0.5 * motions[i].V.dot(model.links[i].inertia * motions[i].V);
  }
  return energy;
}

void expect_near(const Transform& a, const Transform& b) { EXPECT_LT((a.R - b.R).norm() + (a.p - b.p).norm(), 1e-12); }

void expect_same_places(const ImportedModel& before, const ImportedModel& after, const Coordinates& at) {
  const std::vector<Motion> old = motions(before, at), now = motions(after, at);
  for (std::size_t i = 0; i < before.colliders.size(); ++i) {
    const Collider &a = before.colliders[i], &b = after.colliders[i];
    expect_near(place(old, a.body) * a.X_BS, place(now, b.body) * b.X_BS);
  }
  for (std::size_t i = 0; i < before.frames.size(); ++i) {
    const ImportedModel::Frame &a = before.frames[i], &b = after.frames[i];
    EXPECT_EQ(a.name, b.name);
    expect_near(place(old, a.link) * a.X_BF, place(now, b.link) * b.X_BF);
  }
  for (std::size_t i = 0; i < before.constraints.size(); ++i) {
    const Constraint &a = before.constraints[i], &b = after.constraints[i];
    expect_near(place(old, a.body_a) * a.X_AF, place(now, b.body_a) * b.X_AF);
    expect_near(place(old, a.body_b) * a.X_BG, place(now, b.body_b) * b.X_BG);
  }
}

TEST(MergeLinks, MovesNothingInAnyPositionAndKeepsTheKineticEnergy) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const ImportedModel before = random_model(random, 12);
    ImportedModel after = before;
    merge_fixed_links(after);
    const Coordinates at = random_coordinates(before, random);
    expect_same_places(before, after, at);
    // A link welded to the world has mass before and none after, and no velocity either way: the energies agree.
    const double energy = kinetic_energy(before, motions(before, at));
    EXPECT_NEAR(kinetic_energy(after, motions(after, at)), energy, 1e-11 * (1 + energy));
  }
}

TEST(MergeLinks, KeepsTotalMassCentreAndInertia) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    ImportedModel before = random_model(random, 12);
    Link root;  // all hangs on one free link, so that no mass goes to the world
    root.name = "root";
    root.inertia = random_inertia(random);
    for (Link& link : before.links) {
      if (link.joint) ++link.joint->parent;
    }
    before.links.insert(before.links.begin(), root);
    before.colliders.clear();
    before.frames.clear();
    before.constraints.clear();
    ImportedModel after = before;
    merge_fixed_links(after);
    const Coordinates at = random_coordinates(before, random);
    const SpatialInertia a = total(before, motions(before, at)), b = total(after, motions(after, at));
    EXPECT_NEAR(a.mass, b.mass, 1e-12 * a.mass);
    EXPECT_LT((a.center - b.center).norm(), 1e-12);
    EXPECT_LT((a.central - b.central).norm(), 1e-11 * a.central.norm());
  }
}

TEST(MergeLinks, LeavesLinksInOrderAndAFrameForEachThatWent) {
  Random random(3);
  const ImportedModel before = random_model(random, 30);
  ImportedModel after = before;
  merge_fixed_links(after);
  std::vector<std::string> kept, gone;
  for (const Link& link : before.links) {
    (link.joint && link.joint->type == JointType::fixed ? gone : kept).push_back(link.name);
  }
  ASSERT_FALSE(gone.empty());
  ASSERT_EQ(after.links.size(), kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(after.links[i].name, kept[i]);
    const int parent = after.links[i].joint ? after.links[i].joint->parent : -1;
    EXPECT_LT(parent, static_cast<int>(i));
  }
  ASSERT_EQ(after.frames.size(), before.frames.size() + gone.size());
  const Coordinates at = random_coordinates(before, random);
  const std::vector<Motion> old = motions(before, at), now = motions(after, at);
  for (std::size_t i = 0; i < gone.size(); ++i) {
    const ImportedModel::Frame& frame = after.frames[before.frames.size() + i];
    EXPECT_EQ(frame.name, gone[i]);
    const auto number = static_cast<std::size_t>(std::stoi(gone[i].substr(4)));
    EXPECT_EQ(frame.line, before.links[number].line);
    EXPECT_EQ(frame.inertia.mass, before.links[number].inertia.mass);
    expect_near(old[number].X_WB, place(now, frame.link) * frame.X_BF);
  }
}

/// A free link, one welded to it, one hinged to that, one welded to the world.
ImportedModel four_links() {
  ImportedModel model;
  const auto add = [&](const std::string& name, std::optional<JointType> type, int parent) {
    Link link;
    link.name = name;
    link.inertia = {1, Vec3::Zero(), Mat3::Identity()};
    if (type) {
      link.joint.emplace();
      link.joint->type = *type;
      link.joint->parent = parent;
    }
    model.links.push_back(link);
  };
  add("base", {}, -1);
  add("flange", JointType::fixed, 0);
  add("hinged", JointType::revolute, 1);
  add("table", JointType::fixed, -1);
  for (int body = -1; body < 4; ++body) {
    Collider collider;
    collider.body = body;
    collider.shape = Sphere{1};
    model.colliders.push_back(collider);
  }
  return model;
}

/// True if exclusions and groups let two colliders meet.
bool meet(const ImportedModel& model, int i, int j) {
  const Collider &a = model.colliders[i], &b = model.colliders[j];
  for (const auto& [c, d] : model.excluded) {
    if (std::minmax(a.body, b.body) == std::minmax(c, d)) return false;
  }
  return (a.groups & b.collides_with) != 0 || (b.groups & a.collides_with) != 0;
}

/// The colliders of four_links are those of the world, base, flange, hinged, table, in this order. Only pairs that
/// merging does not weld together can be compared.
void expect_same_meetings(const ImportedModel& before, const ImportedModel& after) {
  for (std::size_t i = 0; i < before.colliders.size(); ++i) {
    for (std::size_t j = i + 1; j < before.colliders.size(); ++j) {
      if (after.colliders[i].body == after.colliders[j].body) continue;
      const int a = static_cast<int>(i), b = static_cast<int>(j);
      EXPECT_EQ(meet(before, a, b), meet(after, a, b)) << i << " and " << j;
    }
  }
}

TEST(MergeLinks, ExclusionsHoldForTheSameShapesAsBefore) {
  const std::vector<std::vector<std::pair<int, int>>> cases = {
      {},
      {{1, 2}},                  // flange and hinged: base and hinged still meet
      {{2, 3}},                  // hinged and table: hinged and the world still meet
      {{2, 3}, {-1, 2}},         // both
      {{0, 2}, {2, 1}},          // base and flange: the whole
      {{1, 3}, {0, 3}, {1, 2}},  // several at once
      {{0, 1}},                  // welded together: nothing to say
  };
  for (const auto& excluded : cases) {
    ImportedModel before = four_links();
    before.excluded = excluded;
    before.colliders[3].groups = 6;
    before.colliders[2].collides_with = 4;
    ImportedModel after = before;
    merge_fixed_links(after);
    expect_same_meetings(before, after);
  }
}

TEST(MergeLinks, GroundAddedToTheWorldLaterStillMeetsWhatAPartOfTheWorldDoesNot) {
  ImportedModel model = four_links();
  model.excluded = {{2, 3}};  // hinged and table
  merge_fixed_links(model);
  Collider ground;
  ground.shape = HalfSpace{};
  model.colliders.push_back(ground);
  for (int other = 1; other < 4; ++other) EXPECT_TRUE(meet(model, other, 5)) << other;
  EXPECT_FALSE(meet(model, 3, 4));
}

TEST(MergeLinks, ExclusionFromTheWorldThatLeavesOutATableOnItIsRefused) {
  ImportedModel model = four_links();
  model.excluded = {{-1, 2}};
  EXPECT_THROW(merge_fixed_links(model), Error);
}

TEST(MergeLinks, FlagsDrivesAndKeyframesFollowTheirLinks) {
  ImportedModel model = four_links();
  model.links[2].collides_with_parent = true;
  Drive drive;
  drive.name = "motor";
  drive.body = 2;
  model.drives.push_back(drive);
  ImportedModel::Keyframe home;
  for (int i = 0; i < 4; ++i) {
    home.position.push_back(VectorX::Constant(1, i));
    home.velocity.push_back(VectorX::Constant(1, 10 + i));
  }
  model.keyframes.push_back(home);
  merge_fixed_links(model);
  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_TRUE(model.links[1].collides_with_parent);
  EXPECT_EQ(model.links[1].joint->parent, 0);
  EXPECT_EQ(model.drives[0].body, 1);
  ASSERT_EQ(model.keyframes[0].position.size(), 2u);
  EXPECT_EQ(model.keyframes[0].position[1][0], 2);
  EXPECT_EQ(model.keyframes[0].velocity[1][0], 12);
}

TEST(MergeLinks, CoordinatesOfFixedJointsCannotBeDrivenOrCoupled) {
  ImportedModel driven = four_links();
  driven.drives.push_back({});
  driven.drives[0].body = 1;
  EXPECT_THROW(merge_fixed_links(driven), Error);
  ImportedModel coupled = four_links();
  coupled.constraints.push_back({});
  coupled.constraints[0].kind = ConstraintKind::coupler;
  coupled.constraints[0].body_a = 2;
  coupled.constraints[0].shares = {{1, 0, 1}};
  EXPECT_THROW(merge_fixed_links(coupled), Error);
}

TEST(MergeLinks, MasslessRootTakesTheInertiaOfWhatIsFixedToIt) {
  ImportedModel model;
  model.links.resize(3);
  model.links[1].joint.emplace();
  model.links[1].joint->type = JointType::fixed;
  model.links[1].joint->parent = 0;
  model.links[1].joint->X_PF.p = Vec3(0, 0, 2);
  model.links[2] = model.links[1];
  model.links[2].joint->parent = 1;
  model.links[2].inertia = {3, Vec3(1, 0, 0), Mat3::Identity()};
  merge_fixed_links(model);
  ASSERT_EQ(model.links.size(), 1u);
  EXPECT_EQ(model.links[0].inertia.mass, 3);
  EXPECT_EQ(model.links[0].inertia.center, Vec3(1, 0, 4));
  EXPECT_EQ(model.links[0].inertia.central, Mat3(Mat3::Identity()));
}

}  // namespace
}  // namespace carom::merge_links_test
