// Robots are written as text from a random tree, and read back. Each link's pose follows from URDF's specification
// alone: the parent's pose, the joint's origin, and the motion about or along the axis.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "carom/import/test/tree_walk.h"
#include "carom/import/urdf.h"
#include "carom/spatial/test/random_spatial.h"

namespace carom::urdf_random_test {
namespace {

/// A link as the text describes it.
struct Written {
  std::string name, type;
  int parent = -1;  ///< −1: the root
  Vec3 xyz, rpy, axis;
  double mass = 0;
  Vec3 center;
  double lower = 0, upper = 0;
  Vec3 q;  ///< as many as the type has

  int coordinates() const { return type == "fixed" ? 0 : type == "planar" ? 3 : 1; }
};

std::string shown(const Vec3& v) {
  std::ostringstream text;
  text.precision(17);
  text << v.x() << ' ' << v.y() << ' ' << v.z();
  return text.str();
}

int index(Random& random, int count) { return static_cast<int>(random.between(0, count)); }

std::vector<Written> random_robot(Random& random, int count) {
  constexpr std::array types = {"revolute", "continuous", "prismatic", "fixed", "planar"};
  std::vector<Written> links(count);
  for (int i = 0; i < count; ++i) {
    Written& link = links[i];
    link.name = "link" + std::to_string(i);
    link.type = types[index(random, types.size())];
    link.parent = i == 0 ? -1 : index(random, i);
    link.xyz = random.vector();
    link.rpy = 3 * random.vector();
    link.axis = 10 * random.vector();
    if (index(random, 4) == 0) link.axis = Vec3::Unit(index(random, 3)) * (index(random, 2) == 0 ? 1 : -1);
    link.mass = random.between(0.1, 2);
    link.center = random.vector();
    link.lower = random.between(-1, 0);
    link.upper = random.between(0, 1);
    link.q = random.vector();
  }
  return links;
}

std::string link_text(const Written& link) {
  std::ostringstream text;
  text.precision(17);
  text << "<link name='" << link.name << "'><inertial><origin xyz='" << shown(link.center) << "'/><mass value='"
       << link.mass << "'/><inertia ixx='1' ixy='0.1' ixz='0' iyy='1' iyz='0' izz='1'/></inertial></link>\n";
  return text.str();
}

std::string joint_text(const Written& link, const Written& parent) {
  std::ostringstream text;
  text.precision(17);
  text << "<joint name='to_" << link.name << "' type='" << link.type << "'>\n  <origin xyz='" << shown(link.xyz)
       << "' rpy='" << shown(link.rpy) << "'/>\n  <parent link='" << parent.name << "'/><child link='" << link.name
       << "'/>\n  <axis xyz='" << shown(link.axis) << "'/>\n  <limit lower='" << link.lower << "' upper='" << link.upper
       << "'/>\n</joint>\n";
  return text.str();
}

/// The elements in random order.
std::string robot_text(const std::vector<Written>& links, Random& random) {
  std::vector<std::string> elements;
  for (const Written& link : links) {
    elements.push_back(link_text(link));
    if (link.parent >= 0) elements.push_back(joint_text(link, links[link.parent]));
  }
  for (std::size_t i = elements.size(); i > 1; --i) {
    std::swap(elements[i - 1], elements[index(random, static_cast<int>(i))]);
  }
  std::string text = "<robot name='random'>\n";
  for (const std::string& element : elements) text += element;
  return text + "</robot>\n";
}

/// Rotations about fixed axes, one after the other.
Mat3 turned(const Vec3& rpy) {
  const auto about = [](double angle, int axis) { return exponential(angle * Vec3::Unit(axis)).toRotationMatrix(); };
  return about(rpy[2], 2) * about(rpy[1], 1) * about(rpy[0], 0);
}

/// The motion of the child in the joint's frame. Planar joints leave the directions in the plane open. These are the
/// parent's first axis that is not along the joint's, projected, and the one across.
Transform joint_motion(const Written& link, const Vec3& q) {
  const Vec3 axis = link.axis.normalized();
  if (link.type == "fixed") return {};
  if (link.type == "prismatic") return {Mat3::Identity(), axis * q[0]};
  if (link.type != "planar") return {exponential(axis * q[0]).toRotationMatrix(), Vec3::Zero()};
  const Mat3 R = contact_frame(axis);
  return {exponential(axis * q[2]).toRotationMatrix(), R.col(0) * q[0] + R.col(1) * q[1]};
}

std::vector<Transform> expected_poses(const std::vector<Written>& links) {
  std::vector<Transform> poses;
  for (const Written& link : links) {
    if (link.parent < 0) {
      poses.emplace_back();
    } else {
      poses.push_back(poses[link.parent] * Transform{turned(link.rpy), link.xyz} * joint_motion(link, link.q));
    }
  }
  return poses;
}

class RandomRobots : public testing::Test {
 protected:
  void write_and_read(Random& random) {
    written_ = random_robot(random, 12);
    model_ = parse_urdf(robot_text(written_, random), "random.urdf");
    Coordinates at;
    for (const Written& link : written_) {
      at.q[link.name] = link.q.head(link.coordinates());
      at.v[link.name] = VectorX::Zero(link.parent < 0 ? 6 : link.coordinates());
    }
    motions_ = motions(model_, at);
  }
  std::vector<Written> written_;
  ImportedModel model_;
  std::vector<Motion> motions_;
};

TEST_F(RandomRobots, LinksAreWhereTheSpecificationPutsThem) {
  Random random(11);
  for (int trial = 0; trial < 60; ++trial) {
    write_and_read(random);
    std::map<std::string, Transform> found;
    for (std::size_t i = 0; i < model_.links.size(); ++i) found[model_.links[i].name] = motions_[i].X_WB;
    for (const ImportedModel::Frame& frame : model_.frames) {
      found[frame.name] = place(motions_, frame.link) * frame.X_BF;
    }
    ASSERT_EQ(found.size(), written_.size());
    const std::vector<Transform> expected = expected_poses(written_);
    for (std::size_t i = 0; i < written_.size(); ++i) {
      const Transform& X = found.at(written_[i].name);
      EXPECT_LT((X.R - expected[i].R).norm() + (X.p - expected[i].p).norm(), 1e-12) << written_[i].type;
    }
  }
}

TEST_F(RandomRobots, MassesAndCentresAddUp) {
  Random random(12);
  for (int trial = 0; trial < 60; ++trial) {
    write_and_read(random);
    const std::vector<Transform> poses = expected_poses(written_);
    double mass = 0, mass_found = 0;
    Vec3 moment = Vec3::Zero(), moment_found = Vec3::Zero();
    for (std::size_t i = 0; i < written_.size(); ++i) {
      mass += written_[i].mass;
      moment += written_[i].mass * (poses[i] * written_[i].center);
    }
    for (std::size_t i = 0; i < model_.links.size(); ++i) {
      const SpatialInertia& inertia = model_.links[i].inertia;
      mass_found += inertia.mass;
      moment_found += inertia.mass * (motions_[i].X_WB * inertia.center);
    }
    EXPECT_NEAR(mass_found, mass, 1e-12);
    EXPECT_LT((moment_found - moment).norm(), 1e-11);
  }
}

TEST_F(RandomRobots, JointsKeepNamesTypesAndLimits) {
  Random random(13);
  const std::map<std::string, JointType> types = {{"revolute", JointType::revolute},
                                                  {"continuous", JointType::revolute},
                                                  {"prismatic", JointType::prismatic},
                                                  {"planar", JointType::planar}};
  for (int trial = 0; trial < 20; ++trial) {
    write_and_read(random);
    std::size_t joints = 0;
    for (const Written& link : written_) {
      if (link.parent < 0 || link.type == "fixed") continue;
      ++joints;
      const auto found = std::find_if(model_.links.begin(), model_.links.end(),
                                      [&](const ImportedModel::Link& l) { return l.name == link.name; });
      ASSERT_NE(found, model_.links.end());
      const Joint& joint = *found->joint;
      EXPECT_EQ(joint.name, "to_" + link.name);
      EXPECT_EQ(joint.type, types.at(link.type));
      const bool limited = link.type == "revolute" || link.type == "prismatic";
      ASSERT_EQ(joint.lower.size(), limited ? 1 : 0);
      if (limited) {
        EXPECT_EQ(joint.lower[0], link.lower);
        EXPECT_EQ(joint.upper[0], link.upper);
      }
    }
    EXPECT_EQ(model_.links.size(), joints + 1);
  }
}

/// True if the text is read, false if it is refused; anything else ends the test.
bool is_read(const std::string& text) {
  try {
    static_cast<void>(parse_urdf(text, "changed.urdf"));
  } catch (const ImportError& error) {
    EXPECT_FALSE(error.faults().empty());
    for (const ImportNote& fault : error.faults()) EXPECT_FALSE(fault.text.empty());
    return false;
  }
  return true;
}

TEST(ChangedRobots, AreReadOrRefusedWithSentences) {
  Random random(14);
  int read = 0, refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Written> links = random_robot(random, 5);
    // Wrong parents make loops, second roots and links of their own.
    if (index(random, 3) == 0) links[index(random, 5)].parent = index(random, 5);
    std::string text = robot_text(links, random);
    for (int change = index(random, 4); change > 0; --change) {
      const auto at = static_cast<std::size_t>(index(random, static_cast<int>(text.size())));
      const auto from = static_cast<std::size_t>(index(random, static_cast<int>(text.size())));
      const auto count = static_cast<std::size_t>(index(random, 12));
      text.replace(at, static_cast<std::size_t>(index(random, 12)), text.substr(from, count));
    }
    ++(is_read(text) ? read : refused);
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace carom::urdf_random_test
