#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "carom/dynamics/constraint_equations.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/error.h"
#include "carom/stepper/posed_problem.h"
#include "random_scenes.h"

// Stepper hybrid-dca against stewart-trinkle with the dense mass matrix. From rest both linearise at the same place, so
// they pose the same problem. One has all bilateral rows in it, one has none.
namespace carom::hybrid_dca_test {
namespace {

Method hybrid(double step, ContactForm form = ContactForm::pure) {
  Method method;
  method.stepper = StepperKind::hybrid_dca;
  method.cone = FrictionCone::polyhedral;
  method.form = form;
  method.step = step;
  method.directions = 6;
  return method;
}

Method dense(double step) {
  Method method = hybrid(step);
  method.stepper = StepperKind::stewart_trinkle;
  method.dynamics = DynamicsKind::dense;
  return method;
}

/// Ties two bodies, or one to the world (−1), by a ball where they are.
void tie(test::SceneMaker& scene, int a, int b, const Vec3& point_in_a) {
  const auto model = scene.model();
  DynamicsWorkspace workspace(*model);
  forward_kinematics(*model, scene.q, workspace);
  Constraint ball;
  ball.name = "tie " + std::to_string(model->constraints().size());
  ball.kind = ConstraintKind::ball;
  ball.body_a = a;
  ball.body_b = b;
  ball.X_AF.p = point_in_a;
  const Vec3 point = workspace.X_WB[a] * point_in_a;
  ball.X_BG.p = b < 0 ? point : workspace.X_WB[b].inverse() * point;
  scene.builder.add_constraint(ball);
}

/// A random scene at rest, a hundredth above its floor, with a few loops.
test::SceneMaker scene_at_rest(unsigned seed, bool driven, int ties) {
  test::SceneMaker scene = test::random_scene(seed, 0, driven);
  scene.v.setZero();
  test::Draw draw{std::mt19937(seed + 77)};
  const int bodies = scene.model()->body_count();
  for (int k = 0; k < ties && bodies > 1; ++k) {
    const int a = static_cast<int>(draw.random() % static_cast<unsigned>(bodies));
    const int b = static_cast<int>(draw.random() % static_cast<unsigned>(bodies));
    if (a == b) continue;
    const test::SceneMaker before = scene;
    tie(scene, a, b, draw.vector(0.2));
    try {
      (void)scene.model();
    } catch (const Error&) {  // they are welded together
      scene = before;
    }
  }
  return scene;
}

double relative(const VectorX& a, const VectorX& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1e-12 + b.cwiseAbs().maxCoeff());
}

/// True if every impulse does something of its own.
bool tells_impulses_apart(const MatrixX& A) {
  if (A.rows() == 0) return false;
  const Eigen::SelfAdjointEigenSolver<MatrixX> eigen(A, Eigen::EigenvaluesOnly);
  return eigen.eigenvalues().minCoeff() > 1e-6 * eigen.eigenvalues().maxCoeff();
}

bool turns_far(const Model& model, const State& state, double step) {
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, state.q, workspace);
  forward_velocity(model, state.q, state.v, workspace);
  return std::any_of(workspace.V.begin(), workspace.V.end(),
                     [&](const Vec6& V) { return step * V.head<3>().norm() > 1; });
}

unsigned trials(unsigned few, unsigned many) { return std::getenv("CAROM_LONG") != nullptr ? many : few; }

TEST(HybridDca, MovesAsTheDenseProblemFromRest) {
  int pressing = 0, closed = 0, compared = 0, alike = 0;
  const unsigned count = trials(60, 1000);
  for (unsigned seed = 0; seed < count; ++seed) {
    const test::SceneMaker scene = scene_at_rest(seed, seed % 2 == 1, static_cast<int>(seed % 4));
    const auto model = scene.model();
    if (model->velocity_count() == 0) continue;
    Simulation one(model, hybrid(0.05), scene.state()), other(model, dense(0.05), scene.state());
    PosedProblem posed;
    other.keep_problem(&posed);
    const StepReport &a = one.step(), &b = other.step();
    if (b.status != SolveStatus::solved) continue;
    SCOPED_TRACE(seed);
    ASSERT_EQ(a.status, SolveStatus::solved);
    if (tells_impulses_apart(posed.A)) {
      ASSERT_EQ(a.contacts.size(), b.contacts.size());
      double largest = 0;
      for (const ContactReport& contact : b.contacts) largest = std::max(largest, contact.impulse.norm());
      for (std::size_t i = 0; i < a.contacts.size(); ++i) {
        ASSERT_EQ(a.contacts[i].id, b.contacts[i].id);
        ASSERT_LE((a.contacts[i].impulse - b.contacts[i].impulse).norm(), 1e-7 * largest);
      }
      alike += largest > 0;
    }
    // A step in which light bodies turn too far is taken in parts: several steps, each projected onto the constraints
    // by itself. If rows are redundant, the projections differ too. If rows contradict one another on the way, the
    // dense stepper meets their mean, and this one meets them in part. The step itself is certified below.
    if (a.redundant_rows.empty() && !turns_far(*model, other.state(), 0.05)) {
      // A mechanism whose constraints hardly tell motions apart has no more digits in common with others.
      double others = 0;
      for (const DynamicsKind dynamics : {DynamicsKind::articulated, DynamicsKind::divide_and_conquer}) {
        Method backend = dense(0.05);
        backend.dynamics = dynamics;
        Simulation third(model, backend, scene.state());
        third.step();
        others = std::max(others, relative(third.state().v, other.state().v));
      }
      ASSERT_LT(relative(one.state().v, other.state().v), std::clamp(10 * others, 1e-10, 1e-7));
      compared += others < 1e-11;
    }
    ASSERT_LT(a.constraint_drift, b.constraint_drift + 1e-9);
    ASSERT_LT(a.momentum_residual, 1e-9);
    ASSERT_LT(a.contact_certificate.normal_complementarity, 1e-8);
    ASSERT_LT(a.contact_certificate.bilateral_residual, 1e-9);
    ASSERT_LT(a.contact_certificate.dissipation_residual, 1e-7);
    pressing += std::any_of(a.contacts.begin(), a.contacts.end(),
                            [](const ContactReport& contact) { return contact.impulse[2] > 0; });
    closed += !model->constraints().empty();
  }
  EXPECT_GT(compared, static_cast<int>(count) / 2);
  EXPECT_GT(pressing, static_cast<int>(count) / 5);
  EXPECT_GT(closed, static_cast<int>(count) / 3);
  EXPECT_GT(alike, static_cast<int>(count) / 30);
}

/// Numbers of what is in the problem of a step, from its report and the model.
struct Counts {
  int with_friction = 0, others = 0, bounded = 0, one_sided = 0;  // of springs, without an upper bound
  std::set<int> trees, bodies;

  Counts(const Model& model, const StepReport& report) {
    const auto in_tree = [&](int body) {
      if (!model.is_static(body)) trees.insert(model.root(body));
    };
    for (const ContactReport& contact : report.contacts) {
      const bool cone = contact.id.is_surface() && model.contact_material(model.colliders()[contact.id.a].material,
                                                                          model.colliders()[contact.id.b].material)
                                                           .friction.maxCoeff() > 0;
      ++(cone ? with_friction : others);
      in_tree(contact.body_a);
      in_tree(contact.body_b);
      for (const int body : {contact.body_a, contact.body_b}) {
        if (!contact.id.is_limit() && !model.is_static(body)) bodies.insert(body);
      }
    }
    for (int i = 0; i < model.body_count(); ++i) {
      for (const double friction : model.joints()[i].friction) {
        if (!(friction > 0)) continue;
        ++bounded;
        in_tree(i);
      }
    }
    for (const Constraint& spring : model.constraints()) {
      if (spring.kind != ConstraintKind::spring || spring.side == SpringSide::both) continue;
      one_sided += 1;
      for (const int body : {spring.body_a, spring.body_b}) {
        if (body >= 0) in_tree(body);
        if (body >= 0 && !model.is_static(body)) bodies.insert(body);
      }
    }
    for (const Drive& drive : model.drives()) {
      if (drive.kind != DriveKind::servo || !std::isfinite(drive.limit)) continue;
      ++bounded;
      in_tree(drive.body);
    }
  }
  int pure(int directions) const { return (2 + directions) * with_friction + others + 2 * bounded + one_sided; }
};

TEST(HybridDca, HasProblemsOfThePapersSizesWhoseFormsGiveTheSameImpulses) {
  int largest = 0, compared = 0, sized_b = 0, sized_c = 0;
  for (unsigned seed = 0; seed < trials(60, 600); ++seed) {
    const test::SceneMaker scene = scene_at_rest(seed, seed % 3 == 2, static_cast<int>(seed % 3));
    const auto model = scene.model();
    Simulation pure(model, hybrid(0.05), scene.state());
    Simulation handles(model, hybrid(0.05, ContactForm::handles), scene.state());
    Simulation bodies(model, hybrid(0.05, ContactForm::contact_bodies), scene.state());
    const StepReport &a = pure.step(), &b = handles.step(), &c = bodies.step();
    if (a.contacts.empty() || a.status != SolveStatus::solved) continue;
    SCOPED_TRACE(seed);
    ASSERT_EQ(b.status, SolveStatus::solved);
    ASSERT_EQ(c.status, SolveStatus::solved);
    const Counts of_b(*model, b), of_c(*model, c);
    EXPECT_LE(a.lcp_size, Counts(*model, a).pure(6));  // of the largest island
    // A step whose mixed form's path does not arrive is solved in the pure one, and says so by its size.
    const int size_b = 12 * static_cast<int>(of_b.trees.size()) + of_b.pure(6);
    const int size_c =
        12 * static_cast<int>(of_c.trees.size()) + 6 * static_cast<int>(of_c.bodies.size()) + of_c.pure(6);
    ++compared;
    sized_b += b.lcp_size == size_b;
    sized_c += c.lcp_size == size_c;
    // Sizes are the paper's, which knows no springs.
    const bool known = of_b.one_sided == 0;
    if (known && b.lcp_size != size_b) {
      EXPECT_EQ(b.lcp_size, a.lcp_size);
    }
    if (known && c.lcp_size != size_c) {
      EXPECT_EQ(c.lcp_size, a.lcp_size);
    }
    ASSERT_LT(relative(handles.state().v, pure.state().v), 1e-10);
    ASSERT_LT(relative(bodies.state().v, pure.state().v), 1e-10);
    largest = std::max(largest, static_cast<int>(a.contacts.size()));
  }
  EXPECT_GT(largest, 5);
  EXPECT_GE(sized_b, 9 * compared / 10);
  EXPECT_GE(sized_c, 9 * compared / 10);
}

/// A chain of spherical joints that hangs in the air obliquely, its lower end just above the floor.
test::SceneMaker hanging_chain(int links, double gap) {
  test::SceneMaker scene(0.4);
  scene.add_static(HalfSpace{});
  test::Draw draw{std::mt19937(11)};
  const Quaternion oblique = Quaternion::FromTwoVectors(Vec3::UnitX(), Vec3(0.4, 0.1, -1));
  const Vec3 way = oblique * Vec3(0.2, 0, 0);
  const double height = 0.03 + gap - (links - 1) * way.z();
  int parent = -1;
  for (int i = 0; i < links; ++i) {
    const int body = scene.add(Sphere{0.03}, 0.5, Vec3(0, 0, height), Vec3::Zero(), oblique);
    if (parent >= 0) {
      Joint joint;
      joint.name = "joint" + std::to_string(i);
      joint.type = JointType::spherical;
      joint.parent = parent;
      joint.X_PF.p = Vec3(0.1, 0, 0);
      joint.X_BM.p = Vec3(-0.1, 0, 0);
      test::hang(scene, body, joint, draw);
    }
    parent = body;
  }
  scene.v.setZero();
  return scene;
}

/// One contact, whose three directions one terminal handle shows: (32) as printed, 12 + 2 Ξ + Ξ η with nothing else.
TEST(HybridDca, FormsOfOneContactHaveThePapersSizes) {
  for (const int links : {1, 2, 5, 40}) {
    const test::SceneMaker scene = hanging_chain(links, 0.001);
    for (const auto& [form, size] : {std::pair(ContactForm::pure, 8), std::pair(ContactForm::handles, 20),
                                     std::pair(ContactForm::contact_bodies, 26)}) {
      Simulation simulation = scene.simulation(hybrid(0.05, form));
      const StepReport& report = simulation.step();
      ASSERT_EQ(report.contacts.size(), 1u);
      EXPECT_GT(report.contacts[0].impulse[2], 0);
      EXPECT_EQ(report.lcp_size, size) << links << " links, form " << form_name(form);
    }
  }
}

/// Two rails side by side, a rung at every second link, that stand on two feet.
test::SceneMaker ladder(int rungs) {
  test::SceneMaker scene(0.5);
  scene.add_static(HalfSpace{});
  const int links = 2 * rungs;
  std::vector<int> rails[2];
  for (int rail = 0; rail < 2; ++rail) {
    for (int i = 0; i < links; ++i) {
      const double height = 0.02 + 0.001 + 0.1 * (links - 1 - i);
      const int body = scene.builder.add_body("rail" + std::to_string(rail) + "_" + std::to_string(i),
                                              test::solid(Sphere{0.02}, 0.2));
      rails[rail].push_back(body);
      if (i == links - 1) {
        scene.builder.add_collider({"foot" + std::to_string(rail), body, Sphere{0.02}, {}, scene.material});
      }
      Joint joint;
      joint.name = "joint" + std::to_string(rail) + "_" + std::to_string(i);
      joint.type = i == 0 && rail == 0 ? JointType::free : JointType::spherical;
      joint.parent = i > 0 ? rails[rail][i - 1] : rail == 1 ? rails[0][0] : -1;
      if (i > 0) joint.X_PF.p = Vec3(0, 0, -0.05), joint.X_BM.p = Vec3(0, 0, 0.05);
      if (i == 0 && rail == 1) joint.X_PF.p = Vec3(0.1, 0, 0), joint.X_BM.p = Vec3(-0.1, 0, 0);
      scene.builder.add_joint(body, joint);
      const int size = position_size(joint);
      scene.q.conservativeResize(scene.q.size() + size);
      scene.q.tail(size).setZero();
      scene.q[scene.q.size() - size] = 1;
      if (size == 7) scene.q.tail<3>() = Vec3(0, 0, height);
      scene.v.conservativeResize(scene.v.size() + velocity_size(joint));
    }
  }
  scene.v.setZero();
  for (int i = 1; i < links; i += 2) tie(scene, rails[0][i], rails[1][i], Vec3(0.1, 0.01, 0));
  return scene;
}

TEST(HybridDca, TheProblemOfALadderDoesNotKnowItsRungs) {
  for (const int rungs : {2, 5, 12}) {
    const test::SceneMaker scene = ladder(rungs);
    Simulation simulation = scene.simulation(hybrid(0.02)), other = scene.simulation(dense(0.02));
    const StepReport& report = simulation.step();
    other.step();
    EXPECT_EQ(report.contacts.size(), 2u);
    EXPECT_EQ(report.lcp_size, 2 * (2 + 6)) << rungs;
    EXPECT_LT(relative(simulation.state().v, other.state().v), 1e-9) << rungs;
    for (int i = 0; i < 20; ++i) EXPECT_EQ(simulation.step().status, SolveStatus::solved);
    EXPECT_LT(simulation.certificate().momentum_residual, 1e-9);
    EXPECT_LT(simulation.certificate().contact.bilateral_residual, 1e-9);
    EXPECT_LT(simulation.certificate().constraint_drift, 1e-9);
  }
}

/// Three balls in one place: two of them say nothing, are named, and bear nothing.
TEST(HybridDca, NamesRedundantRowsWhichBearNothing) {
  test::SceneMaker scene = hanging_chain(4, 1);
  for (int copy = 0; copy < 3; ++copy) tie(scene, 3, -1, Vec3(0.1, 0, 0));
  Simulation simulation = scene.simulation(hybrid(0.01)), other = scene.simulation(dense(0.01));
  for (int i = 0; i < 5; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.redundant_rows.size(), 6u);
    EXPECT_LT(report.inconsistency, 1e-10);
    ASSERT_EQ(report.constraint_impulses.size(), 9u);
    for (const int row : report.redundant_rows) EXPECT_EQ(report.constraint_impulses[static_cast<std::size_t>(row)], 0);
    if (i > 0) continue;
    other.step();
    EXPECT_LT(relative(simulation.state().v, other.state().v), 1e-10);
  }
}

/// A box that comes down on four corners, more than its motion can tell apart.
TEST(HybridDca, ABoxOnFourCornersRests) {
  for (const ContactForm form : {ContactForm::pure, ContactForm::handles, ContactForm::contact_bodies}) {
    test::SceneMaker scene(0.5);
    scene.add_static(HalfSpace{});
    scene.add(Box{Vec3(0.2, 0.1, 0.05)}, 2, Vec3(0, 0, 0.06));
    Simulation simulation = scene.simulation(hybrid(0.01, form));
    test::run(simulation, 0.5);
    EXPECT_LT(simulation.state().v.norm(), 1e-9) << form_name(form);
    EXPECT_NEAR(test::position(simulation, 0).z(), 0.05, 1e-9);
    double weight = 0;
    for (const ContactReport& contact : simulation.step().contacts) weight += contact.impulse[2];
    EXPECT_NEAR(weight, 2 * 9.81 * 0.01, 1e-9);
  }
}

/// Momentum of every body, in the world: joints, contacts and constraints pass it on, each counted once.
TEST(HybridDca, JointImpulsesBalanceTheMomentumOfEveryBody) {
  int pressing = 0;
  for (unsigned seed = 0; seed < trials(100, 600); ++seed) {
    const test::SceneMaker scene = scene_at_rest(seed, seed % 2 == 1, 0);
    const auto model = scene.model();
    if (model->velocity_count() == 0) continue;
    const double h = 0.05;
    Method method = hybrid(h);
    method.gyroscopic = GyroscopicTerms::explicit_form;  // with no energy to be set right at the step's end
    Simulation simulation(model, method, scene.state());
    const StepReport& report = simulation.step();
    if (report.resolves > 0) continue;            // of what joined later the report has one of the two points alone
    if (report.joint_impulses.empty()) continue;  // taken in parts, which have no sum about one place
    // At rest the step is linearised where it starts.
    DynamicsWorkspace workspace(*model);
    VectorX v(model->velocity_count());
    forward_kinematics(*model, scene.q, workspace);
    transport_velocity(*model, simulation.state().q, scene.q, simulation.state().v, v);
    forward_velocity(*model, scene.q, v, workspace);
    std::vector<Vec6> change(model->body_count());
    double scale = 0;
    for (int i = 0; i < model->body_count(); ++i) {
      const SpatialInertia& inertia = model->bodies()[i].inertia;
      change[i] = workspace.X_WB[i].force(inertia * workspace.V[i]);
      scale = std::max(scale, change[i].cwiseAbs().maxCoeff());
      const Vec3 center = workspace.X_WB[i] * inertia.center;
      const Vec3 weight = h * inertia.mass * model->gravity();
      change[i] -= (Vec6() << center.cross(weight), weight).finished();
    }
    const auto push = [&](int body, const Vec3& point, const Vec3& impulse, const Vec3& moment) {
      if (body < 0) return;
      change[body] -= (Vec6() << point.cross(impulse) + moment, impulse).finished();
    };
    for (const ContactReport& contact : report.contacts) {
      if (!contact.id.is_surface()) continue;
      const Vec3 impulse = contact.R_WC * contact.impulse;
      const Vec3 other = contact.position - contact.gap * contact.R_WC.col(2);
      push(contact.body_a, contact.position, impulse, Vec3::Zero());
      push(contact.body_b, other, -impulse, Vec3::Zero());
      pressing += contact.impulse[2] > 0;
    }
    for (const AppliedWrench& wrench : model->wrenches()) {
      const double amount = h * wrench.scale.at(0.5 * h);
      const Transform& X = workspace.X_WB[wrench.body];
      const Mat3 axes = wrench.turns_with_body ? X.R : Mat3::Identity();
      push(wrench.body, X * wrench.point, amount * axes * wrench.force, amount * axes * wrench.torque);
    }
    const StepLoads loads(*model);
    for (std::size_t i = 0; i < model->constraints().size(); ++i) {
      const Constraint& spring = model->constraints()[i];
      if (spring.kind != ConstraintKind::spring) continue;
      const Vec3 pull = report.loads.segment<3>(loads.constraint_place(static_cast<int>(i)) + 3);
      const Vec3 point = workspace.X_WB[spring.body_a] * spring.X_AF.p;
      push(spring.body_a, point, pull, Vec3::Zero());
      push(spring.body_b, point, -pull, Vec3::Zero());  // in line
    }
    bool ropes = false;
    for (const ContactReport& contact : report.contacts)
      ropes = ropes || (contact.id.is_rope() && contact.impulse[2] > 0);
    if (ropes) continue;
    for (int i = 0; i < model->body_count(); ++i) {
      const Vec6& joint = report.joint_impulses[i];
      push(i, workspace.nodes[i].p, joint.tail<3>(), joint.head<3>());
      push(model->joints()[i].parent, workspace.nodes[i].p, -joint.tail<3>(), -joint.head<3>());
      if (model->joints()[i].type == JointType::free) {
        EXPECT_LT(joint.norm(), 1e-9 * scale) << seed;
      }
    }
    for (int i = 0; i < model->body_count(); ++i) {
      ASSERT_LT(change[i].cwiseAbs().maxCoeff(), 1e-9 * scale) << "scene " << seed << ", body " << i;
    }
  }
  EXPECT_GT(pressing, 10);
}

/// A beam hangs on the world by both ends. Each bears half of it, and along the beam one of the two rows is redundant.
TEST(HybridDca, ConstraintsBearABeamByHalves) {
  test::SceneMaker scene(0.4);
  scene.add(Box{Vec3(0.5, 0.05, 0.05)}, 3, Vec3(0, 0, 1));
  tie(scene, 0, -1, Vec3(-0.5, 0, 0));
  tie(scene, 0, -1, Vec3(0.5, 0, 0));
  Simulation simulation = scene.simulation(hybrid(0.01));
  for (int i = 0; i < 20; ++i) {
    const StepReport& report = simulation.step();
    ASSERT_EQ(report.redundant_rows.size(), 1u);
    EXPECT_EQ(report.redundant_rows[0] % 3, 0);
    ASSERT_EQ(report.constraint_impulses.size(), 6u);
    EXPECT_NEAR(std::abs(report.constraint_impulses[2]), 1.5 * 9.81 * 0.01, 1e-12);
    EXPECT_NEAR(report.constraint_impulses[2], report.constraint_impulses[5], 1e-12);
    EXPECT_LT(simulation.state().v.norm(), 1e-12);
  }
}

/// Along its free modes a joint gives what its devices give, at any speed. A bare pendulum gives nothing, a sprung and
/// damped one the torque at the step's end.
TEST(HybridDca, AJointPassesNothingAlongItsFreeModes) {
  for (const bool sprung : {false, true}) {
    ModelBuilder builder;
    builder.set_gravity(Vec3(0, 0, -9.81));
    for (int i = 0; i < 3; ++i) {
      builder.add_body("link" + std::to_string(i),
                       {1.0 + i, Vec3(0.2, 0.05, -0.1), Vec3(0.02, 0.03, 0.04).asDiagonal()});
      Joint joint;
      joint.name = "joint" + std::to_string(i);
      joint.type = JointType::revolute;
      joint.parent = i - 1;
      joint.X_PF.p = Vec3(0.4, 0, 0);
      joint.X_PF.R = joint.X_BM.R = contact_frame(Vec3(0.3 * i, 1, 0.2).normalized());
      if (sprung) joint.damping = VectorX::Constant(1, 0.3), joint.stiffness = VectorX::Constant(1, 4);
      builder.add_joint(i, joint);
    }
    const auto model = std::make_shared<const Model>(builder.build());
    State state;
    state.q = Vec3(0.3, -0.5, 0.8);
    state.v = Vec3(2, -3, 4);
    Method method = hybrid(1e-3);
    method.gyroscopic = GyroscopicTerms::explicit_form;
    Simulation simulation(model, method, state);
    const StepReport& report = simulation.step();
    DynamicsWorkspace workspace(*model);
    forward_kinematics(*model, state.q + 0.5e-3 * state.v, workspace);
    for (int i = 0; i < 3; ++i) {
      const Vec6& joint = report.joint_impulses[i];
      const Motion& S = workspace.columns[i].S;
      const double given = sprung ? -1e-3 * (0.3 * simulation.state().v[i] + 4 * simulation.state().q[i]) : 0;
      EXPECT_NEAR(S.angular.dot(joint.head<3>()) + S.linear.dot(joint.tail<3>()), given, 1e-14);
      EXPECT_GT(joint.tail<3>().norm(), 1e-3);
    }
  }
}

}  // namespace
}  // namespace carom::hybrid_dca_test
