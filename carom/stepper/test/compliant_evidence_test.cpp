// The judge's law of compliant contacts beside the stepper's: what it finds sound, and that it notices every number of
// the law.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "carom/certificate/compliant_forces.h"
#include "carom/certificate/compliant_law.h"
#include "carom/certificate/judge.h"
#include "carom/dynamics/recursions.h"
#include "carom/stepper/integration_evidence.h"
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

  CompliantForces forces() const { return {transition, limit_stiffness, limit_dissipation}; }
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
    step.equation.compliant = numbers.forces();
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
  const auto bears = [&](auto&& kind) {
    return std::ranges::any_of(evidence_, [&](const StepEvidence& step) {
      for (std::size_t i = 0; i < step.blocks.size(); ++i) {
        const double p = step.impulse[static_cast<std::size_t>(step.blocks[i].normal_row())];
        const BlockKind kind_of_rows = step.blocks[i].kind;
        if (kind_of_rows != BlockKind::bounded && kind_of_rows != BlockKind::bilateral && p != 0 &&
            kind(step.modes[i].id))
          return true;
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
  struct Other {
    const char* name;
    void (*tell)(Numbers&);
    double SolveCertificate::*touched;
  };
  static constexpr double more = 1 + 1e-5;
  constexpr auto normal = &SolveCertificate::normal_complementarity, cone = &SolveCertificate::cone_violation,
                 slip = &SolveCertificate::dissipation_residual, bounded = &SolveCertificate::bounded_residual;
  const Other others[]{
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
  for (const Other& other : others) {
    Numbers numbers;
    other.tell(numbers);
    EXPECT_GT(worst(evidence_, numbers).conditions.*other.touched, 1e-8) << other.name;
  }
}

/// A wrong word of a step on one of its blocks, with the number that finds it.
struct Lie {
  const char* name;
  bool (*is_about)(const Block&);
  void (*tell)(StepEvidence&, std::size_t block);
  double (*found)(const Judge::Verdict&);
};

bool is_contact(const Block& block) { return block.is_contact() || block.kind == BlockKind::unilateral; }
bool is_surface(const Block& block) { return block.is_contact(); }
bool is_friction(const Block& block) { return block.kind == BlockKind::bounded; }
double unlawful(const Judge::Verdict& verdict) { return verdict.conditions.normal_complementarity; }
double misplaced(const Judge::Verdict& verdict) { return verdict.kinematic_residual; }
double wrong_friction(const Judge::Verdict& verdict) { return verdict.conditions.bounded_residual; }

template <class List>
void erase_at(List& list, std::size_t place) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
}

/// Once more the rows of a block, with its impulses.
void repeat(StepEvidence& step, std::size_t number) {
  Block again = step.blocks[number];
  const auto first = static_cast<std::size_t>(again.row);
  again.row = static_cast<int>(step.rows.size());
  for (int i = 0; i < again.size(); ++i) {
    step.rows.push_back(step.rows[first + static_cast<std::size_t>(i)]);
    step.impulse.push_back(step.impulse[first + static_cast<std::size_t>(i)]);
  }
  step.blocks.push_back(again);
  step.modes.push_back(step.modes[number]);
}

template <class Change>
void change_rows(StepEvidence& step, std::size_t block, Change change) {
  for (int i = 0; i < step.blocks[block].size(); ++i)
    change(step.rows[static_cast<std::size_t>(step.blocks[block].row) + static_cast<std::size_t>(i)]);
}

const Lie lies[]{
    {"no block", is_contact,
     [](StepEvidence& step, std::size_t block) {
       erase_at(step.blocks, block);
       erase_at(step.modes, block);
     },
     unlawful},
    {"no block, no impulse", is_contact,
     [](StepEvidence& step, std::size_t block) {
       std::fill_n(step.impulse.begin() + step.blocks[block].row, step.blocks[block].size(), 0.0);
       erase_at(step.blocks, block);
       erase_at(step.modes, block);
     },
     unlawful},
    {"twice", is_contact, repeat, unlawful},
    {"made up beside it", is_contact,
     [](StepEvidence& step, std::size_t block) {
       repeat(step, block);
       step.modes.back().id.feature += 1000;
     },
     unlawful},
    {"friction alone made up beside it", is_surface,
     [](StepEvidence& step, std::size_t block) {
       repeat(step, block);
       step.modes.back().id.feature += 1000;
       step.impulse[step.impulse.size() - 3] = 1e-3;
       step.impulse.back() = 0;
     },
     unlawful},
    {"at another place", is_surface,
     [](StepEvidence& step, std::size_t block) {
       change_rows(step, block, [](ConstraintRow& row) { row.point_a.x() += 1e-3; });
     },
     misplaced},
    {"one row at another place", is_surface,
     [](StepEvidence& step, std::size_t block) {
       step.rows[static_cast<std::size_t>(step.blocks[block].row) + 2].point_b.y() += 1e-3;
     },
     misplaced},
    {"on another body", is_surface,
     [](StepEvidence& step, std::size_t block) {
       change_rows(step, block, [](ConstraintRow& row) { row.body_a = row.body_a == 0 ? 1 : 0; });
     },
     misplaced},
    {"with a moment", is_surface,
     [](StepEvidence& step, std::size_t block) {
       change_rows(step, block, [](ConstraintRow& row) { row.moment = Vec3(1e-3, 0, 0); });
     },
     misplaced},
    {"friction of a joint not told", is_friction,
     [](StepEvidence& step, std::size_t block) {
       step.impulse[static_cast<std::size_t>(step.blocks[block].row)] = 0;
       erase_at(step.blocks, block);
       erase_at(step.modes, block);
     },
     wrong_friction},
};

/// The forces told need not be those that moved the mechanism: the verdict on the law is asked for, not on momentum.
TEST_F(CompliantEvidence, ForcesOfNoLawAreFound) {
  const auto model = yard(Numbers()).model();
  Judge judge(*model);
  for (const Lie& lie : lies) {
    int told = 0;
    for (const StepEvidence& sound : evidence_) {
      for (std::size_t i = 0; i < sound.blocks.size(); ++i) {
        const double p = sound.impulse[static_cast<std::size_t>(sound.blocks[i].normal_row())];
        const double largest =
            Eigen::Map<const VectorX>(sound.impulse.data(), std::ssize(sound.impulse)).cwiseAbs().maxCoeff();
        if (!lie.is_about(sound.blocks[i]) || !(std::abs(p) > 1e-6 * largest)) continue;  // of a size to find
        StepEvidence step = sound;
        lie.tell(step, i);
        ++told;
        EXPECT_GT(lie.found(judge.judge(*model, step)), 1e-8) << lie.name << ", block " << i << ", t " << sound.end;
      }
    }
    EXPECT_GT(told, 50) << lie.name;
  }
}

/// A loop of links falls on stiff ground: forces of the impact are hundreds of times the weight, and the equations that
/// close the loop are judged by the size of what they hold.
TEST(CompliantLoop, IsSoundInAHardImpact) {
  for (const double g : {0.0, 9.81}) {
    test::SceneMaker scene(0.3, 0.0, Vec3(0, 0, -g));
    Material steel{"steel", Vec2(0.3, 0.3)};
    steel.youngs_modulus = 2e11;
    scene.material = scene.builder.add_material(steel);
    scene.add_static(HalfSpace{});
    const int frame = scene.add(Sphere{0.05}, 1, Vec3(0, 0, 0.0501), Vec3(0.2, 0, -1));
    const int swing = scene.add(Sphere{0.04}, 0.5, Vec3(0.3, 0, 0.2), Vec3(0.2, 0, -1));
    Constraint bar;
    bar.name = "bar";
    bar.kind = ConstraintKind::rod;
    bar.body_a = frame;
    bar.body_b = swing;
    bar.X_AF.p = Vec3(0, 0.01, 0);
    bar.length = (Vec3(0.3, 0, 0.2) - Vec3(0, 0.01, 0.0501)).norm();
    scene.builder.add_constraint(bar);
    Method method;
    method.stepper = StepperKind::compliant;
    method.step = 1e-4;
    Simulation simulation = scene.simulation(method);
    double largest = 0;
    for (int step = 0; step < 10; ++step) {
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.status, SolveStatus::solved);
      EXPECT_LE(report.contact_certificate.bilateral_residual, 1e-9) << "g " << g << ", step " << step;
      EXPECT_LE(report.momentum_residual, 1e-9) << "g " << g << ", step " << step;
      for (const ContactReport& contact : report.contacts)
        largest = std::max(largest, contact.impulse[2] / method.step);
    }
    EXPECT_GT(largest, 500 * 1.5 * 9.81) << "g " << g;
  }
}

/// The end is where the integration led, moved by the corrections: a ball put back by a millimetre, and slowed.
TEST(CloseEvidence, MakesImpulsesOfForcesAndTellsWhatCameAfterTheIntegration) {
  test::SceneMaker scene(0);
  scene.add(Sphere{0.1}, 1, Vec3(0, 0, 1), Vec3(1, 0, 0));
  const auto model = scene.model();
  const double h = 0.25;
  StepEvidence evidence;
  evidence.velocity_correction = VectorX::Zero(6);
  evidence.impulse = {8};
  evidence.later_stages = {{{}, {2, -4}}};
  Block friction;
  friction.lower = -3;
  friction.upper = 3;
  evidence.blocks = {friction};
  VectorX q = scene.q, v = scene.v;
  q[6] -= 1e-3;
  v[3] = 0.75;
  close_evidence(*model, h, {scene.q, scene.v}, q, v, evidence);
  EXPECT_EQ(evidence.length, h);
  EXPECT_EQ(evidence.impulse, std::vector<double>{2});
  EXPECT_EQ(evidence.later_stages[0].impulse, (std::vector<double>{0.5, -1}));
  EXPECT_EQ(evidence.blocks[0].lower, -0.75);
  EXPECT_EQ(evidence.blocks[0].upper, 0.75);
  EXPECT_LE((evidence.position_correction - Vec6(0, 0, 0, 0, 0, -1e-3)).norm(), 1e-15);
  EXPECT_LE((evidence.velocity_correction - Vec6(0, 0, 0, -0.25, 0, 0)).norm(), 1e-15);
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
  const auto& contacts = law.find(*model, numbers.forces(), state.q, state.v, workspace);
  const auto ball = std::ranges::find_if(contacts, [](const auto& of) { return of.contact.body_a == 1; });
  ASSERT_NE(ball, contacts.end());
  const double modulus = numbers.modulus / (2 * (1 - numbers.poisson * numbers.poisson));
  const double hertz = 4.0 / 3 * modulus * std::sqrt(0.1) * std::pow(z, 1.5);
  EXPECT_NEAR(ball->normal_force(0), hertz * (1 - 1.5 * numbers.dissipation * rate), 1e-9 * hertz);
}

}  // namespace
}  // namespace carom::compliant_evidence_test
