// Robots that others wrote. The expected values are counted in the XML itself by a few searches, not by the reader.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "carom/import/urdf.h"
#include "testing/folders.h"

namespace carom::urdf_files_test {
namespace {

namespace fs = std::filesystem;

/// The values that the pattern's group takes in the text, in order.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it) found.push_back((*it)[1]);
  return found;
}

class UrdfFiles : public testing::Test {
 protected:
  void open(const std::string& name) {
    path_ = (data_folder() / "models" / name).string();
    if (!fs::exists(path_)) GTEST_SKIP() << "no model: " << path_ << " (CAROM_DATA names the folder of data)";
    std::ifstream file(path_);
    std::stringstream stream;
    stream << file.rdbuf();
    text_ = std::regex_replace(stream.str(), std::regex("<!--[^]*?-->"), "");
  }
  void expect_mass_and_names(const ImportedModel& model) const {
    double mass = 0, mass_found = 0;
    for (const std::string& value : matches(text_, "<mass value=\"([^\"]*)\"")) mass += std::stod(value);
    std::set<std::string> names, names_found;
    for (const std::string& name : matches(text_, "<link name=\"([^\"]*)\"")) names.insert(name);
    for (const ImportedModel::Link& link : model.links) {
      mass_found += link.inertia.mass;
      names_found.insert(link.name);
    }
    for (const ImportedModel::Frame& frame : model.frames) names_found.insert(frame.name);
    EXPECT_NEAR(mass_found, mass, 1e-9 * mass);
    EXPECT_EQ(names_found, names);
  }
  std::vector<std::string> faults() const {
    std::vector<std::string> found;
    try {
      static_cast<void>(read_urdf(path_));
    } catch (const ImportError& error) {
      for (const ImportNote& fault : error.faults()) found.push_back(std::to_string(fault.line) + ": " + fault.text);
    }
    return found;
  }
  std::string path_, text_;
};

TEST_F(UrdfFiles, Quadruped) {
  open("dojo/a1.urdf");
  if (IsSkipped()) return;
  const ImportedModel model = read_urdf(path_);
  expect_mass_and_names(model);
  EXPECT_EQ(model.name, "a1_description");
  ASSERT_EQ(model.links.size(), 13u);
  EXPECT_FALSE(model.links[0].joint);
  EXPECT_EQ(model.colliders.size(), matches(text_, "(<collision>)").size());
  const std::vector<std::string> lower = matches(text_, " lower=\"([^\"]*)\""),
                                 upper = matches(text_, "upper=\"([^\"]*)\"");
  ASSERT_EQ(lower.size(), 12u);
  for (std::size_t i = 0; i < 12; ++i) {
    const ImportedModel::Link& link = model.links[i + 1];
    EXPECT_EQ(link.joint->type, JointType::revolute);
    EXPECT_EQ(link.joint->lower[0], std::stod(lower[i]));
    EXPECT_EQ(link.joint->upper[0], std::stod(upper[i]));
    EXPECT_EQ(link.joint->damping[0], 0.05);
    EXPECT_EQ(link.joint->friction[0], 0.01);
    // The calves' limits leave out zero.
    EXPECT_GE(link.position[0], link.joint->lower[0]);
    EXPECT_LE(link.position[0], link.joint->upper[0]);
    const bool is_calf = link.name.ends_with("_calf");
    EXPECT_EQ(link.position[0] == 0, !is_calf) << link.name;
  }
  std::map<std::string, int> unused;
  for (const ImportNote& note : model.unused) ++unused[note.text.substr(0, note.text.find(": "))];
  const std::map<std::string, int> expected = {{"<visual>", 1}, {"attribute \"velocity\" of <limit>", 12}};
  EXPECT_EQ(unused, expected) << "the meshes of the visuals lie elsewhere, which is one note";
  EXPECT_EQ(model.visuals.size(), 13u);
}

// Left and right legs mirror one another across the plane y = 0; so does where their joints are when all stand at zero.
TEST_F(UrdfFiles, LegsOfTheQuadrupedMirrorOneAnother) {
  open("dojo/a1.urdf");
  if (IsSkipped()) return;
  const ImportedModel model = read_urdf(path_);
  std::map<std::string, Vec3> at;
  std::vector<Vec3> places{Vec3::Zero()};
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const Joint& joint = *model.links[i].joint;
    EXPECT_LT((joint.X_PF.R - joint.X_BM.R).norm(), 1e-15) << "no joint of this robot is turned";
    places.emplace_back(places[joint.parent] + joint.X_PF.p);
    at[model.links[i].name] = places.back();
  }
  for (const std::string end : {"F", "R"}) {
    for (const std::string part : {"_hip", "_thigh", "_calf"}) {
      const Vec3 right = at.at(end + "R" + part), left = at.at(end + "L" + part);
      EXPECT_LT((right - Vec3(left.x(), -left.y(), left.z())).norm(), 1e-12) << end << part;
    }
  }
}

TEST_F(UrdfFiles, HumanoidWithAMeshOfAPackage) {
  open("pinocchio/simple_humanoid.urdf");
  if (IsSkipped()) return;
  const ImportedModel model = read_urdf(path_);
  expect_mass_and_names(model);
  EXPECT_EQ(model.links.size() + model.frames.size(), 30u);
  std::set<std::string> joints;
  for (const ImportedModel::Link& link : model.links) {
    if (link.joint) joints.insert(link.joint->name);
  }
  const std::vector<std::string> names = matches(text_, "<joint name=\"([^\"]*)\" type=\"revolute\"");
  EXPECT_EQ(joints, std::set<std::string>(names.begin(), names.end()));
  ASSERT_EQ(model.colliders.size(), 2u);
  EXPECT_EQ(model.colliders[0].name, "test");
  EXPECT_EQ(std::get<Cylinder>(model.colliders[0].shape).radius, 1);
  EXPECT_EQ(model.colliders[1].name, "box");
  const auto& box = *std::get<ConvexMesh>(model.colliders[1].shape).polyhedron;
  EXPECT_EQ(box.vertices.size(), 8u);
  EXPECT_EQ(box.faces.size(), 6u);
}

// Its first joint has a limit without bounds, its second has none: both turn freely, and one warning names both.
TEST_F(UrdfFiles, ArmWhoseLimitsAreMissing) {
  open("drake/acrobot.urdf");
  if (IsSkipped()) return;
  const ImportedModel model = read_urdf(path_);  // with its comments, which lines count
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(model.warnings[0].line, 35);  // the first of the two joints
  EXPECT_EQ(model.warnings[0].text.rfind("2 joints have no limits in the file", 0), 0u) << model.warnings[0].text;
  for (const ImportedModel::Link& link : model.links) EXPECT_EQ(link.joint->lower.size(), 0);
}

TEST_F(UrdfFiles, ArmWhoseJointsTurnAllRound) {
  open("drake/acrobot.urdf");
  if (IsSkipped()) return;
  const ImportedModel model = parse_urdf(std::regex_replace(text_, std::regex("revolute"), "continuous"), path_);
  expect_mass_and_names(model);
  ASSERT_EQ(model.links.size(), 2u);
  EXPECT_EQ(model.links[0].joint->parent, -1);
  EXPECT_EQ(model.links[1].joint->parent, 0);
  for (const ImportedModel::Link& link : model.links) {
    EXPECT_LT((link.joint->X_PF.R.col(2) - Vec3::UnitY()).norm(), 1e-15);
    EXPECT_EQ(link.joint->damping[0], 0.1);
  }
  EXPECT_EQ(model.links[1].joint->X_PF.p, Vec3(0, 0.15, -1));
}

TEST_F(UrdfFiles, HopperWithAJointOfItsOwnKind) {
  open("dojo/hopper.urdf");
  if (IsSkipped()) return;
  const std::vector<std::string> found = faults();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0],
            "92: joint \"floating_joint\" has type \"planaraxis\", which is none; a type is revolute, continuous, "
            "prismatic, fixed, floating, planar or ball");
  for (const std::string& fault : found) EXPECT_TRUE(fault.find("joint") != std::string::npos) << fault;
}

TEST_F(UrdfFiles, HopperWithJointsOfTheSpecification) {
  open("dojo/hopper.urdf");
  if (IsSkipped()) return;
  std::string text = std::regex_replace(text_, std::regex("revolute"), "continuous");
  text = std::regex_replace(text, std::regex("\"planaraxis\""), "\"planar\"");
  text = std::regex_replace(text, std::regex("<dynamics damping=\"50.0\"/>"), "");  // of which some joints have two
  const ImportedModel model = parse_urdf(text, path_);
  expect_mass_and_names(model);
  ASSERT_EQ(model.links.size(), 5u);
  EXPECT_EQ(model.links[1].joint->type, JointType::planar);
  ASSERT_EQ(model.colliders.size(), 4u);
  EXPECT_EQ(std::get<Capsule>(model.colliders[0].shape).half_length, 0.2);
  EXPECT_EQ(std::get<Capsule>(model.colliders[0].shape).radius, 0.05);
}

}  // namespace
}  // namespace carom::urdf_files_test
