// SDFormat files here and in Simbody, which gets them from libsdformat without Carom: poses, velocities, mass matrix
// and inverse dynamics at random states.
#ifdef CAROM_WITH_SIMBODY

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/dynamics/recursions.h"
#include "carom/import/build.h"
#include "carom/import/sdformat.h"
#include "testing/folders.h"
#include "testing/models/random_tree.h"
#include "testing/peers/sdf_in_simbody.h"

namespace carom::sdformat_against_simbody_test {
namespace {

namespace fs = std::filesystem;
using test::SdfInSimbody;

/// A Carom model and Simbody's of the same file, with states of the one told in the coordinates of the other.
class Pair {
 public:
  Pair(const std::string& path, bool fixed_base)
      : imported_(read(path, fixed_base)),
        theirs_(path, fixed_base),
        builder_(make_builder()),
        model_(builder_.build()) {}

  /// At one random state, all relative to the size of what is compared.
  void compare(Random& random) {
    ASSERT_EQ(model_.velocity_count(), theirs_.velocity_count());
    DynamicsWorkspace workspace(model_);
    const int nv = model_.velocity_count();
    const VectorX q = random_position(model_, random), v = random.vector(nv, 2), vdot = random.vector(nv, 3);
    MatrixX T = MatrixX::Zero(nv, nv);
    VectorX rate = VectorX::Zero(nv);
    convert(q, v, T, rate);
    theirs_.set_velocity(T * v);
    forward_kinematics(model_, q, workspace);
    forward_velocity(model_, q, v, workspace);
    const std::vector<int>& order = builder_.body_order();
    for (std::size_t i = 0; i < imported_.links.size(); ++i) {
      const int own = order[i];
      expect_motion(imported_.links[i].name, workspace.X_WB[own], workspace.V[own]);
    }
    for (const ImportedModel::Frame& frame : imported_.frames) {
      if (frame.link < 0 || frame.inertia.mass == 0) continue;
      const Transform X_WF = workspace.X_WB[order[frame.link]] * frame.X_BF;
      EXPECT_LT((X_WF.p - theirs_.pose(frame.name).p).norm() + (X_WF.R - theirs_.pose(frame.name).R).norm(), 1e-9)
          << frame.name;
    }
    MatrixX M;
    mass_matrix(model_, workspace, M);
    const MatrixX their_M = T.transpose() * theirs_.mass_matrix() * T;
    EXPECT_LT((M - their_M).norm(), 1e-9 * their_M.norm());
    VectorX tau;
    inverse_dynamics(model_, vdot, workspace, tau);
    const VectorX their_tau = T.transpose() * theirs_.inverse_dynamics(T * vdot + rate);
    EXPECT_LT((tau - their_tau).norm(), 1e-9 * their_tau.norm());
  }

 private:
  static ImportedModel read(const std::string& path, bool fixed_base) {
    ImportOptions options;
    options.fixed_base = fixed_base;
    return read_sdformat(path, options);
  }

  ModelBuilder make_builder() {
    imported_.gravity = theirs_.gravity();
    return builder_of(imported_);
  }

  /// u_theirs = T v and its derivative T v̇ + rate: their rates of balls and free links are in the parent's axes.
  void convert(const VectorX& q, const VectorX& v, MatrixX& T, VectorX& rate) {
    for (std::size_t i = 0; i < imported_.links.size(); ++i) {
      const Joint& joint = model_.joints()[builder_.body_order()[i]];
      const int size = velocity_size(joint), at = joint.v_index;
      if (size == 0) continue;
      const std::string name = joint.type == JointType::free ? imported_.links[i].name : joint.name;
      ASSERT_TRUE(theirs_.has_joint(name)) << name;
      const int to = theirs_.velocity_index(name);
      theirs_.set_position(name, q.segment(joint.q_index, position_size(joint)));
      T.block(to, at, size, size).setIdentity();
      if (has_scalar_coordinates(joint.type)) continue;
      const int first = joint.q_index;
      const Mat3 R = Quaternion(q[first], q[first + 1], q[first + 2], q[first + 3]).toRotationMatrix();
      for (int part = 0; part < size; part += 3) T.block<3, 3>(to + part, at + part) = R;
      if (size == 6) rate.segment<3>(to + 3) = R * v.segment<3>(at).cross(v.segment<3>(at + 3));
    }
  }

  /// Velocities here are in the body's axes.
  void expect_motion(const std::string& link, const Transform& X_WB, const Vec6& V) const {
    const Transform theirs = theirs_.pose(link);
    EXPECT_LT((X_WB.p - theirs.p).norm() / (1 + theirs.p.norm()) + (X_WB.R - theirs.R).norm(), 1e-9) << link;
    Vec6 in_world;
    in_world << X_WB.R * V.head<3>(), X_WB.R * V.tail<3>();
    EXPECT_LT((in_world - theirs_.velocity(link)).norm(), 1e-9 * (1 + V.norm())) << link;
  }

  ImportedModel imported_;
  SdfInSimbody theirs_;
  ModelBuilder builder_;
  Model model_;
};

void expect_agreement(const fs::path& path, bool fixed_base = false) {
  SCOPED_TRACE(path.string() + (fixed_base ? ", fixed" : ""));
  Pair pair(path.string(), fixed_base);
  Random random(11);
  for (int i = 0; i < 20 && !::testing::Test::HasFailure(); ++i) pair.compare(random);
}

fs::path data_models() { return data_folder() / "models"; }

/// Joints of every type that trees of both know, frames and poses relative to others, and a nested model. There are
/// also an axis told in another frame, a freely moving link, and a joint whose child hangs already and so is turned
/// round.
constexpr const char* everything = R"(<sdf version="1.9"><model name="all">
  <pose>0.3 -0.2 0.5 0.1 0.2 0.3</pose>
  <frame name="aside" attached_to="trunk"><pose>0.1 0.2 -0.3 0.5 -0.4 0.2</pose></frame>
  <link name="trunk"><pose>0 0.1 0.2 0.3 0 0.1</pose>INERTIAL</link>
  <link name="swing"><pose relative_to="aside">0.1 0 0.4 0 1 0</pose>INERTIAL</link>
  <link name="slide"><pose relative_to="swing">0 0.3 0 0.2 0 0.7</pose>INERTIAL</link>
  <link name="ball"><pose relative_to="slide">0.2 0 0.1 0 0.3 0</pose>INERTIAL</link>
  <link name="cross"><pose>1 0.2 0.1 0 0.3 0.4</pose>INERTIAL</link>
  <link name="above"><pose>-1 0.2 0.1 0.9 0.3 0.4</pose>INERTIAL</link>
  <model name="arm"><pose relative_to="cross">0.3 0 0 0 0 0.5</pose>
    <link name="hand"><pose>0 0 0.2 0 0.1 0</pose>INERTIAL</link>
    <link name="thumb"><pose relative_to="hand">0.1 0 0.1 1 0 0</pose>INERTIAL</link>
    <joint name="grip" type="revolute"><parent>hand</parent><child>thumb</child><axis><xyz>0 1 1</xyz></axis></joint>
  </model>
  <joint name="swinging" type="revolute"><parent>trunk</parent><child>swing</child><pose>0.1 0 0 0.3 0.2 0</pose>
    <axis><xyz expressed_in="aside">1 2 3</xyz></axis></joint>
  <joint name="sliding" type="prismatic"><parent>swing</parent><child>slide</child><axis><xyz>1 -1 0.5</xyz></axis>
  </joint>
  <joint name="rolling" type="ball"><parent>slide</parent><child>ball</child><pose>0 0.1 0 0 0 0.4</pose></joint>
  <joint name="crossing" type="universal"><parent>trunk</parent><child>cross</child><axis><xyz>1 0 0</xyz></axis>
    <axis2><xyz>0 0 1</xyz></axis2></joint>
  <joint name="holding" type="fixed"><parent>cross</parent><child>arm::hand</child></joint>
  <joint name="turned" type="revolute"><parent>above</parent><child>trunk</child><pose>0 0.1 0.2 0 0.3 0</pose>
    <axis><xyz>0 3 1</xyz></axis></joint>
</model></sdf>)";

TEST(SdformatAgainstSimbody, EveryJointAndFrame) {
  const std::string inertial =
      "<inertial><pose>0.1 -0.2 0.05 0.3 0.4 0.5</pose><mass>1.5</mass><inertia><ixx>0.3</ixx><iyy>0.4</iyy>"
      "<izz>0.5</izz><ixy>0.01</ixy><ixz>-0.02</ixz><iyz>0.03</iyz></inertia></inertial>";
  std::string text = everything;
  for (std::size_t at; (at = text.find("INERTIAL")) != std::string::npos;) text.replace(at, 8, inertial);
  const fs::path path = fs::path(::testing::TempDir()) / "carom_every_joint.sdf";
  std::ofstream(path) << text;
  expect_agreement(path);
  fs::remove(path);
}

TEST(SdformatAgainstSimbody, RobotsOfTheScenes) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "scenes" / "robots")) {
    if (entry.path().extension() != ".sdf") continue;
    expect_agreement(entry.path());
    ++files;
  }
  EXPECT_GT(files, 0);
}

/// Every model of others, by name: whether it can be used as it is or with its base fixed alone.
class SdfData : public ::testing::TestWithParam<std::pair<const char*, bool>> {};

TEST_P(SdfData, MovesAlike) {
  const fs::path path = data_models() / GetParam().first;
  if (!fs::exists(path)) GTEST_SKIP() << "no model: " << path << " (CAROM_DATA names the folder of data)";
  if (!GetParam().second) expect_agreement(path);
  expect_agreement(path, true);
}

INSTANTIATE_TEST_SUITE_P(files, SdfData,
                         ::testing::Values(std::pair("drake/four_bar.sdf", false),
                                           std::pair("drake/planar_brick.sdf", true),
                                           std::pair("drake/planar_gripper.sdf", true),
                                           std::pair("pinocchio/simple_humanoid.sdf", false)),
                         [](const auto& info) { return fs::path(info.param.first).stem().string(); });

}  // namespace
}  // namespace carom::sdformat_against_simbody_test

#endif
