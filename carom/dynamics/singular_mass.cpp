#include "carom/dynamics/singular_mass.h"

#include <algorithm>
#include <set>

#include "carom/dynamics/joint_column.h"
#include "carom/dynamics/recursions.h"
#include "carom/model/joint.h"
#include "carom/numerics/symmetric_spectrum.h"

namespace carom {
namespace {

/// A principal moment of 0 up to round-off.
bool is_thin(const SpatialInertia& inertia) {
  const Vec3 moments = three_spectrum(inertia.central).values;
  return moments[0] <= 1e-14 * moments[2];
}

bool has_thin_body(const Model& model) {
  for (int i = 0; i < model.body_count(); ++i) {
    if (!model.is_static(i) && is_thin(model.bodies()[i].inertia)) return true;
  }
  return false;
}

std::string sentence_of(const Model& model, int body) {
  const Joint& joint = model.joints()[body];
  const std::string who = "body '" + model.bodies()[body].name + "'";
  const std::string shape =
      model.bodies()[body].inertia.central.isZero(0) ? "a point mass" : "short of moments of inertia";
  return who + " is " + shape + ", or carries such bodies, and nothing resists a motion that its " +
         joint_name(joint.type) +
         " joint allows, as a point does not resist being turned: give it moments of inertia, or tie it so that every "
         "motion of its joint moves mass (fixed to a body with extent, on prismatic joints, off the axis of a hinge)";
}

/// True if a column of the joint moves inertia that nothing beyond it takes up.
bool sees_inertia(const Model& model, int body, const DynamicsWorkspace& workspace) {
  const TreeNode& node = model.nodes()[body];
  const RigidInertia& composite = workspace.composite[body];
  // Round-off of the moments about the joint's origin, and of places in the world, squared.
  const Sym3& moments = composite.rotational;
  const double place =
      1e-14 * (moments.xx + moments.yy + moments.zz) + 1e-20 * composite.mass * workspace.nodes[body].p.squaredNorm();
  for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
    const JointColumn& column = workspace.columns[k];
    const double whole = project(column, composite * column.S) + column.reflected_inertia;
    const double left = 1 / column.D_inverse;
    const double none = column.S.angular.isZero(0) ? 0 : place * column.S.angular.squaredNorm();
    if (!(left > std::max(1e-12 * whole, none))) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> singular_mass_faults(const Model& model, const VectorX& q) {
  std::vector<std::string> faults;
  if (!has_thin_body(model)) return faults;
  DynamicsWorkspace workspace(model);
  forward_kinematics(model, q, workspace);
  factor_mass(model, VectorX(), workspace);
  for (int i = 0; i < model.body_count(); ++i) workspace.composite[i] = workspace.nodes[i].inertia;
  std::set<int> told;  // roots of trees: past a singular joint nothing can be said
  for (int i = model.body_count() - 1; i >= 0; --i) {
    const TreeNode& node = model.nodes()[i];
    if (node.parent >= 0) {
      workspace.composite[node.parent].add_shifted(workspace.composite[i], workspace.nodes[i].r);
    }
    if (node.velocity_size == 0 || node.type == JointType::twists || told.count(model.root(i)) > 0) continue;
    if (sees_inertia(model, i, workspace)) continue;
    told.insert(model.root(i));
    faults.push_back(sentence_of(model, i));
  }
  std::reverse(faults.begin(), faults.end());
  return faults;
}

}  // namespace carom
