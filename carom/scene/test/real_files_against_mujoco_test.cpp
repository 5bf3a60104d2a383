// Motion of whole files here and in MuJoCo: every URDF and MJCF file of the scenes, and those of others where they are.
#ifdef CAROM_WITH_MUJOCO

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "carom/import/urdf.h"
#include "mujoco_compare.h"
#include "testing/folders.h"

namespace carom::real_files_against_mujoco_test {
namespace {

namespace fs = std::filesystem;
using test::Both;

struct File {
  const char* name;
  bool is_ours;  ///< else one of the data
};

fs::path path_of(const File& file) {
  if (file.is_ours) return fs::path(source_folder()) / "scenes" / "robots" / file.name;
  return data_folder() / "models" / file.name;
}

/// The file's text as Debian's MuJoCo 2.2 can read it. Parts that it does not know, and that play no part in the
/// comparison, are left out. These are limits and sensors of actuators, and shapes of URDF files, whose masses stand
/// beside them. Limits and the volume of meshes get the defaults of later versions.
std::string readable(const fs::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  if (path.extension() == ".urdf") {
    return std::regex_replace(text.str(), std::regex("<(visual|collision)[^]*?</\\1>"), "");
  }
  const std::string known =
      std::regex_replace(text.str(), std::regex("actuatorfrcrange=\"[^\"]*\"|<jointactuatorfrc[^>]*>"), "");
  const std::regex plain("<compiler(?![^>]*autolimits)");
  return std::regex_replace(std::regex_replace(known, plain, "<compiler autolimits=\"true\""), std::regex("<compiler"),
                            "<compiler exactmeshinertia=\"true\"");
}

ImportedModel read(const fs::path& path, const std::string& text) {
  ImportedModel model;
  if (path.extension() == ".urdf") {
    ImportOptions options;
    options.fixed_base = true;  // as MuJoCo has it
    model = parse_urdf(text, path.string(), options);
    model.gravity = Vec3(0, 0, -9.81);  // MuJoCo's where a file says nothing
  } else {
    model = parse_mjcf(std::regex_replace(text, std::regex("exactmeshinertia=\"true\""), ""), path.string());
  }
  return model;
}

/// Inertia of a body and of all that is welded to it, in the body's frame.
SpatialInertia inertia_of(const mjModel* m, int body) {
  const double* q = m->body_iquat + 4 * body;
  const Mat3 R = Quaternion(q[0], q[1], q[2], q[3]).toRotationMatrix();
  SpatialInertia inertia;
  inertia.mass = m->body_mass[body];
  inertia.center = Eigen::Map<const Vec3>(m->body_ipos + 3 * body);
  inertia.central = R * Eigen::Map<const Vec3>(m->body_inertia + 3 * body).asDiagonal() * R.transpose();
  for (int child = body + 1; child < m->nbody; ++child) {
    if (m->body_parentid[child] != body || m->body_dofnum[child] > 0) continue;
    const double* turn = m->body_quat + 4 * child;
    const Transform X = {Quaternion(turn[0], turn[1], turn[2], turn[3]).toRotationMatrix(),
                         Eigen::Map<const Vec3>(m->body_pos + 3 * child)};
    inertia = inertia + inertia_of(m, child).in(X);
  }
  return inertia;
}

class RealFile : public ::testing::TestWithParam<File> {};

/// MuJoCo finds the principal axes of a matrix to some seven digits and keeps vertices in single precision. So inertias
/// agree to 1e-5 of their size. With the same inertias all else agrees to 1e-9.
TEST_P(RealFile, MovesAsInMujoco) {
  const fs::path path = path_of(GetParam());
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  const std::string text = readable(path);
  ImportedModel model = read(path, text);
  const test::Mujoco theirs(text);
  ASSERT_FALSE(model.links.empty());
  for (ImportedModel::Link& link : model.links) {
    const SpatialInertia inertia = inertia_of(theirs.m, theirs.body(link.name));
    EXPECT_NEAR(link.inertia.mass, inertia.mass, 1e-7 * inertia.mass) << link.name;
    EXPECT_LT((link.inertia.center - inertia.center).norm(), 1e-6) << link.name;
    EXPECT_LT((link.inertia.central - inertia.central).norm(), 1e-5 * inertia.central.norm()) << link.name;
    link.inertia = inertia;
  }
  Both both(std::move(model), text);
  Random random(12);
  const test::Disagreement found = test::compare(both, random, 20);
  EXPECT_LT(found.pose, 1e-9);
  EXPECT_LT(found.velocity, 1e-9);
  EXPECT_LT(found.passive, 1e-9);
  EXPECT_LT(found.mass, 1e-9);
  EXPECT_LT(found.force, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(files, RealFile,
                         ::testing::Values(File{"dojo/a1.urdf", false}, File{"pinocchio/simple_humanoid.urdf", false},
                                           File{"mujoco/car.xml", false}, File{"mujoco/humanoid.xml", false},
                                           File{"quadruped.urdf", true}, File{"humanoid.xml", true}),
                         [](const auto& info) {
                           return fs::path(info.param.name).stem().string() +
                                  (info.param.is_ours ? "_of_the_scenes" : "");
                         });

}  // namespace
}  // namespace carom::real_files_against_mujoco_test

#endif
