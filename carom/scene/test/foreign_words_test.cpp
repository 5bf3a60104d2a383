// Words of other simulators, answered with ours.

#include "carom/scene/foreign_words.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "carom/scene/scene.h"

namespace carom::foreign_words_test {
namespace {

/// All sentences, a line each.
std::string faults_of(const std::string& body, const std::string& more) {
  try {
    static_cast<void>(
        parse_scene("carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 1}]\n"
                    "bodies: [{name: b, mass: 1, " +
                        body + "}]\n" + more,
                    "s.yaml"));
  } catch (const SceneError& error) {
    return error.what();
  }
  return "none";
}

TEST(ForeignWords, AreAnsweredWithOurs) {
  const std::string ball = "shapes: [{type: sphere, radius: 1}]", method = "method: {step: 0.01}\nduration: 1\n";
  const std::string joint = "joints: [{name: j, parent: world, child: b, type: ";
  const std::string drive = joint + "revolute}]\ndrives: [{name: d, joint: j, ";
  const std::pair<std::string, std::string> cases[] = {
      {faults_of("shapes: [{type: plane}]", method), "unknown shape type 'plane'; did you mean 'half-space'?"},
      {faults_of("shapes: [{type: cylinder, radius: 1, height: 2}]", method),
       "unknown key 'height' in a cylinder; did you mean 'length'?"},
      {faults_of(ball, "method: {dt: 0.01}\nduration: 1\n"), "unknown key 'dt' in method; did you mean 'step'?"},
      {faults_of(ball, "method: {timestep: 0.01}\nduration: 1\n"),
       "unknown key 'timestep' in method; did you mean 'step'?"},
      {faults_of(ball + ", orientation: {rpy: [0, 0, 1]}", method),
       "unknown key 'rpy' in an orientation; did you mean 'roll_pitch_yaw'?"},
      {faults_of(ball + ", roll_pitch_yaw: [0, 0, 1]", method),
       "unknown key 'roll_pitch_yaw' in a body; write orientation: {roll_pitch_yaw: [roll, pitch, yaw]}, in rad"},
      {faults_of(ball + ", rpy: [0, 0, 1]", method), "'rpy' in a body; write orientation: {roll_pitch_yaw: ["},
      {faults_of("shapes: [{type: sphere, diameter: 1}]", method),
       "unknown key 'diameter' in a sphere; write 'radius', which is half of it"},
      {faults_of(ball, "dt: 0.01\n" + method),
       "unknown key 'dt' in a scene; write it into the map method: {step: …}, in s"},
      {faults_of(ball, joint + "hinge}]\n" + method), "unknown joint type 'hinge'; did you mean 'revolute'?"},
      {faults_of(ball, joint + "slide}]\n" + method), "unknown joint type 'slide'; did you mean 'prismatic'?"},
      {faults_of(ball, drive + "type: pd, target: 1}]\n" + method), "unknown drive type 'pd'; did you mean 'servo'?"},
      {faults_of(ball, drive + "type: servo, target: 1, kp: 1, damping: 1}]\n" + method),
       "unknown key 'kp' in a servo drive; did you mean 'stiffness'?"},
      {faults_of(ball, joint + "revolute, axis: y}]\n" + method),
       "axis must be a direction, three numbers as in [0, 1, 0], but is 'y'"},
  };
  for (const auto& [told, expected] : cases) EXPECT_NE(told.find(expected), std::string::npos) << told;
  for (const auto& [told, expected] : cases) {
    const bool of_orientation = told.find("an orientation") != std::string::npos;
    EXPECT_FALSE(of_orientation && told.find("lacks") != std::string::npos) << told;
  }
}

TEST(ForeignWords, OfWhatThePlaceKnows) {
  EXPECT_EQ(own_word("mu", {"friction", "restitution"}), "friction");
  EXPECT_EQ(own_word("Time_Step", {"step"}), "step");
  EXPECT_EQ(own_word("mu", {"restitution"}), "");
  EXPECT_EQ(own_word("", {"friction"}), "");
}

}  // namespace
}  // namespace carom::foreign_words_test
