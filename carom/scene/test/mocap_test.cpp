// Bodies that motion capture moves, along paths of a scene. They are where the path says, and carry what is welded to
// them or lies on them.

#include "carom/scene/mocap.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "carom/dynamics/recursions.h"
#include "carom/scene/scene.h"
#include "carom/stepper/simulation.h"

namespace carom::mocap_test {
namespace {

namespace fs = std::filesystem;

class Mocap : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& world, const std::string& more = "") const {
    std::ofstream(folder_ / "m.xml") << "<mujoco><compiler angle='radian'/><worldbody>" << world << "</worldbody>"
                                     << more << "</mujoco>";
  }
  Scene parse(const std::string& entry) const {
    return parse_scene(
        "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\n"
        "combination: {friction: maximum, restitution: maximum}\nmodels:\n  - {file: m.xml, " +
            entry + "}\nmethod: {stepper: stewart-trinkle, step: 0.001}\nduration: 1\n",
        (folder_ / "scene.yaml").string());
  }
  std::string faults(const std::string& entry) const {
    try {
      parse(entry);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  }
  fs::path folder_ = fs::path(testing::TempDir()) / ("carom_mocap_" + std::to_string(::getpid()));
};

Transform pose(const Scene& scene, const VectorX& q, const std::string& name) {
  DynamicsWorkspace workspace(*scene.model);
  forward_kinematics(*scene.model, q, workspace);
  for (int i = 0; i < scene.model->body_count(); ++i) {
    if (scene.model->bodies()[i].name == name) return workspace.X_WB[i];
  }
  ADD_FAILURE() << name;
  return {};
}

State state_after(const Scene& scene, int steps) {
  Simulation simulation(scene.model, scene.method, scene.initial);
  for (int k = 0; k < steps; ++k) {
    const StepReport report = simulation.step();
    EXPECT_EQ(report.status, SolveStatus::solved) << k;
  }
  return simulation.state();
}

const std::string hand =
    "<body name='hand' mocap='true' pos='1 2 3' quat='0.8 0 0.6 0'><geom size='0.1' contype='0' conaffinity='0'/>"
    "<body name='finger' pos='0 0 0.5'><geom size='0.05' contype='0' conaffinity='0'/></body></body>";
const std::string bob = "<body name='bob' pos='0 0 9'><freejoint/><geom size='0.1'/></body>";

TEST_F(Mocap, BodiesStandStillUnlessTheSceneMovesThem) {
  write(hand + bob);
  EXPECT_EQ(parse("material: m").model->body_count(), 1);
  const Scene scene = parse("material: m, mocap: {hand: {position: [0.1, 0, 0]}}");
  EXPECT_EQ(scene.model->body_count(), 2);
  EXPECT_LT((pose(scene, scene.initial.q, "hand").p - Vec3(1.1, 2, 3)).norm(), 1e-14);
}

/// The path is told in the axes of the file's world, which a scene may turn, and begins where the file puts the body.
TEST_F(Mocap, BodiesFollowTheirPathsInTheFilesWorld) {
  write(hand + bob);
  const Scene scene = parse(
      "material: m, drop: 1, position: [5, 0, 0], orientation: {roll_pitch_yaw: [0, 0, 90 deg]}, mocap: {hand: "
      "{position: [{polynomial: [0, 0.3]}, 0, {polynomial: [0.2, 0, -0.5]}], axis: [0, 0, 1], angle: {polynomial: [0, "
      "2]}}}");
  EXPECT_TRUE(scene.warnings.empty()) << scene.warnings.front();
  Mat3 quarter;
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Mat3 R = Quaternion(0.8, 0, 0.6, 0).toRotationMatrix();
  for (const int steps : {0, 400}) {
    const double t = steps * 0.001;
    const Transform X = pose(scene, state_after(scene, steps).q, "hand");
    const Vec3 place = Vec3(5, 0, 0) + quarter * Vec3(1 + 0.3 * t, 2, 3 + 0.2 - 0.5 * t * t);
    EXPECT_LT((X.p - place).norm(), 1e-8) << t;
    EXPECT_LT((X.R - quarter * Eigen::AngleAxisd(2 * t, Vec3::UnitZ()).toRotationMatrix() * R).norm(), 1e-8) << t;
  }
}

TEST_F(Mocap, WhatIsWeldedToABodyMovesWithIt) {
  write(
      "<body name='hand' mocap='true' pos='0 0 1'/><body name='cup' pos='0 0 0.5'><freejoint/><geom "
      "size='0.1'/></body>",
      "<equality><weld body1='cup' body2='hand'/></equality>");
  const Scene scene = parse("material: m, mocap: {hand: {position: [0, {sine: {amplitude: 0.2, frequency: 2}}, 0]}}");
  const double t = 0.3, y = 0.2 * std::sin(2 * std::numbers::pi * 2 * t);
  EXPECT_LT((pose(scene, state_after(scene, 300).q, "cup").p - Vec3(0, y, 0.5)).norm(), 1e-6);
}

/// A table that speeds up by 2 m/s² carries a box with friction 0.5 along. One by 8 m/s² slides away below it, and
/// friction speeds the box up by μ g.
TEST_F(Mocap, FrictionFeelsTheirVelocity) {
  write(
      "<body name='table' mocap='true'><geom type='box' size='9 9 0.1' pos='0 0 -0.1' friction='0.5'/></body>"
      "<body name='box' pos='0 0 0.05'><freejoint/><geom type='box' size='0.2 0.2 0.05' friction='0.5'/></body>");
  for (const double a : {2.0, 8.0}) {
    const Scene scene =
        parse("mocap: {table: {position: [{polynomial: [0, 0, " + std::to_string(a / 2) + "]}, 0, 0]}}");
    const State end = state_after(scene, 500);
    const double along = 0.5 * std::min(a, 0.5 * 9.81) * 0.5 * 0.5;
    // A velocity holds over a step of length h, which adds up to a h t / 2.
    EXPECT_NEAR(pose(scene, end.q, "box").p.x(), along, a * 0.001 * 0.5) << a;
    EXPECT_NEAR(pose(scene, end.q, "table").p.x(), 0.5 * a * 0.5 * 0.5, 1e-8) << a;
    EXPECT_NEAR(pose(scene, end.q, "box").p.z(), 0.05, 1e-6) << a;
  }
}

/// Two that are moved through each other and through a floor: nobody could give way. Names have the model's in front.
TEST_F(Mocap, BodiesThatAreMovedPassThroughOneAnotherAndTheWorld) {
  const auto ball = [](const std::string& name, const std::string& x) {
    return "<body name='" + name + "' mocap='true' pos='" + x + " 0 0.5'><geom size='0.2'/></body>";
  };
  write("<geom type='plane' size='1 1 1'/>" + ball("a", "-1") + ball("b", "1"));
  const Scene scene = parse(
      "name: pair, mocap: {a: {position: [{polynomial: [0, 2]}, 0, {polynomial: [0, -1]}]}, b: {position: "
      "[{polynomial: [0, -2]}, 0, {polynomial: [0, -1]}]}}");
  const State end = state_after(scene, 500);
  for (const std::string name : {"pair.a", "pair.b"}) {
    EXPECT_LT(pose(scene, end.q, name).p.norm(), 1e-8) << name;
  }
}

TEST_F(Mocap, NamesThatAreNoneAreTold) {
  write(hand + bob);
  EXPECT_NE(faults("material: m, mocap: {hnad: {position: [0, 0, 0]}}").find("did you mean 'hand'"), std::string::npos)
      << faults("material: m, mocap: {hnad: {position: [0, 0, 0]}}");
  EXPECT_NE(faults("material: m, mocap: {bob: {position: [0, 0, 0]}}").find("that motion capture moves"),
            std::string::npos);
  EXPECT_NE(faults("material: m, mocap: {hand: {}}").find("path is empty"), std::string::npos);
  EXPECT_NE(faults("material: m, mocap: hand").find("mocap must be a map"), std::string::npos);
  write("<body name='hand' mocap='true'><joint/><geom size='0.1'/></body>");
  EXPECT_NE(
      faults("material: m, mocap: {hand: {position: [0, 0, 0]}}").find("motion capture moves bodies of the world"),
      std::string::npos);
}

TEST_F(Mocap, PathsDoNotDependOnWhatTheBodyWeighs) {
  for (const std::string geom : {"", "<geom size='0.3' density='5000'/>"}) {
    write("<body name='hand' mocap='true'>" + geom + "</body>" + bob);
    const Scene scene = parse("material: m, mocap: {hand: {axis: [1, 0, 0], angle: {polynomial: [0, 1]}}}");
    const Mat3 turned = Eigen::AngleAxisd(0.2, Vec3::UnitX()).toRotationMatrix();
    EXPECT_LT((pose(scene, state_after(scene, 200).q, "hand").R - turned).norm(), 1e-8) << geom;
  }
}

}  // namespace
}  // namespace carom::mocap_test
