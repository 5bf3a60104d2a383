// One part of a variational step, and the problem at one of its ends.

#include "carom/stepper/variational/variational_part.h"

#include <gtest/gtest.h>

#include "carom/stepper/test/mechanisms.h"
#include "carom/stepper/variational/node_problem.h"

namespace carom::variational_part_test {
namespace {

constexpr double g = 9.81, sliding = 0.3, resting = 0.5, h = 1e-3, mass = 2;

/// A box of 2 kg on a floor on which a force along x, `pull` times the weight, acts.
test::SceneMaker pulled_box(double pull, double speed) {
  test::SceneMaker scene(0);
  scene.builder = ModelBuilder();
  scene.builder.set_gravity(g * Vec3(pull, 0, -1));
  Material rough{"rough", Vec2(sliding, sliding), 0.0};
  rough.static_friction = Vec2(resting, resting);
  scene.material = scene.builder.add_material(rough);
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.1, 0.1, 0.05)}, mass, Vec3(0, 0, 0.05), Vec3(speed, 0, 0));
  return scene;
}

Method variational() {
  Method method;
  method.stepper = StepperKind::variational;
  method.law = LawKind::plastic;
  method.step = h;
  return method;
}

std::vector<Contact> contacts_of(const Model& model, const VectorX& q, DynamicsWorkspace& workspace) {
  forward_kinematics(model, q, workspace);
  ContactFinder finder(model);
  return finder.find(model, q, workspace.X_WB, 1e-6);
}

TEST(VariationalPart, HoldsOrSlidesOverTheWholeStepByTheFrictionOfItsStart) {
  struct Case {
    double pull, speed, friction;
    bool slides;
  };
  for (const Case& the : {Case{0.45, 0, resting, false}, Case{0.6, 0, sliding, true}, Case{0.45, 0.1, sliding, true},
                          Case{-0.45, 0, resting, false}}) {
    const test::SceneMaker scene = pulled_box(the.pull, the.speed);
    const auto model = scene.model();
    DynamicsWorkspace workspace(*model);
    const std::vector<Contact> contacts = contacts_of(*model, scene.q, workspace);
    ASSERT_EQ(contacts.size(), 4u);
    VariationalPart part(*model, variational());
    VectorX q = scene.q, v = scene.v;
    std::vector<ContactMemory> memory;
    for (int i = 0; i < 3; ++i) {  // in the first nothing is remembered, and static friction may be overcome
      StepReport report;
      part.begin(*model, i * h, q, v, contacts_of(*model, q, workspace), memory, VectorX::Zero(6));
      ASSERT_TRUE(part.attempt(*model, h));
      EXPECT_TRUE(part.is_followed());
      part.report(*model, memory, report);
      ASSERT_EQ(memory.size(), 4u);
      for (const ContactMemory& contact : memory) EXPECT_EQ(contact.sliding, the.slides) << the.pull << " " << i;
      q = part.q_end();
      const double change = part.v_end()[3] - v[3];
      v = part.v_end();
      if (!the.slides) {
        EXPECT_LT(v.norm(), 1e-9 * g * h);
      } else if (i > 0) {
        EXPECT_NEAR(change, h * g * (the.pull - sliding), 1e-8 * g * h) << the.pull << " " << i;
      }
    }
  }
}

TEST(NodeProblem, BearsHalfTheWeightOfAStepAndTellsItsFastestRow) {
  const test::SceneMaker scene = pulled_box(0, 0);
  const auto model = scene.model();
  DynamicsWorkspace workspace(*model);
  const std::vector<Contact> contacts = contacts_of(*model, scene.q, workspace);
  MassOperator operators(*model, DynamicsKind::articulated);
  operators.factor(*model, VectorX::Zero(6), workspace);
  NodeProblem node(*model, variational());
  node.pose(*model, 0, scene.q, scene.v, 0.5 * h, contacts, {}, workspace, operators);
  EXPECT_EQ(node.fastest(), 0);
  ASSERT_EQ(node.rows(), 12);
  VectorX falling = VectorX::Zero(12);
  for (std::size_t i = 0; i < 4; ++i) falling[node.contact_block(i).normal_row()] = -0.5 * g * h;
  ASSERT_EQ(node.solve(operators, falling, false).status, SolveStatus::solved);
  EXPECT_DOUBLE_EQ(node.fastest(), 0.5 * g * h);
  double load = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    load += node.contact_impulse(i).z();
    EXPECT_LT(node.contact_velocity(i).norm(), 1e-9 * g * h);
    EXPECT_EQ(node.contact_block(i).friction, Vec2(resting, resting));
  }
  EXPECT_NEAR(load, 0.5 * mass * g * h, 1e-8 * mass * g * h);

  // The friction of sliding for what moves, and for what slid before.
  VectorX moving = scene.v;
  moving[3] = 1;
  node.pose(*model, 0, scene.q, moving, 0.5 * h, contacts, {}, workspace, operators);
  EXPECT_EQ(node.contact_block(0).friction, Vec2(sliding, sliding));
  EXPECT_DOUBLE_EQ(node.fastest(), 1);
  node.pose(*model, 0, scene.q, scene.v, 0.5 * h, contacts, {{contacts[0].id, Vec3::Zero(), true}}, workspace,
            operators);
  EXPECT_EQ(node.contact_block(0).friction, Vec2(sliding, sliding));
  EXPECT_EQ(node.contact_block(1).friction, Vec2(resting, resting));
}

}  // namespace
}  // namespace carom::variational_part_test
