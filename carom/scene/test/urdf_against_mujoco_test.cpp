// Motion of the links of a URDF file here and in MuJoCo, which welds the root to the world as base: fixed does.
#ifdef CAROM_WITH_MUJOCO

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "carom/import/urdf.h"
#include "mujoco_compare.h"
#include "testing/folders.h"

namespace carom::urdf_against_mujoco_test {
namespace {

namespace fs = std::filesystem;
using test::Both;

void expect_agreement(const std::string& text, const std::string& file, Random& random, double inertia_tolerance) {
  ImportOptions options;
  options.fixed_base = true;
  ImportedModel read = parse_urdf(text, file, options);
  read.gravity = Vec3(0, 0, -9.81);  // MuJoCo's where a file says nothing
  Both both(std::move(read), text);
  const test::Disagreement d = test::compare(both, random, 5);
  EXPECT_LT(d.pose, 1e-9) << file;
  EXPECT_LT(d.velocity, 1e-9) << file;
  EXPECT_LT(d.passive, 1e-9) << file;
  EXPECT_LT(d.mass, inertia_tolerance) << file;
  EXPECT_LT(d.force, inertia_tolerance) << file;
}

std::string three(const Vec3& v) {
  std::ostringstream text;
  text.precision(17);
  text << '"' << v.x() << ' ' << v.y() << ' ' << v.z() << '"';
  return text.str();
}

/// A tree of hinges and slides with damping; moments about turned axes. Fixed joints among them, whose links MuJoCo
/// would merge too, but to fewer digits.
std::string random_urdf(Random& random, int links) {
  std::ostringstream text;
  text.precision(17);
  text << "<robot name=\"r\"><link name=\"base\"/>\n";
  for (int i = 0; i < links; ++i) {
    const SpatialInertia inertia = random.inertia();
    const Vec3 moments = inertia.central.diagonal();
    // Principal moments of a body are such that none exceeds the sum of the others; a matrix' diagonal is as well.
    text << "<link name=\"l" << i << "\"><inertial><origin xyz=" << three(inertia.center)
         << " rpy=" << three(random.vector(3)) << "/><mass value=\"" << inertia.mass << "\"/><inertia ixx=\""
         << moments.x() << "\" iyy=\"" << moments.y() << "\" izz=\"" << moments.z()
         << "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n";
    const int parent = random.index(i + 1);
    const bool slides = random.index(3) == 0;
    text << "<joint name=\"j" << i << "\" type=\"" << (slides ? "prismatic" : "revolute") << "\"><parent link=\""
         << (parent == i ? std::string("base") : "l" + std::to_string(parent)) << "\"/><child link=\"l" << i
         << "\"/><origin xyz=" << three(random.vector(1)) << " rpy=" << three(random.vector(3))
         << "/><axis xyz=" << three(random.vector(1).normalized())
         << "/><limit lower=\"-9\" upper=\"9\" effort=\"1\" velocity=\"1\"/><dynamics damping=\""
         << random.uniform(0, 2) << "\"/></joint>\n";
  }
  text << "</robot>\n";
  return text.str();
}

TEST(UrdfAgainstMujoco, RandomTrees) {
  Random random(5);
  for (int i = 0; i < 60 && !::testing::Test::HasFailure(); ++i) {
    expect_agreement(random_urdf(random, 1 + random.index(10)), "tree " + std::to_string(i), random, 1e-9);
  }
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// MuJoCo finds principal axes of a matrix to some seven digits.
TEST(UrdfAgainstMujoco, TheA1) {
  const fs::path path = data_folder() / "models" / "dojo" / "a1.urdf";
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  Random random(6);
  expect_agreement(read_file(path), path.string(), random, 1e-6);
}

}  // namespace
}  // namespace carom::urdf_against_mujoco_test

#endif
