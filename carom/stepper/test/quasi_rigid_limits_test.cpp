// Stepper quasi-rigid on the same scenes as its limits, with the orders at which they meet. Stiffer and stiffer layers
// are compared with rigid contact. Rigid contact that is implicit in the geometry is compared with the exact cone of
// stewart-trinkle, and layers without a core with stepper compliant.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "carom/stepper/test/experiment.h"
#include "carom/stepper/test/mechanisms.h"

namespace carom::quasi_rigid_limits_test {
namespace {

using test::hinge_about_y;
using test::SceneMaker;

constexpr double g = 9.81;

Method limit_method(StepperKind stepper, double h) {
  Method method;
  method.stepper = stepper;
  method.step = h;
  if (stepper == StepperKind::stewart_trinkle) {
    method.cone = FrictionCone::exact;
    method.form = ContactForm::pure;
  }
  return method;
}

Material rigid(double friction) { return {"surface", Vec2(friction, friction), 0.0}; }

/// Springs of stiffness K in all directions, which give way along the surface too; α = C/K.
Material springs(double friction, double K, double alpha) {
  Material material = rigid(friction);
  Layer layer;
  layer.stiffness = Vec3(0.5, 0.7, 1).asDiagonal() * K;
  layer.damping = alpha * layer.stiffness;
  layer.sideways = true;
  material.layer = layer;
  return material;
}

/// Hertz's law with Hunt and Crossley's damping between two surfaces of this material, K and c of both together. As
/// layers it has 2^η K and 2 c on either, since each gives way by half. It also has a modulus for a tip of the radius
/// R.
Material hertzian(double friction, double K, double c, double R) {
  Material material = rigid(friction);
  Layer layer;
  layer.kind = LayerKind::hunt_crossley;
  layer.stiffness(2, 2) = std::pow(2, 1.5) * K;
  layer.dissipation = 2 * c;
  material.layer = layer;
  material.youngs_modulus = 2 * (1 - 0.3 * 0.3) * K / (4.0 / 3 * std::sqrt(R));
  material.dissipation = c;
  material.contact_radius = R;
  return material;
}

/// A scene of one material.
using Build = std::function<Simulation(const Material&, const Method&)>;

SceneMaker floor_of(const Material& material) {
  SceneMaker scene(0);
  scene.material = scene.builder.add_material(material);
  scene.add_static(HalfSpace{});
  return scene;
}

/// Falls by a millimetre, tilted, turns over and settles.
Simulation ellipsoid(const Material& material, const Method& method) {
  SceneMaker scene = floor_of(material);
  const Quaternion turn = exponential(Vec3(0.4, 0.3, 0.1));
  const Vec3 axes(0.12, 0.1, 0.07);
  const double height = (axes.asDiagonal() * (turn.conjugate() * Vec3::UnitZ())).norm();
  scene.add(Ellipsoid{axes}, 1, {0, 0, height + 1e-3}, {1.5, 0.6, 0}, turn, {1, 2, 1});
  return scene.simulation(method);
}

/// Falls by a millimetre onto its face, slides, and comes to rest.
Simulation box(const Material& material, const Method& method) {
  SceneMaker scene = floor_of(material);
  scene.add(Box{Vec3(0.2, 0.15, 0.05)}, 2, {0, 0, 0.051}, {0.7, 0.3, 0});
  return scene.simulation(method);
}

/// A box slides across a wider one that slides too.
Simulation stack(const Material& material, const Method& method) {
  SceneMaker scene = floor_of(material);
  scene.add(Box{Vec3(0.3, 0.25, 0.05)}, 2, {0, 0, 0.0505}, {0.6, 0, 0});
  scene.add(Box{Vec3(0.08, 0.06, 0.04)}, 1, {-0.1, 0, 0.1415}, {1.2, 0, 0});
  return scene.simulation(method);
}

/// Two cranks of 0.5 m and 0.6 m with a bar of 1 m between them, closed by a point. A ball under the bar meets the
/// floor.
Simulation loop(const Material& material, const Method& method) {
  const auto rod = [](double length) {
    return SpatialInertia{1, Vec3(length / 2, 0, 0),
                          Vec3(1e-3, length * length / 12, length * length / 12).asDiagonal()};
  };
  ModelBuilder builder;
  builder.set_gravity({0, 0, -g});
  const int surface = builder.add_material(material);
  const int crank = builder.add_body("crank", rod(0.5)), bar = builder.add_body("bar", rod(1));
  const int other = builder.add_body("other crank", rod(0.6));
  builder.add_joint(crank, hinge_about_y(-1, Vec3::Zero(), "a"));
  builder.add_joint(bar, hinge_about_y(crank, Vec3(0.5, 0, 0), "b"));
  // The second crank, turned by φ, reaches the bar's end at (0.5 cos 0.7 + 1, −0.5 sin 0.7).
  constexpr double tilt = 0.7, phi = 0.5;
  const Vec3 end(0.5 * std::cos(tilt) + 1, 0, -0.5 * std::sin(tilt));
  builder.add_joint(other, hinge_about_y(-1, end - 0.6 * Vec3(std::cos(phi), 0, -std::sin(phi)), "c"));
  Constraint closing;
  closing.name = "closing";
  closing.kind = ConstraintKind::ball;
  closing.body_a = bar;
  closing.body_b = other;
  closing.X_AF = {Mat3::Identity(), Vec3(1, 0, 0)};
  closing.X_BG = {Mat3::Identity(), Vec3(0.6, 0, 0)};
  builder.add_constraint(closing);
  builder.add_collider({"ball", bar, Sphere{0.05}, {Mat3::Identity(), Vec3(0.5, 0, 0)}, surface});
  builder.add_collider({"floor", -1, HalfSpace{}, {Mat3::Identity(), Vec3(0, 0, end.z() - 0.051)}, surface});
  const auto model = std::make_shared<const Model>(builder.build());
  State state;
  state.q = state.v = VectorX::Zero(3);
  const auto angle = [&](int body) -> double& { return state.q[model->joints()[body].q_index]; };
  angle(crank) = tilt;
  angle(bar) = -tilt;
  angle(other) = phi;
  return {model, method, state};
}

/// Configurations every 20 ms.
std::vector<VectorX> path_of(const Build& build, const Material& material, const Method& method, double duration) {
  constexpr double spacing = 0.02;
  Simulation simulation = build(material, method);
  const long every = std::lround(spacing / method.step);
  std::vector<VectorX> path;
  for (long k = 1; k <= std::lround(duration / method.step); ++k) {
    const SolveStatus status = simulation.step().status;
    EXPECT_EQ(status, SolveStatus::solved) << simulation.state().time;
    if (status != SolveStatus::solved) break;
    if (k % every == 0) path.push_back(simulation.state().q);
  }
  return path;
}

/// The largest of their distances.
double apart(const std::vector<VectorX>& a, const std::vector<VectorX>& b) {
  EXPECT_EQ(a.size(), b.size());
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

/// The ellipsoid above on Hertz's law with Hunt and Crossley's damping and Coulomb's friction of what slides, by the
/// classical method of Runge and Kutta: Newton's and Euler's equations with the lowest point in closed form.
struct SinkingEllipsoid {
  using Vector = Eigen::Matrix<double, 13, 1>;  // quaternion, position, spin (body axes), velocity (world axes)
  double friction, K, c;
  Vec3 axes{0.12, 0.1, 0.07};

  Vector rate(const Vector& y) const {
    const Quaternion turn = Quaternion(y[0], y[1], y[2], y[3]).normalized();
    const Vec3 spin = y.segment<3>(7), v = y.segment<3>(10),
               inertia = test::solid(Ellipsoid{axes}, 1).central.diagonal();
    const Vec3 up = turn.conjugate() * Vec3::UnitZ(), scaled = axes.cwiseProduct(up);
    const double depth = scaled.norm() - y[6];
    Vec3 force = Vec3::Zero(), arm = Vec3::Zero();
    if (depth > 0) {
      // Half way between the lowest point and the floor beneath it, as both give way alike.
      arm = turn * Vec3(-axes.cwiseProduct(scaled) / scaled.norm()) + 0.5 * depth * Vec3::UnitZ();
      const Vec3 u = v + (turn * spin).cross(arm);
      force.z() = std::max(0.0, K * std::pow(depth, 1.5) * (1 - 1.5 * c * u.z()));
      force.head<2>() = -friction * force.z() * u.head<2>().normalized();
    }
    const Quaternion roll(0, spin.x(), spin.y(), spin.z());
    const Vec3 moment = turn.conjugate() * arm.cross(force);
    Vector dy;
    const Quaternion dq = turn * roll;
    dy << 0.5 * dq.w(), 0.5 * dq.vec(), v, (moment - spin.cross(inertia.cwiseProduct(spin))).cwiseQuotient(inertia),
        force - g * Vec3::UnitZ();
    return dy;
  }
};

std::vector<VectorX> sinking_ellipsoid(double friction, double K, double c, double duration) {
  const Simulation start = ellipsoid(rigid(0), limit_method(StepperKind::implicit_geometry, 1e-3));
  const SinkingEllipsoid body{friction, K, c};
  SinkingEllipsoid::Vector y;
  const Quaternion turn = test::orientation(start, 0);
  y << start.state().q, start.state().v.head<3>(), turn * Vec3(start.state().v.tail<3>());
  constexpr double dt = 2e-5;
  std::vector<VectorX> path;
  for (long k = 1; k <= std::lround(duration / dt); ++k) {
    const auto a = body.rate(y), b = body.rate(y + dt / 2 * a), d = body.rate(y + dt / 2 * b),
               e = body.rate(y + dt * d);
    y += dt / 6 * (a + 2 * b + 2 * d + e);
    y.head<4>().normalize();
    if (k % 1000 == 0) path.emplace_back(y.head<7>());
  }
  return path;
}

struct Case {
  std::string name;
  Build build;
  double duration;
  bool turns;  ///< normals turn within a step
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class QuasiRigidLimits : public testing::TestWithParam<Case> {};

TEST_P(QuasiRigidLimits, StiffLayersBecomeRigidAtFirstOrderInTheirCompliance) {
  const Case& one = GetParam();
  constexpr double h = 2e-3, friction = 0.3;
  const auto exact = path_of(one.build, rigid(friction), limit_method(StepperKind::implicit_geometry, h), one.duration);
  for (const SlipKinematics slip : {SlipKinematics::of_bodies, SlipKinematics::of_layers}) {
    for (const double alpha : {0.0, h}) {
      Method method = limit_method(StepperKind::quasi_rigid, h);
      method.quasi_rigid.slip = slip;
      std::vector<double> error;
      for (const double K : {1e9, 1e10, 1e11}) {
        error.push_back(apart(path_of(one.build, springs(friction, K, alpha), method, one.duration), exact));
      }
      EXPECT_NEAR(error[0] / error[1], 10, 0.2) << alpha;
      EXPECT_NEAR(error[1] / error[2], 10, 0.2) << alpha;
      EXPECT_LT(error[2], 1e-7) << alpha;
    }
  }
}

/// Both solve the same equations while normals do not turn.
TEST_P(QuasiRigidLimits, RigidContactIsThatOfTheExactConeAtFirstOrderInTheStep) {
  const Case& one = GetParam();
  std::vector<double> error;
  for (const double h : {4e-3, 2e-3, 1e-3, 5e-4}) {
    const auto ours = path_of(one.build, rigid(0.3), limit_method(StepperKind::implicit_geometry, h), one.duration);
    const auto theirs = path_of(one.build, rigid(0.3), limit_method(StepperKind::stewart_trinkle, h), one.duration);
    error.push_back(apart(ours, theirs));
    if (!one.turns) {
      EXPECT_LT(error.back(), 1e-6) << h;
    }
  }
  if (!one.turns) return;
  EXPECT_LT(error[3], error[0] / 6);
  EXPECT_LT(error[3], 1e-4);
}

/// All of it slides throughout, faster than the transition speed: friction is Coulomb's in both.
TEST_P(QuasiRigidLimits, LayersWithoutACoreAreTheCompliantModelAtFirstOrderInTheStep) {
  const Case& one = GetParam();
  constexpr double duration = 0.1;
  struct Law {
    double friction, dissipation;
  };
  for (const Law& law : {Law{0, 0}, Law{0.3, 0.5}}) {
    const Material material = hertzian(law.friction, 2e4, law.dissipation, 0.05);
    const auto exact = one.turns ? sinking_ellipsoid(law.friction, 2e4, law.dissipation, duration)
                                 : path_of(one.build, material, limit_method(StepperKind::compliant, 0.02), duration);
    std::vector<double> error;
    for (const double h : {4e-4, 2e-4, 1e-4}) {
      error.push_back(apart(path_of(one.build, material, limit_method(StepperKind::quasi_rigid, h), duration), exact));
    }
    EXPECT_NEAR(error[0] / error[1], 2, 0.3) << law.friction;
    EXPECT_NEAR(error[1] / error[2], 2, 0.3) << law.friction;
    EXPECT_LT(error[2], 1e-3) << law.friction;
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, QuasiRigidLimits,
                         testing::Values(Case{"Ellipsoid", ellipsoid, 0.3, true}, Case{"Box", box, 0.24, false},
                                         Case{"Stack", stack, 0.14, false}, Case{"Loop", loop, 0.3, false}),
                         name_of);

/// If a load can be borne in several ways, layers choose the elastic one however stiff they are. Rigid contact may
/// choose another. If what slides also turns, that makes another motion.
TEST(QuasiRigidLimit, OfARedundantContactIsTheElasticOne) {
  constexpr double h = 2e-3, friction = 0.3;
  const Build turning = [](const Material& material, const Method& method) {
    SceneMaker scene = floor_of(material);
    scene.add(Box{Vec3(0.3, 0.25, 0.05)}, 2, {0, 0, 0.05}, {0.6, 0.2, 0});
    scene.add(Box{Vec3(0.08, 0.06, 0.04)}, 1, {-0.1, 0, 0.14}, {1.2, 0.5, 0});
    return scene.simulation(method);
  };
  std::vector<std::vector<VectorX>> paths;
  for (const double K : {1e8, 1e9, 1e10}) {
    paths.push_back(path_of(turning, springs(friction, K, h), limit_method(StepperKind::quasi_rigid, h), 0.14));
  }
  EXPECT_NEAR(apart(paths[0], paths[1]) / apart(paths[1], paths[2]), 10, 0.5);
  const auto rigid_path = path_of(turning, rigid(friction), limit_method(StepperKind::implicit_geometry, h), 0.14);
  EXPECT_LT(apart(paths[2], rigid_path), 1e-3);
}

}  // namespace
}  // namespace carom::quasi_rigid_limits_test
