#include "carom/scene/scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <random>
#include <string>

#include "carom/dynamics/recursions.h"
#include "carom/dynamics/workspace.h"
#include "testing/folders.h"

namespace carom::scene_test {
namespace {

constexpr double pi = std::numbers::pi;
const std::string run_keys = "method: {step: 0.01}\nduration: 1\n";

Scene parse(const std::string& text) { return parse_scene(text, "test.yaml"); }

/// A scene of these bodies (and what follows them) without gravity and with one material.
Scene mechanism(const std::string& text) {
  return parse("carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: all, friction: 0.5}]\n" + text + run_keys);
}

std::string faults(const std::string& text, const SceneOverrides& overrides = {}) {
  try {
    static_cast<void>(parse_scene(text, "test.yaml", overrides));
  } catch (const SceneError& error) {
    return error.what();
  }
  return {};
}

/// Poses and velocities in the world of the bodies at the scene's start, from the model's own kinematics.
struct Start {
  explicit Start(const Scene& scene) : workspace(*scene.model) {
    forward_kinematics(*scene.model, scene.initial.q, workspace);
    forward_velocity(*scene.model, scene.initial.q, scene.initial.v, workspace);
  }
  Vec3 velocity(int body) const { return workspace.X_WB[body].R * workspace.V[body].tail<3>(); }
  Vec3 angular_velocity(int body) const { return workspace.X_WB[body].R * workspace.V[body].head<3>(); }
  DynamicsWorkspace workspace;
};

TEST(Scene, has_the_exact_cone_unless_it_asks_for_a_polygon) {
  const auto method = [](const std::string& more) {
    return parse_scene(
               "carom: 1\ngravity: [0, 0, -9.81]\nbodies: [{name: b, inertia: {mass: 1, moments: [1, 1, 1]}}]\n"
               "method: {step: 0.01" +
                   more + "}\nduration: 1\n",
               "s.yaml")
        .method;
  };
  EXPECT_EQ(method("").cone, FrictionCone::exact);
  EXPECT_EQ(method(", cone: polyhedral").cone, FrictionCone::polyhedral);
  EXPECT_EQ(method(", directions: 12").cone, FrictionCone::polyhedral);
  EXPECT_EQ(method(", directions: 12").directions, 12);
  EXPECT_EQ(method(", form: mixed, dynamics: dense").cone, FrictionCone::polyhedral);
  EXPECT_EQ(method(", stepper: hybrid-dca, form: handles").cone, FrictionCone::polyhedral);
  EXPECT_THROW(method(", cone: exact, directions: 12"), SceneError);
  EXPECT_THROW(method(", cone: exact, form: mixed, dynamics: dense"), SceneError);
}

TEST(Scene, holds_what_the_file_says) {
  const Scene scene = load_scene(source_folder() + "/scenes/stewart2000/four_balls.yaml");
  EXPECT_EQ(scene.name, "four balls");
  EXPECT_EQ(scene.model->gravity(), Vec3(0, 0, -9.81));
  ASSERT_EQ(scene.model->body_count(), 4);
  EXPECT_EQ(scene.model->velocity_count(), 24);
  EXPECT_EQ(scene.model->bodies()[0].name, "thrown");
  EXPECT_EQ(scene.model->bodies()[3].inertia.mass, 1);
  EXPECT_EQ(scene.model->bodies()[3].inertia.central, Mat3(Vec3::Constant(0.004).asDiagonal()));
  EXPECT_EQ(scene.method.stepper, StepperKind::stewart_trinkle);
  EXPECT_EQ(scene.method.step, 0.0025);
  EXPECT_EQ(scene.method.directions, 8);
  EXPECT_EQ(scene.steps(), 400);
  EXPECT_EQ(scene.record.every, 1);
  EXPECT_TRUE(scene.record.contacts);
  EXPECT_FALSE(scene.record.traces);
  const Start start(scene);
  EXPECT_EQ(start.workspace.X_WB[0].p, Vec3(0, 0, 1));
  EXPECT_TRUE(start.workspace.X_WB[2].p.isApprox(Vec3(1.2 + 1e-5, 0, 0.1), 1e-15));
  EXPECT_TRUE(start.workspace.X_WB[3].p.isApprox(Vec3(1.4 + 2e-5, 0, 0.1), 1e-15));
  EXPECT_EQ(start.velocity(0), Vec3(1.5, 0.1, 0));
  EXPECT_EQ(start.velocity(1), Vec3(0, 0, 0));
}

TEST(Scene, rod_has_the_coordinates_of_the_paper) {
  for (const char* file : {"falling_rod.yaml", "falling_rod_printed.yaml"}) {
    const Scene scene = load_scene(source_folder() + "/scenes/stewart2000/" + file);
    ASSERT_EQ(scene.model->position_count(), 3);
    EXPECT_TRUE(scene.initial.q.isApprox(Vec3(0, 1, pi / 6), 1e-15));
    EXPECT_EQ(scene.initial.v, Vec3(0, 0, 4));
    const Start start(scene);
    const Transform& X = start.workspace.X_WB[0];
    EXPECT_TRUE(X.R.col(0).isApprox(Vec3(std::sqrt(0.75), 0.5, 0), 1e-15));
    EXPECT_TRUE(start.angular_velocity(0).isApprox(Vec3(0, 0, 4), 1e-15));
    const auto& colliders = scene.model->colliders();
    for (std::size_t i = 1; i < colliders.size(); ++i) EXPECT_TRUE(scene.model->may_collide(0, static_cast<int>(i)));
    EXPECT_TRUE(colliders[0].X_BS.R.col(2).isApprox(Vec3(0, 1, 0), 0)) << "right angles are exact";
  }
}

TEST(Scene, world_velocities_become_those_of_the_joint) {
  const Scene scene = mechanism(R"(
bodies:
  - name: brick
    shapes: [{type: box, size: [1, 2, 3]}]
    mass: 1
    position: [1, 2, 3]
    orientation: {axis: [0, 0, 1], angle: 90 deg}
    velocity: [1, 0, 0]
    angular_velocity: [0, 180 deg/s, 2]
)");
  const VectorX& q = scene.initial.q;
  const VectorX& v = scene.initial.v;
  EXPECT_TRUE(q.isApprox((VectorX(7) << std::sqrt(0.5), 0, 0, std::sqrt(0.5), 1, 2, 3).finished(), 1e-15));
  // The body's x axis points along the world's y: the world's (1, 0, 0) is (0, −1, 0) in the body.
  EXPECT_TRUE(v.isApprox((VectorX(6) << pi, 0, 2, 0, -1, 0).finished(), 1e-15));
}

TEST(Scene, a_body_freed_from_a_moving_parent_keeps_its_motion_in_the_world) {
  const Scene scene = mechanism(R"(
bodies:
  - name: rider
    shapes: [{type: sphere, radius: 0.1}]
    mass: 1
    position: [0.3, -0.2, 0.9]
    orientation: {roll_pitch_yaw: [0.3, -0.4, 2]}
    velocity: [1, 2, 3]
    angular_velocity: [-1, 0.5, 4]
  - name: arm
    shapes: [{type: sphere, radius: 0.1}]
    mass: 1
joints:
  - {name: hinge, type: revolute, parent: world, child: arm, axis: [1, 2, 3], position: 0.7, velocity: -3,
     on_parent: {position: [1, 0, 0]}, on_child: {position: [0, 0.5, 0]}}
  - {name: seat, type: free, parent: arm, child: rider, on_parent: {position: [0, 1, 0], orientation: {z_axis: [1, 1, 0]}},
     on_child: {position: [0.2, 0, 0], orientation: {axis: [0, 1, 0], angle: 20 deg}}}
)");
  const Start start(scene);
  const int rider = 1;
  ASSERT_EQ(scene.model->bodies()[rider].name, "rider");
  const Mat3 R = (Eigen::AngleAxisd(2, Vec3::UnitZ()) * Eigen::AngleAxisd(-0.4, Vec3::UnitY()) *
                  Eigen::AngleAxisd(0.3, Vec3::UnitX()))
                     .toRotationMatrix();
  EXPECT_TRUE(start.workspace.X_WB[rider].R.isApprox(R, 1e-14));
  EXPECT_TRUE(start.workspace.X_WB[rider].p.isApprox(Vec3(0.3, -0.2, 0.9), 1e-14));
  EXPECT_TRUE(start.velocity(rider).isApprox(Vec3(1, 2, 3), 1e-14));
  EXPECT_TRUE(start.angular_velocity(rider).isApprox(Vec3(-1, 0.5, 4), 1e-14));
}

TEST(Scene, joints_start_where_their_coordinates_say) {
  const Scene scene = mechanism(R"(
bodies:
  - {name: a, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: b, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: c, shapes: [{type: sphere, radius: 0.1}], mass: 1}
joints:
  - {name: hinge, type: revolute, parent: world, child: a, axis: [0, 1, 0], position: -90 deg, velocity: 90 deg/s,
     limits: {lower: -180 deg}, damping: 2}
  - {name: slide, type: prismatic, parent: a, child: b, axis: [1, 0, 0], position: 2, velocity: 3,
     spring: {stiffness: 5, rest: 0.5}}
  - {name: ball, type: spherical, parent: b, child: c, position: [0, 1, 0, 0], velocity: [1, 2, 3], damping: [1, 2, 3]}
)");
  const Start start(scene);
  // Turning x by −90° about y gives z; the slide carries b two metres along it.
  EXPECT_TRUE(start.workspace.X_WB[1].p.isApprox(Vec3(0, 0, 2), 1e-15));
  EXPECT_TRUE(start.workspace.X_WB[0].R.isApprox(Eigen::AngleAxisd(-pi / 2, Vec3::UnitY()).toRotationMatrix(), 1e-15));
  // ω = (0, π/2, 0) at (0, 0, 2) gives (π, 0, 0), and the slide 3 along z.
  EXPECT_TRUE(start.velocity(1).isApprox(Vec3(pi, 0, 3), 1e-15));
  const auto& joints = scene.model->joints();
  EXPECT_EQ(joints[0].lower[0], -pi);
  EXPECT_EQ(joints[0].upper[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(joints[0].damping[0], 2);
  EXPECT_EQ(joints[1].stiffness[0], 5);
  EXPECT_EQ(joints[1].rest[0], 0.5);
  EXPECT_EQ(joints[2].damping, Vec3(1, 2, 3));
  EXPECT_EQ(scene.initial.q.tail<4>(), Eigen::Vector4d(0, 1, 0, 0));
  EXPECT_EQ(scene.initial.v.tail<3>(), Vec3(1, 2, 3));
}

TEST(Scene, joints_of_several_coordinates_say_what_each_is) {
  const Scene scene = mechanism(R"(
bodies:
  - {name: a, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: b, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: c, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: d, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: e, shapes: [{type: sphere, radius: 0.1}], mass: 1}
joints:
  - {name: nut, type: screw, parent: world, child: a, axis: [1, 0, 0], pitch: 0.5, position: 180 deg, velocity: 2,
     reflected_inertia: 0.1}
  - {name: sleeve, type: cylindrical, parent: world, child: b, axis: [0, 1, 0], position: [90 deg, 3],
     limits: {lower: [-180 deg, 0]}, reflected_inertia: [0.2, 4]}
  - {name: cross, type: universal, parent: world, child: c, position: [90 deg, 90 deg], velocity: [1, 30 deg/s],
     spring: {stiffness: [5, 6], rest: [10 deg, 0]}}
  - {name: pin, type: slot, parent: world, child: d, position: [2, 90 deg], reflected_inertia: 3}
  - {name: own, type: twists, parent: world, child: e, position: [1, 90 deg], velocity: [2, 3], damping: 1,
     twists: [{linear: [0, 0, 2]}, {angular: [0, 0, 1], linear: [0, -1, 0]}]}
)");
  const Start start(scene);
  const auto turned = [](double angle, const Vec3& axis) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); };
  const auto& X_WB = start.workspace.X_WB;
  const auto& joints = scene.model->joints();
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  EXPECT_EQ(joints[0].pitch, 0.5);
  EXPECT_EQ(joints[0].reflected_inertia[0], 0.1);
  EXPECT_LT((X_WB[0].p - Vec3(0.5 * pi, 0, 0)).norm(), 1e-14);
  EXPECT_LT((start.velocity(0) - Vec3(1, 0, 0)).norm(), 1e-14);
  EXPECT_LT((X_WB[1].p - Vec3(0, 3, 0)).norm(), 1e-14);
  EXPECT_LT((X_WB[1].R - turned(pi / 2, y)).norm(), 1e-14);
  EXPECT_EQ(joints[1].lower, Vec2(-pi, 0));
  EXPECT_EQ(joints[1].reflected_inertia, Vec2(0.2, 4));
  EXPECT_LT((X_WB[2].R - turned(pi / 2, x) * turned(pi / 2, y)).norm(), 1e-14);
  // About x, and about the y that has turned to the world's z.
  EXPECT_LT((start.angular_velocity(2) - Vec3(1, 0, pi / 6)).norm(), 1e-14);
  EXPECT_EQ(joints[2].rest, Vec2(pi / 18, 0));
  EXPECT_LT((X_WB[3].p - 2 * x).norm(), 1e-14);
  EXPECT_LT((X_WB[3].R - turned(pi / 2, z)).norm(), 1e-14);
  EXPECT_EQ(joints[3].reflected_inertia, Vec2(3, 3));
  // Turned about the vertical through (1, 0), two metres up.
  EXPECT_LT((X_WB[4].p - Vec3(1, -1, 2)).norm(), 1e-14);
  EXPECT_LT((start.velocity(4) - Vec3(3, 0, 4)).norm(), 1e-14);
  EXPECT_EQ(joints[4].damping, Vec2(1, 1));
}

TEST(Scene, springs_of_rotations_are_slack_at_an_orientation) {
  const Scene scene = mechanism(R"(
bodies:
  - {name: a, shapes: [{type: sphere, radius: 0.1}], mass: 1}
  - {name: b, shapes: [{type: sphere, radius: 0.1}], mass: 1}
joints:
  - {name: ball, type: spherical, parent: world, child: a, friction: 0.3, reflected_inertia: 0.2,
     spring: {stiffness: 5, rest: {axis: [0, 1, 0], angle: 90 deg}}}
  - {name: held, type: free, parent: world, child: b, friction: [1, 2, 3, 4, 5, 6],
     spring: {stiffness: [5, 5, 5, 7, 7, 7], rest: {position: [1, 2, 3], orientation: {axis: [1, 0, 0], angle: 180 deg}}}}
)");
  const auto& joints = scene.model->joints();
  EXPECT_EQ(joints[0].stiffness, VectorX::Constant(3, 5));
  EXPECT_EQ(joints[0].friction, VectorX::Constant(3, 0.3));
  EXPECT_EQ(joints[0].reflected_inertia, VectorX::Constant(3, 0.2));
  EXPECT_LT((joints[0].rest - Vec3(0, pi / 2, 0)).norm(), 1e-15);
  EXPECT_EQ(joints[1].stiffness[5], 7);
  EXPECT_EQ(joints[1].friction[5], 6);
  EXPECT_EQ(joints[1].rest.tail<3>(), Vec3(1, 2, 3));
  EXPECT_LT((joints[1].rest.head<3>().cwiseAbs() - Vec3(pi, 0, 0)).norm(), 1e-15);
}

TEST(Scene, inertia_of_solids_follows_from_density_or_mass) {
  const double r = 0.2, density = 500, ball = density * 4 / 3 * pi * r * r * r;
  const std::string shapes =
      "shapes: [{type: sphere, radius: 0.2, position: [1, 0, 0]}, "
      "{type: sphere, radius: 0.2, position: [-1, 0, 0]}]";
  for (const std::string& key : {std::string("density: 500"), "mass: " + std::to_string(2 * ball)}) {
    const Scene scene = mechanism("bodies: [{name: dumbbell, " + shapes + ", " + key + "}]\n");
    const SpatialInertia& inertia = scene.model->bodies()[0].inertia;
    const double round = 0.4 * ball * r * r;
    EXPECT_NEAR(inertia.mass, 2 * ball, 1e-6);
    EXPECT_NEAR(inertia.center.norm(), 0, 1e-12);
    const Vec3 moments(2 * round, 2 * round + 2 * ball, 2 * round + 2 * ball);
    EXPECT_TRUE(inertia.central.isApprox(Mat3(moments.asDiagonal()), 1e-7));
  }
}

TEST(Scene, inertia_may_be_given_in_its_own_axes) {
  const Scene scene = mechanism(R"(
bodies:
  - name: a
    inertia: {mass: 2, center: [1, 2, 3], moments: [1, 2, 2.5], orientation: {axis: [0, 0, 1], angle: 90 deg}}
  - name: b
    inertia: {mass: 2, matrix: [2, 3, 4, 0.1, 0.2, 0.3]}
  - name: c
    inertia: {mass: 2, matrix: [[2, 0.1, 0.2], [0.1, 3, 0.3], [0.2, 0.3, 4]]}
)");
  const auto& bodies = scene.model->bodies();
  EXPECT_EQ(bodies[0].inertia.center, Vec3(1, 2, 3));
  EXPECT_TRUE(bodies[0].inertia.central.isApprox(Mat3(Vec3(2, 1, 2.5).asDiagonal()), 1e-15));
  EXPECT_EQ(bodies[1].inertia.central, bodies[2].inertia.central);
  EXPECT_EQ(bodies[1].inertia.central(0, 1), 0.1);
  EXPECT_EQ(bodies[1].inertia.central(2, 1), 0.3);
}

TEST(Scene, combines_materials_by_the_rule_written_out) {
  struct Case {
    const char* rule;
    double friction;
  };
  for (const Case& each : {Case{"minimum", 0.2}, Case{"maximum", 0.8}, Case{"average", 0.5},
                           Case{"geometric-mean", 0.4}, Case{"product", 0.16}}) {
    const Scene scene = parse(std::string("carom: 1\ngravity: [0, 0, 0]\nmaterials:\n"
                                          "  - {name: a, friction: 0.2}\n  - {name: b, friction: [0.8, 0.8]}\n"
                                          "  - {name: c, friction: {x: 0.1, y: 0.3}}\n"
                                          "pairs: [{materials: [c, a], friction: [0.7, 0.6]}]\n"
                                          "combination: {friction: ") +
                              each.rule +
                              ", restitution: minimum}\nbodies: [{name: x, mass: 1, "
                              "shapes: [{type: sphere, radius: 1, material: b}]}]\n" +
                              run_keys);
    const ContactMaterial ab = scene.model->contact_material(0, 1), ca = scene.model->contact_material(2, 0);
    EXPECT_NEAR(ab.friction.x(), each.friction, 1e-15) << each.rule;
    EXPECT_NEAR(ab.friction.y(), each.friction, 1e-15) << each.rule;
    EXPECT_EQ(ca.friction, Vec2(0.7, 0.6)) << "a pair that is named is not combined";
    EXPECT_EQ(scene.model->colliders()[0].material, 1);
  }
}

TEST(Scene, shapes_stand_where_they_are_put) {
  const Scene scene = mechanism(R"(
world:
  shapes:
    - {type: half-space, normal: [3, 0, 4], point: [1, 2, 3]}
    - {type: half-space}
    - {type: box, size: [2, 4, 6], name: step, position: [0, 0, -3], orientation: [0, 0, 0, 1]}
bodies:
  - {name: pill, mass: 1, shapes: [{type: capsule, radius: 0.1, length: 0.6, orientation: {z_axis: [0, -1, 0]}}]}
collisions: {exclude: [[pill, world]]}
)");
  const auto& colliders = scene.model->colliders();
  ASSERT_EQ(colliders.size(), 4u);
  EXPECT_EQ(colliders[0].name, "world/half-space-1");
  EXPECT_EQ(colliders[2].name, "world/step");
  EXPECT_EQ(colliders[3].name, "pill/capsule");
  EXPECT_TRUE(colliders[0].X_BS.R.col(2).isApprox(Vec3(0.6, 0, 0.8), 1e-15));
  EXPECT_NEAR(colliders[0].X_BS.R.determinant(), 1, 1e-15);
  EXPECT_EQ(colliders[0].X_BS.p, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Box>(colliders[2].shape).half_extents, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<Capsule>(colliders[3].shape).half_length, 0.3);
  EXPECT_EQ(colliders[3].X_BS.R.col(2), Vec3(0, -1, 0));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(scene.model->may_collide(i, 3));
}

TEST(Scene, a_body_fixed_to_the_world_needs_no_inertia_and_may_carry_a_half_space) {
  const Scene scene = mechanism(R"(
bodies:
  - {name: ramp, shapes: [{type: half-space}]}
  - {name: ball, shapes: [{type: sphere, radius: 1}], mass: 1}
joints:
  - {name: bolt, type: fixed, parent: world, child: ramp, on_parent: {orientation: {axis: [0, 1, 0], angle: 20 deg}}}
)");
  EXPECT_TRUE(scene.model->is_static(0));
  EXPECT_TRUE(scene.model->may_collide(0, 1));
}

TEST(Scene, aliases_stand_for_what_they_name) {
  const Scene scene = mechanism(
      "bodies:\n  - {name: a, shapes: &s [{type: sphere, radius: 0.5}], density: &d 1000}\n"
      "  - {name: b, shapes: *s, density: *d}\n");
  EXPECT_EQ(scene.model->bodies()[0].inertia.mass, scene.model->bodies()[1].inertia.mass);
  EXPECT_EQ(scene.model->colliders()[1].name, "b/sphere");
}

TEST(Scene, says_how_smooth_parts_are_taken) {
  const auto smooth = [](const std::string& keys, const SceneOverrides& overrides = {}) {
    return parse_scene(
               "carom: 1\ngravity: [0, 0, 0]\nbodies: [{name: a, mass: 1, shapes: [{type: sphere, radius: 1}]}]\n"
               "materials: [{name: all, friction: 0}]\nmethod: {step: 0.01" +
                   keys + "}\nduration: 1\n",
               "test.yaml", overrides)
        .method.smooth;
  };
  EXPECT_EQ(smooth(""), SmoothParts::first_order);
  EXPECT_EQ(smooth(", smooth: second-order"), SmoothParts::second_order);
  SceneOverrides overrides;
  overrides.smooth = SmoothParts::second_order;
  EXPECT_EQ(smooth("", overrides), SmoothParts::second_order);
  EXPECT_THROW(smooth(", gyroscopic: explicit, smooth: second-order"), SceneError);
}

TEST(Scene, is_checked_with_the_overrides_in_force) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: all, friction: 0.5, restitution: 0.5}]\n"
      "bodies: [{name: a, mass: 1, shapes: [{type: sphere, radius: 1}]}]\nmethod: {step: 0.01}\nduration: 1\n";
  EXPECT_NE(faults(text).find("law none would ignore it"), std::string::npos);
  SceneOverrides overrides;
  overrides.law = LawKind::newton;
  overrides.stepper = StepperKind::anitescu_potra;
  overrides.dynamics = DynamicsKind::dense;
  overrides.step = 0.05;
  overrides.duration = 2;
  const Scene scene = parse_scene(text, "test.yaml", overrides);
  EXPECT_EQ(scene.method.law, LawKind::newton);
  EXPECT_EQ(scene.method.stepper, StepperKind::anitescu_potra);
  EXPECT_EQ(scene.method.dynamics, DynamicsKind::dense);
  EXPECT_EQ(scene.steps(), 40);
  overrides.step = 0.03;
  EXPECT_NE(faults(text, overrides).find("whole number of steps"), std::string::npos);
  overrides.step = -1;
  EXPECT_NE(faults(text, overrides).find("step is -1"), std::string::npos);
}

TEST(Scene, what_is_asked_for_replaces_a_gap_in_the_file) {
  const std::string text =
      "carom: 1\ngravity: [0, 0, 0]\nmethod: {stepper: STEP, law: LAW, dynamics: DYN, step: 0.01}\nduration: 1\n"
      "bodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\n";
  EXPECT_NE(faults(text).find("unknown stepper 'STEP'"), std::string::npos) << faults(text);
  SceneOverrides asked;
  asked.stepper = StepperKind::semi_explicit;
  EXPECT_EQ(faults(text, asked).find("STEP"), std::string::npos);
  EXPECT_NE(faults(text, asked).find("unknown law 'LAW'"), std::string::npos);
  asked.law = LawKind::plus;
  asked.dynamics = DynamicsKind::dense;
  EXPECT_EQ(faults(text, asked), "");
  EXPECT_EQ(parse_scene(text, "test.yaml", asked).method.stepper, StepperKind::semi_explicit);
}

TEST(Scene, misspelt_words_of_the_method_are_guessed) {
  for (const auto& [line, guess] :
       {std::pair("stepper: semi-explict", "did you mean 'semi-explicit'?"),
        std::pair("stepper: event-driven, law: pluss", "did you mean 'plus'?"),
        std::pair("dynamics: articulatd", "did you mean 'articulated'?"),
        std::pair("cone: exakt", "did you mean 'exact'?"), std::pair("overlap: psh", "did you mean 'push'?"),
        std::pair("stepper: xyz", "there are: stewart-trinkle, ")}) {
    const std::string told = faults("carom: 1\ngravity: [0, 0, 0]\nmethod: {" + std::string(line) +
                                    ", step: 0.01}\nduration: 1\nbodies: [{name: a, inertia: {mass: 1, moments: "
                                    "[1, 1, 1]}}]\n");
    EXPECT_NE(told.find(guess), std::string::npos) << told;
  }
}

TEST(Scene, a_limit_that_is_a_word_is_told_of_the_word_that_it_may_be) {
  const auto told = [](const std::string& limit) {
    return faults(
        "carom: 1\ngravity: [0, 0, 0]\nmethod: {step: 0.01}\nduration: 1\n"
        "bodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\n"
        "joints: [{name: j, type: revolute, parent: world, child: a}]\n"
        "drives: [{name: s, type: servo, joint: j, target: 0, stiffness: 1, limit: " +
        limit + "}]\n");
  };
  EXPECT_NE(told("zzzz").find("unknown limit 'zzzz'; write a number, N or N m, or for the effort of the model file: "
                              "file"),
            std::string::npos)
      << told("zzzz");
  EXPECT_NE(told("flie").find("did you mean 'file'?"), std::string::npos) << told("flie");
  EXPECT_EQ(told("3"), "");
}

TEST(Scene, a_rule_of_restitution_is_asked_for_where_something_rebounds) {
  const auto told = [](const std::string& restitution) {
    return faults("carom: 1\ngravity: [0, 0, 0]\nmaterials: [{name: a, friction: 0.5" + restitution +
                  "}, {name: b, friction: 0.4}]\ncombination: {friction: minimum}\n"
                  "bodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\n"
                  "method: {law: newton, step: 0.01}\nduration: 1\n");
  };
  EXPECT_EQ(told(""), "");
  EXPECT_EQ(told(", restitution: 0"), "");
  EXPECT_NE(told(", restitution: 0.5").find("combination lacks the key 'restitution'"), std::string::npos);
}

TEST(Scene, duration_may_miss_a_whole_step_by_the_digits_of_the_step) {
  const std::string start =
      "carom: 1\ngravity: [0, 0, 0]\nbodies: [{name: a, inertia: {mass: 1, moments: [1, 1, 1]}}]\n";
  EXPECT_EQ(parse(start + "method: {step: 0.00675676}\nduration: 1\n").steps(), 148);
  EXPECT_NE(faults(start + "method: {step: 0.0068}\nduration: 1\n"), "");
}

TEST(Scene, overlap_at_the_start_is_no_fault) {
  const Scene scene = mechanism(
      "world: {shapes: [{type: half-space}]}\n"
      "bodies: [{name: a, mass: 1, shapes: [{type: sphere, radius: 1}], position: [0, 0, -5]}]\n");
  EXPECT_EQ(scene.initial.q[6], -5);
}

}  // namespace
}  // namespace carom::scene_test
