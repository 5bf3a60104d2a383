// The problem of one step that is implicit in the geometry: its derivatives.

#include <gtest/gtest.h>

#include <optional>

#include "carom/complementarity/mixed/jacobian_check.h"
#include "carom/dynamics/joint_kinematics.h"
#include "carom/dynamics/recursions.h"
#include "carom/dynamics/tree_mass.h"
#include "carom/geometry/test/random_shapes.h"
#include "carom/stepper/quasi_rigid/contact_element.h"
#include "carom/stepper/quasi_rigid/element_finder.h"
#include "carom/stepper/quasi_rigid/quasi_rigid_problem.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_problem_test {
namespace {

Joint joint_of(JointType type, int parent, RandomShapes& random) {
  Joint joint;
  joint.type = type;
  joint.parent = parent;
  joint.X_PF = random.pose(0.3);
  joint.X_BM = random.pose(0.2);
  if (type == JointType::revolute) {
    joint.lower = VectorX::Constant(1, -3);
    joint.upper = VectorX::Constant(1, 3);
  }
  return joint;
}

/// A tree of revolute, spherical and universal joints, a free body with another free one told in its frame, and
/// constraints beside the tree.
Model mechanism(RandomShapes& random, SlipKinematics slip) {
  ModelBuilder builder;
  builder.set_gravity({0, 0, -9.81});
  Material rough{"rough", Vec2(0.3, 0.5), 0.0};
  rough.torsional_friction = 0.02;
  const int stone = builder.add_material(rough);
  rough.name = "soft";
  Layer layer;
  layer.stiffness = Vec3(500, 700, 900).asDiagonal();
  layer.stiffness(0, 1) = layer.stiffness(1, 0) = 60;
  layer.damping = Vec3(5, 4, 3).asDiagonal();
  layer.sideways = slip == SlipKinematics::of_layers;
  rough.layer = layer;
  const int rubber = builder.add_material(rough);
  const auto body = [&](const char* name, JointType type, int parent) {
    const Ellipsoid shape = random.ellipsoid();
    SpatialInertia inertia = test::solid(shape, 2);
    inertia.center = random.in_cube(0.1);
    const int number = builder.add_body(name, inertia);
    builder.add_joint(number, joint_of(type, parent, random));
    Collider collider{std::string(name) + " shape", number, shape, random.pose(0.1), number % 2 ? stone : rubber};
    if (number % 2 == 0) collider.friction_axis = random.direction();
    builder.add_collider(collider);
    return number;
  };
  const int arm = body("arm", JointType::revolute, -1);
  const int hand = body("hand", JointType::spherical, arm);
  body("finger", JointType::universal, hand);
  const int ball = body("ball", JointType::free, -1);
  body("moon", JointType::free, ball);
  const int box = builder.add_body("box", test::solid(Box{Vec3(0.1, 0.2, 0.3)}, 3));
  builder.add_collider({"box shape", box, Box{Vec3(0.1, 0.2, 0.3)}, random.pose(0.1), rubber});
  builder.add_collider({"floor", -1, HalfSpace{}, {random.rotation(), Vec3::Zero()}, stone});
  Constraint rod;
  rod.name = "rod";
  rod.kind = ConstraintKind::rod;
  rod.body_a = hand;
  rod.body_b = box;
  rod.X_AF.p = Vec3(0.1, 0, 0);
  rod.length = 0.4;
  builder.add_constraint(rod);
  return builder.build();
}

struct Posed {
  Model model;
  QuasiRigidStart start;
  std::vector<StepRow> rows;
  std::optional<ElementFinder> maker;
  std::vector<ContactElement> elements;
  QuasiRigidProblem problem;

  Posed(RandomShapes& random, SlipKinematics slip, DeflectionMeasure deflection = DeflectionMeasure::distance)
      : model(mechanism(random, slip)), problem(model) {
    start.h = 0.05;
    start.q = model.neutral_position();
    VectorX move(model.velocity_count());
    for (double& x : move) x = random.between(-0.4, 0.4);
    integrate(model, start.q, move, 1, start.q);
    start.free = move;
    DynamicsWorkspace workspace(model);
    forward_kinematics(model, start.q, workspace);
    for (const int root : moving_roots(model)) {
      start.masses.emplace_back();
      tree_mass_matrix(model, model.tree(root), workspace, start.masses.back());
    }
    Linearisation at;
    at.q = start.q;
    at.start = at.reach = at.applied = VectorX::Zero(move.size());
    std::vector<Contact> stops;
    ContactFinder finder(model);
    for (const Contact& contact : finder.find(model, start.q, workspace.X_WB, 10, 10)) {
      if (!contact.id.is_surface()) stops.push_back(contact);
    }
    StepRowMaker(model).make(model, start.h, at, workspace, stops, rows);
    Method method;
    method.stepper = StepperKind::quasi_rigid;
    method.quasi_rigid.slip = slip;
    method.quasi_rigid.deflection = deflection;
    maker.emplace(model, method);
    const int colliders = static_cast<int>(model.colliders().size());
    for (int k = 0; k < 6; ++k) {
      const int a = k, b = k < 3 ? colliders - 1 : (k + 2) % 6;
      const Contact contact = finder.nearest(model, a, b, workspace.X_WB);
      ContactElement element = maker->make(model, contact, false, workspace.X_WB, 1);
      element.start.of[0] = 0.001 * random.direction();
      element.sunk = random.between(-0.02, 0);
      elements.push_back(element);
    }
    problem.pose(start, rows, elements);
  }
};

void expect_derivatives(Posed posed, RandomShapes& random, int trial) {
  QuasiRigidProblem& problem = posed.problem;
  const int n = problem.size();
  VectorX lower(n), upper(n), z(n);
  problem.bounds(lower, upper);
  for (double& x : z) x = random.between(0.1, 0.9);
  for (const ContactElement& element : posed.elements) {
    // Impulses inside the cone or on its border, apart from its kinks, and normals that are not of unit length.
    z[element.law_index()] = 2;
    if (element.is_smooth) z.segment<3>(element.first + ClosestPointSystem::normal) += element.guess.segment<3>(6);
  }
  const MixedNcp dense{
      .lower = lower,
      .upper = upper,
      .function = [&](const MixedNcp::Input& x, Eigen::Ref<VectorX> F) { return problem.residual(x, F); },
      .dense_jacobian =
          [&](const MixedNcp::Input& x, Eigen::Ref<MatrixX> J) {
            problem.jacobian(x, J);
            return true;
          },
      .sparse_jacobian = {}};
  const JacobianReport report = check_jacobian(dense, z);
  EXPECT_TRUE(report.agrees) << trial << ": " << report.sentence << " row " << report.row << " column " << report.column
                             << " of " << n << ", velocities " << posed.model.velocity_count() << ", rows "
                             << posed.rows.size();
  MatrixX full = MatrixX::Zero(n, n);
  problem.jacobian(z, full);
  Eigen::SparseMatrix<double> sparse;
  problem.jacobian(z, sparse);
  EXPECT_LT((full - MatrixX(sparse)).cwiseAbs().maxCoeff(), 1e-12 * full.cwiseAbs().maxCoeff());
  // Once more elsewhere, into the pattern that is known then.
  for (double& x : z) x += random.between(-0.05, 0.05);
  full.setZero();
  problem.jacobian(z, full);
  problem.jacobian(z, sparse);
  EXPECT_LT((full - MatrixX(sparse)).cwiseAbs().maxCoeff(), 1e-12 * full.cwiseAbs().maxCoeff());
}

TEST(QuasiRigidProblem, JacobianIsThatOfDifferences) {
  RandomShapes random(8);
  for (int trial = 0; trial < 6; ++trial) {
    expect_derivatives({random, trial % 2 == 0 ? SlipKinematics::of_bodies : SlipKinematics::of_layers}, random, trial);
  }
}

TEST(QuasiRigidProblem, JacobianOfLevelsIsThatOfDifferences) {
  RandomShapes random(21);
  for (int trial = 0; trial < 4; ++trial) {
    const DeflectionMeasure measure = trial % 2 == 0 ? DeflectionMeasure::euclidean : DeflectionMeasure::algebraic;
    expect_derivatives({random, SlipKinematics::of_layers, measure}, random, trial);
  }
}

TEST(CarriedMotion, VelocitiesPassThroughWithoutBias) {
  // Quaternions whose norm is off by a few units in the last place, all to the same side.
  test::SceneMaker maker(0);
  maker.add(Sphere{0.1}, 1, Vec3::Zero());
  const auto model = maker.model();
  RandomShapes random(5);
  VectorX q = maker.state().q, w(6), v, back;
  double grown = 0;
  constexpr int trials = 20000;
  for (int trial = 0; trial < trials; ++trial) {
    const Quaternion turn(random.rotation());
    q.head<4>() = (1 + 1e-15) * Eigen::Vector4d(turn.w(), turn.x(), turn.y(), turn.z());
    w << random.direction(), random.direction();
    from_carried(*model, q, w, v);
    to_carried(*model, q, v, back);
    grown += (back - w).dot(w) / w.squaredNorm();
    EXPECT_LT((back - w).norm(), 1e-15 * w.norm());
  }
  EXPECT_LT(std::abs(grown / trials), 5e-18);
}

/// If a body turns about an axis in a plane, its points in that plane do not move along it: they can all stick.
TEST(ContactElement, CornersOfUnequalDepthActInOnePlane) {
  RandomShapes random(77);
  for (int trial = 0; trial < 200; ++trial) {
    const bool on_a = random.below(2) == 0;
    const Vec3 n = random.direction(), origin = random.in_cube(1), turn = n.cross(random.direction());
    const double side = 0.5 * random.below(3), sunk = random.between(-0.01, 0);
    Vec3 first = Vec3::Zero();
    for (int corner = 0; corner < 4; ++corner) {
      ContactElement element{.id = {}, .law = ContactLaw(Vec3::Zero(), {}, {}, SlipKinematics::of_bodies, {})};
      element.is_smooth = false;
      element.corner.corner_on_a = on_a;
      element.side = side;
      element.sunk = sunk;
      const double gap = random.between(-0.01, 0);
      const Vec3 foot = origin + n.cross(random.in_cube(1));
      const ElementGeometry geometry{on_a ? Vec3(foot + gap * n) : foot, on_a ? foot : Vec3(foot - gap * n), n, gap};
      const Vec3 x = impulse_point(element, geometry);
      if (corner == 0) first = x;
      const Vec3 moves = turn.cross(x - first);
      EXPECT_LT((moves - n * n.dot(moves)).norm(), 1e-14) << trial;
      // With its own depth it lies between the two surfaces, as said.
      element.sunk = gap;
      EXPECT_LT((impulse_point(element, geometry) - geometry.a1 - side * (geometry.a2 - geometry.a1)).norm(), 1e-15);
    }
  }
}

TEST(ElementFinder, DeflectionsAlongTheSurfaceTurnWithTheBodies) {
  RandomShapes random(3);
  Posed posed(random, SlipKinematics::of_layers);
  for (int trial = 0; trial < 20; ++trial) {
    ContactElement& element = posed.elements[static_cast<std::size_t>(trial % 6)];
    const Vec3 n = random.direction();
    const ElementFrame frame(n, random.direction());
    ContactMemory memory;
    memory.id = element.id;
    memory.tangent = (0.6 * frame.t + 0.8 * frame.o);
    memory.deflection[1] = random.in_cube(0.01);
    const double turn = random.between(-3, 3);
    ElementFinder::recall(memory, frame.R_WC(), turn, element);
    const Vec3 before = memory.deflection[1].x() * memory.tangent + memory.deflection[1].y() * n.cross(memory.tangent);
    const Vec3 after = element.remembered.of[1].x() * frame.t + element.remembered.of[1].y() * frame.o;
    EXPECT_LT((exponential(turn * n) * before - after).norm(), 1e-15) << trial;
    EXPECT_EQ(element.remembered.of[1].z(), memory.deflection[1].z());
  }
}

}  // namespace
}  // namespace carom::quasi_rigid_problem_test
