#include "carom/dynamics/applied_force.h"

#include "carom/dynamics/joint_column.h"

namespace carom {

Force force_of(const AppliedWrench& wrench, double time, const DynamicsWorkspace& workspace) {
  const double scale = wrench.scale.at(time);
  const Transform& X_WB = workspace.X_WB[wrench.body];
  Vec3 force = scale * wrench.force, torque = scale * wrench.torque;
  if (wrench.turns_with_body) force = X_WB.R * force, torque = X_WB.R * torque;
  const Vec3 arm = X_WB * wrench.point - workspace.nodes[wrench.body].p;
  return {arm.cross(force) + torque, force};
}

void add_applied_force(const Model& model, double time, const DynamicsWorkspace& workspace, VectorX& tau) {
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& drive = model.drives()[i];
    if (drive.kind != DriveKind::force) continue;
    for (const RowTerm& term : model.drive_terms(i)) tau[term.coordinate] += term.coefficient * drive.value.at(time);
  }
  for (const AppliedWrench& wrench : model.wrenches()) {
    add_projected(model, wrench.body, force_of(wrench, time, workspace), workspace, tau.data());
  }
}

}  // namespace carom
