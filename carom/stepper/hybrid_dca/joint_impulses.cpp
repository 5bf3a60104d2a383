#include "carom/stepper/hybrid_dca/joint_impulses.h"

#include "carom/dynamics/applied_force.h"
#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"

namespace carom {
namespace {

/// Adds the impulses that bodies and their motion take, less gravity.
void add_inertial(const Model& model, const StepMotion& step, DynamicsWorkspace& workspace) {
  for (int i = 0; i < model.body_count(); ++i) {
    const TreeNode& node = model.nodes()[i];
    NodeState& state = workspace.nodes[i];
    Motion change = node.parent < 0 ? Motion() : workspace.nodes[node.parent].a.moved_by(state.r);
    change += {step.h * state.bias.angular, step.h * state.bias.linear};
    if (node.type == JointType::free) {
      // A free body's centre of mass goes straight on: v̇_o is not zero where v does not change (momentum_bias).
      const Vec3 c = node.moment / node.mass;
      const Vec3 w = step.v_mean.segment<3>(node.v_index), v_o = step.v_mean.segment<3>(node.v_index + 3);
      change.linear -= step.h * (state.R * w.cross(v_o + w.cross(c)));
    }
    for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
      add_scaled(workspace.columns[k], step.v_plus[k] - step.at.start[k], change);
    }
    state.a = change;
    state.f = state.inertia * change;
    const Force turn = cross(state.V, state.inertia * state.V);
    const Force weight = state.inertia * Motion{Vec3::Zero(), model.gravity()};
    state.f += {step.h * (turn.moment - weight.moment), step.h * (turn.force - weight.force)};
  }
}

void take(int body, const Force& force, double factor, DynamicsWorkspace& workspace) {
  if (body < 0) return;
  workspace.nodes[body].f += {-factor * force.moment, -factor * force.force};
}

}  // namespace

void joint_impulses(const Model& model, const StepMotion& step, DynamicsWorkspace& workspace,
                    std::vector<Vec6>& impulses) {
  forward_kinematics(model, step.at.q, workspace);
  forward_velocity(model, step.at.q, step.v_mean, workspace);
  add_inertial(model, step, workspace);
  for (const AppliedWrench& wrench : model.wrenches()) {
    take(wrench.body, force_of(wrench, step.at.end - 0.5 * step.h, workspace), step.h, workspace);
  }
  for (std::size_t i = 0; i < step.rows.size(); ++i) {
    const ConstraintRow& row = step.rows[i];
    if (row.coordinate >= 0) continue;  // the joint's own
    const auto push = [&](int body, const Vec3& point, double factor) {
      if (body < 0) return;
      const Vec3 arm = point - workspace.nodes[body].p;
      take(body, {arm.cross(row.direction) + row.moment, row.direction}, factor, workspace);
    };
    push(row.body_a, row.point_a, step.impulse[static_cast<Eigen::Index>(i)]);
    push(row.body_b, row.point_b, -step.impulse[static_cast<Eigen::Index>(i)]);
  }
  impulses.resize(static_cast<std::size_t>(model.body_count()));
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const NodeState& state = workspace.nodes[i];
    const int parent = model.nodes()[i].parent;
    if (parent >= 0) workspace.nodes[parent].f += state.f.moved_back_by(state.r);
    impulses[static_cast<std::size_t>(i)] << state.f.moment, state.f.force;
  }
}

}  // namespace carom
