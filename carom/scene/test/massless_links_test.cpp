// Links that weigh nothing: the mechanism without them moves as the limit of mechanisms whose links weigh ever less.

#include "carom/import/massless_links.h"

#include <gtest/gtest.h>

#include <sstream>

#include "carom/dynamics/recursions.h"
#include "carom/import/build.h"
#include "carom/import/urdf.h"
#include "testing/models/random_tree.h"

namespace carom::massless_links_test {
namespace {

/// A hip of three hinges whose two links between weigh `mass`, and a heavy leg; 0: they have no inertia at all.
std::string hip_text(double mass) {
  std::ostringstream between;
  between.precision(17);
  if (mass > 0) {
    between << "<inertial><mass value=\"" << mass << "\"/><inertia ixx=\"" << mass << "\" iyy=\"" << mass << "\" izz=\""
            << mass << "\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>";
  }
  const std::string light = between.str();
  const auto joint = [](const char* name, const char* parent, const char* child, const char* origin, const char* axis) {
    return std::string("<joint name=\"") + name + "\" type=\"revolute\"><parent link=\"" + parent +
           "\"/><child link=\"" + child + "\"/><origin " + origin + "/><axis xyz=\"" + axis +
           "\"/><limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/></joint>";
  };
  return R"(<robot name="hip"><link name="trunk"><inertial><mass value="3"/>
    <inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial></link>)"
         "<link name=\"one\">" +
         light + "</link><link name=\"two\">" + light + R"(</link><link name="leg"><inertial>
    <origin xyz="0.05 0.02 -0.2"/><mass value="2"/>
    <inertia ixx="0.03" iyy="0.04" izz="0.02" ixy="0.002" ixz="0" iyz="0.001"/></inertial></link>)" +
         joint("roll", "trunk", "one", "xyz=\"0.1 0.2 -0.1\" rpy=\"0.2 0 0.1\"", "1 0 0") +
         joint("pitch", "one", "two", "xyz=\"0.03 0 -0.02\" rpy=\"0 0.3 0\"", "0 1 0") +
         joint("yaw", "two", "leg", "xyz=\"0 0.01 -0.04\"", "0 0 1") + "</robot>";
}

TEST(MasslessLinks, MoveAsTheLimitOfLightOnes) {
  constexpr double mass = 1e-9;
  const ImportedModel without = parse_urdf(hip_text(0), "hip.urdf"), light = parse_urdf(hip_text(mass), "hip.urdf");
  ASSERT_EQ(without.links.size(), 2u) << "trunk and leg";
  ASSERT_EQ(light.links.size(), 4u);
  ASSERT_FALSE(without.warnings.empty());
  const Model a = builder_of(without).build(), b = builder_of(light).build();
  ASSERT_EQ(a.velocity_count(), b.velocity_count());
  DynamicsWorkspace of_a(a), of_b(b);
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = a.velocity_count();
    VectorX q = random_position(b, random);
    const VectorX v = random.vector(n, 2), vdot = random.vector(n, 3);
    forward_kinematics(a, q, of_a);
    forward_velocity(a, q, v, of_a);
    forward_kinematics(b, q, of_b);
    forward_velocity(b, q, v, of_b);
    EXPECT_NEAR((of_a.X_WB[1].p - of_b.X_WB[3].p).norm(), 0, 1e-13);
    EXPECT_NEAR((of_a.X_WB[1].R - of_b.X_WB[3].R).norm(), 0, 1e-13);
    MatrixX M, M_light;
    mass_matrix(a, of_a, M);
    mass_matrix(b, of_b, M_light);
    EXPECT_NEAR((M - M_light).norm(), 0, 100 * mass);
    VectorX tau, tau_light;
    inverse_dynamics(a, vdot, of_a, tau);
    inverse_dynamics(b, vdot, of_b, tau_light);
    EXPECT_NEAR((tau - tau_light).norm(), 0, 1000 * mass);
  }
}

}  // namespace
}  // namespace carom::massless_links_test
