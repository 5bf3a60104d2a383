#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Accelerations a and inertial forces f of a motion in which the base has the acceleration `base`. The call
/// add_joint_acceleration(i, a) adds that of the joint of body i.
template <typename AddJointAcceleration>
void inertial_forces(const Model& model, const Motion& base, DynamicsWorkspace& workspace,
                     AddJointAcceleration&& add_joint_acceleration) {
  for (int i = 0; i < model.body_count(); ++i) {
    const int parent = model.nodes()[i].parent;
    NodeState& state = workspace.nodes[i];
    state.a = parent < 0 ? base : workspace.nodes[parent].a.moved_by(state.r);
    state.a += state.bias;
    add_joint_acceleration(i, state.a);
    state.f = state.inertia * state.a;
    state.f += cross(state.V, state.inertia * state.V);
  }
}

/// S v̇ with the v̇ that keeps the momentum of the joint's own motion straight in F's axes.
void add_straight_acceleration(const Model& model, int body, const VectorX& v, const DynamicsWorkspace& workspace,
                               Motion& a) {
  const TreeNode& node = model.nodes()[body];
  if (node.type != JointType::free) return;
  const Vec3 c_M = node.moment / node.mass;
  const Vec3 w = v.segment<3>(node.v_index), v_o = v.segment<3>(node.v_index + 3);
  // v̇_c + ω × v_c = 0 for the centre's velocity v_c = v_o + ω × c, with ω̇ = 0.
  const Vec3 straight = -w.cross(v_o + w.cross(c_M));
  a.linear += workspace.nodes[body].R * straight;
}

}  // namespace

void inverse_dynamics(const Model& model, const VectorX& vdot, DynamicsWorkspace& workspace, VectorX& tau) {
  // A base that accelerates upwards represents gravity.
  const Motion base{Vec3::Zero(), -model.gravity()};
  inertial_forces(model, base, workspace, [&](int i, Motion& a) {
    const TreeNode& node = model.nodes()[i];
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) add_scaled(workspace.columns[k], vdot[k], a);
  });
  project_forces(model, workspace, tau);
  for (int k = 0; k < model.velocity_count(); ++k) tau[k] += workspace.columns[k].reflected_inertia * vdot[k];
}

void momentum_bias(const Model& model, const VectorX& v, DynamicsWorkspace& workspace, VectorX& bias) {
  inertial_forces(model, Motion(), workspace,
                  [&](int i, Motion& a) { add_straight_acceleration(model, i, v, workspace, a); });
  project_forces(model, workspace, bias);
}

void gravity_force(const Model& model, DynamicsWorkspace& workspace, VectorX& tau) {
  const Motion fall{Vec3::Zero(), model.gravity()};
  for (NodeState& state : workspace.nodes) state.f = state.inertia * fall;
  project_forces(model, workspace, tau);
}

}  // namespace carom
