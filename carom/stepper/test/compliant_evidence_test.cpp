// The judge's law of compliant contacts beside the stepper's: what it finds sound, and that it notices every number of
// the law.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/certificate/compliant_law.h"
#include "carom/certificate/judge.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::compliant_evidence_test {
namespace {

/// The numbers of the law that a mechanism has.
struct Numbers {
  double modulus = 2e6, poisson = 0.3, dissipation = 0.5, contact_radius = 0.02;
  Vec2 friction{0.3, 0.2}, static_friction{0.5, 0.4};
  double viscous = 0.05;
  double sprung_friction = 0.4, spring = 0.8;
  double joint_friction = 0.3;
  double transition = 0.05, limit_stiffness = 2e4, limit_dissipation = 0.3;

  Compliance compliance() const { return {transition, limit_stiffness, limit_dissipation}; }
};

Joint hinge(const std::string& name, int parent, const Vec3& place) {
  Joint joint;
  joint.type = JointType::revolute;
  joint.name = name;
  joint.parent = parent;
  joint.X_PF.R << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  joint.X_PF.p = place;
  joint.X_BM.R = joint.X_PF.R;
  joint.X_BM.p = Vec3(0, 0, 0.15);
  return joint;
}

/// On a floor: a box that slides on its face, whose corners share tips, a ball that rolls while it slips, and one with
/// a tangential spring. Beside them hangs a chain that swings against its limits, and whose first joint comes to rest
/// by friction, and a ball falls into a rope.
test::SceneMaker yard(const Numbers& numbers) {
  test::SceneMaker scene(0);
  Material rough{"rough", numbers.friction};
  rough.static_friction = numbers.static_friction;
  rough.viscous_friction = numbers.viscous;
  rough.youngs_modulus = numbers.modulus;
  rough.poisson_ratio = numbers.poisson;
  rough.dissipation = numbers.dissipation;
  rough.contact_radius = numbers.contact_radius;
  Material sprung = rough;
  sprung.name = "sprung";
  sprung.friction = Vec2::Constant(numbers.sprung_friction);
  sprung.static_friction = Vec2::Constant(numbers.sprung_friction);
  sprung.tangential_spring = TangentialSpring{numbers.spring, 0.9};
  const int of_rough = scene.builder.add_material(rough), of_sprung = scene.builder.add_material(sprung);
  scene.material = of_rough;
  scene.add_static(HalfSpace{});
  scene.add(Box{Vec3(0.012, 0.012, 0.05)}, 1, Vec3(0, 0, 0.0499), Vec3(0.12, 0.05, 0));
  scene.add(Sphere{0.1}, 2, Vec3(1, 0, 0.1), Vec3(0.5, 0.3, -0.5), Quaternion::Identity(), Vec3(1, 2, 3));
  scene.material = of_sprung;
  scene.add(Sphere{0.1}, 2, Vec3(2, 0, 0.1), Vec3(0.1, 0.3, -0.5), Quaternion::Identity(), Vec3(-1, 2, 0));
  scene.material = of_rough;
  for (int i = 0; i < 2; ++i) {
    const int body = scene.add(Capsule{0.04, 0.1}, 0.5, Vec3::Zero());
    Joint joint =
        hinge("hinge" + std::to_string(i), i == 0 ? -1 : body - 1, i == 0 ? Vec3(3, 0, 0.65) : Vec3(0, 0, -0.15));
    joint.friction = VectorX::Constant(1, (i == 0 ? 1 : 0.1) * numbers.joint_friction);
    joint.lower = VectorX::Constant(1, -0.02);
    joint.upper = VectorX::Constant(1, 1);
    scene.builder.add_joint(body, joint);
    scene.q.conservativeResize(scene.q.size() - 6);
    scene.v.conservativeResize(scene.v.size() - 5);
    scene.q.tail<1>()[0] = 0.01;
    scene.v.tail<1>()[0] = i == 0 ? 0.05 : -3;
  }
  const int tied = scene.add(Sphere{0.05}, 1, Vec3(4, 0, 1), Vec3(0.2, 0, -1));
  Constraint rope;
  rope.name = "rope";
  rope.kind = ConstraintKind::rope;
  rope.body_a = tied;
  rope.X_AF.p = Vec3(0, 0, 0.05);
  rope.X_BG.p = Vec3(4, 0, 1.5);
  rope.length = 0.4501;
  scene.builder.add_constraint(rope);
  return scene;
}

Method method_of(const Numbers& numbers) {
  Method method;
  method.stepper = StepperKind::compliant;
  method.step = 0.002;
  method.tolerance = 1e-9;
  method.compliant.transition_speed = numbers.transition;
  method.compliant.limit_stiffness = numbers.limit_stiffness;
  method.compliant.limit_dissipation = numbers.limit_dissipation;
  return method;
}

std::vector<StepEvidence> evidence_of(const Numbers& numbers) {
  Simulation simulation = yard(numbers).simulation(method_of(numbers));
  std::vector<StepEvidence> evidence;
  simulation.keep_evidence(&evidence);
  for (int step = 0; step < 40; ++step) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
  return evidence;
}

/// The worst verdict over all steps, by a judge of these numbers.
Judge::Verdict worst(const std::vector<StepEvidence>& evidence, const Numbers& numbers) {
  const auto model = yard(numbers).model();
  Judge judge(*model);
  Judge::Verdict all;
  for (StepEvidence step : evidence) {
    step.equation.compliance = numbers.compliance();
    const Judge::Verdict one = judge.judge(*model, step);
    all.momentum_residual = std::max(all.momentum_residual, one.momentum_residual);
    all.kinematic_residual = std::max(all.kinematic_residual, one.kinematic_residual);
    keep_worst(one.conditions, all.conditions);
  }
  return all;
}

class CompliantEvidence : public testing::Test {
 protected:
  static void SetUpTestSuite() { evidence_ = evidence_of(Numbers()); }
  static std::vector<StepEvidence> evidence_;
};
std::vector<StepEvidence> CompliantEvidence::evidence_;

TEST_F(CompliantEvidence, IsSound) {
  const Judge::Verdict verdict = worst(evidence_, Numbers());
  EXPECT_LE(verdict.momentum_residual, 1e-10);
  EXPECT_LE(verdict.kinematic_residual, 1e-12);
  EXPECT_LE(verdict.conditions.normal_complementarity, 1e-10);
  EXPECT_LE(verdict.conditions.cone_violation, 1e-10);
  EXPECT_LE(verdict.conditions.dissipation_residual, 1e-10);
  EXPECT_LE(verdict.conditions.bilateral_residual, 1e-10);
  EXPECT_LE(verdict.conditions.bounded_residual, 1e-10);
}

/// Every kind of contact bore a force, or nothing of this file would be about it.
TEST_F(CompliantEvidence, HasContactsOfAllKinds) {
  const auto is_contact = [](const Block& of) { return of.is_contact() || of.kind == BlockKind::unilateral; };
  const auto bears = [&](auto&& kind) {
    return std::ranges::any_of(evidence_, [&](const StepEvidence& step) {
      for (std::size_t i = 0; i < step.blocks.size(); ++i) {
        const double p = step.impulse[static_cast<std::size_t>(step.blocks[i].normal_row())];
        if (is_contact(step.blocks[i]) && p != 0 && kind(step.modes[i].id)) return true;
      }
      return false;
    });
  };
  EXPECT_TRUE(bears([](const ContactId& id) { return id.is_limit(); }));
  EXPECT_TRUE(bears([](const ContactId& id) { return !id.is_limit() && !id.is_surface(); })) << "the rope";
  for (const int collider : {1, 2, 3}) {
    EXPECT_TRUE(bears([&](const ContactId& id) { return id.is_surface() && (id.a == collider || id.b == collider); }))
        << "collider " << collider;
  }
}

TEST_F(CompliantEvidence, EveryNumberOfTheLawIsNoticed) {
  struct Lie {
    const char* name;
    void (*tell)(Numbers&);
    double SolveCertificate::*touched;
  };
  static constexpr double more = 1 + 1e-5;
  constexpr auto normal = &SolveCertificate::normal_complementarity, cone = &SolveCertificate::cone_violation,
                 slip = &SolveCertificate::dissipation_residual, bounded = &SolveCertificate::bounded_residual;
  const Lie lies[]{
      {"modulus", [](Numbers& n) { n.modulus *= more; }, normal},
      {"Poisson's ratio", [](Numbers& n) { n.poisson *= more; }, normal},
      {"dissipation", [](Numbers& n) { n.dissipation *= more; }, normal},
      {"contact radius", [](Numbers& n) { n.contact_radius *= more; }, normal},
      {"friction along x", [](Numbers& n) { n.friction[0] *= more; }, slip},
      {"friction along y", [](Numbers& n) { n.friction[1] *= more; }, slip},
      {"static friction along x", [](Numbers& n) { n.static_friction[0] *= more; }, slip},
      {"static friction along y", [](Numbers& n) { n.static_friction[1] *= more; }, slip},
      {"less static friction", [](Numbers& n) { n.static_friction /= more; }, cone},
      {"viscous friction", [](Numbers& n) { n.viscous *= more; }, slip},
      {"less viscous friction", [](Numbers& n) { n.viscous /= more; }, cone},
      {"less friction with a spring", [](Numbers& n) { n.sprung_friction /= more; }, cone},
      {"tangential spring", [](Numbers& n) { n.spring *= more; }, normal},
      {"friction of joints", [](Numbers& n) { n.joint_friction *= more; }, bounded},
      {"transition speed", [](Numbers& n) { n.transition *= more; }, slip},
      {"limit stiffness", [](Numbers& n) { n.limit_stiffness *= more; }, normal},
      {"limit dissipation", [](Numbers& n) { n.limit_dissipation *= more; }, normal},
  };
  for (const Lie& lie : lies) {
    Numbers other;
    lie.tell(other);
    EXPECT_GT(worst(evidence_, other).conditions.*lie.touched, 1e-8) << lie.name;
  }
}

/// A contact that the step does not tell, or that is told where shapes do not overlap.
TEST_F(CompliantEvidence, ContactsThatAreLeftOutOrMadeUpAreFound) {
  const auto model = yard(Numbers()).model();
  Judge judge(*model);
  int told = 0;
  for (const StepEvidence& sound : evidence_) {
    for (std::size_t i = 0; i < sound.blocks.size(); ++i) {
      if (sound.blocks[i].kind != BlockKind::cone) continue;
      StepEvidence step = sound;
      step.blocks.erase(step.blocks.begin() + static_cast<std::ptrdiff_t>(i));
      step.modes.erase(step.modes.begin() + static_cast<std::ptrdiff_t>(i));
      const double left_out = judge.judge(*model, step).conditions.normal_complementarity;
      step = sound;
      step.modes[i].id.feature += 1000;
      const double made_up = judge.judge(*model, step).conditions.normal_complementarity;
      if (sound.impulse[static_cast<std::size_t>(sound.blocks[i].normal_row())] == 0) continue;
      ++told;
      EXPECT_GE(left_out, 1);
      EXPECT_GE(made_up, 1);
    }
  }
  EXPECT_GT(told, 100);
}

/// A force at another place than the overlap's moves the mechanism as it is told, so that momentum knows nothing of it.
TEST_F(CompliantEvidence, ForcesBesideTheOverlapAreFound) {
  const auto model = yard(Numbers()).model();
  Judge judge(*model);
  int told = 0;
  for (const StepEvidence& sound : evidence_) {
    for (const Block& block : sound.blocks) {
      if (block.kind != BlockKind::cone || sound.impulse[static_cast<std::size_t>(block.row) + 2] == 0) continue;
      StepEvidence step = sound;
      for (int row = block.row; row < block.row + 3; ++row)
        step.rows[static_cast<std::size_t>(row)].point_a.x() += 1e-3;
      EXPECT_GT(judge.judge(*model, step).kinematic_residual, 1e-8);
      ++told;
    }
  }
  EXPECT_GT(told, 100);
}

TEST(CompliantLaw, RisesFromNoneToAllWithinTheTransitionSpeed) {
  EXPECT_EQ(CompliantLaw::rise(0, 0.1), 0);
  EXPECT_EQ(CompliantLaw::rise(0.1, 0.1), 1);
  EXPECT_EQ(CompliantLaw::rise(7, 0.1), 1);
  EXPECT_NEAR(CompliantLaw::rise(0.05, 0.1), 0.5, 1e-15);
}

/// Hertz's force of a ball on a plane, 4/3 E* √R z^(3/2), with Hunt and Crossley's damping.
TEST(CompliantLaw, IsHertzsOfABallOnAPlane) {
  const Numbers numbers;
  const auto model = yard(numbers).model();
  State state = yard(numbers).state();
  const double z = 1e-4, rate = -0.5;
  state.q[7 + 6] = 0.1 - z;  // the ball that rolls
  DynamicsWorkspace workspace(*model);
  forward_kinematics(*model, state.q, workspace);
  forward_velocity(*model, state.q, state.v, workspace);
  CompliantLaw law(*model);
  const auto& contacts = law.find(*model, numbers.compliance(), state.q, state.v, workspace);
  const auto ball = std::ranges::find_if(contacts, [](const auto& of) { return of.contact.body_a == 1; });
  ASSERT_NE(ball, contacts.end());
  const double modulus = numbers.modulus / (2 * (1 - numbers.poisson * numbers.poisson));
  const double hertz = 4.0 / 3 * modulus * std::sqrt(0.1) * std::pow(z, 1.5);
  EXPECT_NEAR(ball->normal_force(0), hertz * (1 - 1.5 * numbers.dissipation * rate), 1e-9 * hertz);
}

}  // namespace
}  // namespace carom::compliant_evidence_test
