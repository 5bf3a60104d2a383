#include "carom/dynamics/divide_and_conquer/work_count.h"

#include <algorithm>

#include "carom/dynamics/workspace.h"

namespace carom {
namespace {

// Operations of full 6 × 6 matrices and vectors: n sums of m products are n (2 m − 1).
constexpr double product = 36 * 11, sum = 36, times_vector = 6 * 11, shift = 18 * 4;
constexpr double congruence = 2 * product;
constexpr double cholesky = 6 + 15 + 2 * 35, triangular_solve = 6 * 36;
constexpr double coupling = congruence + 6 + cholesky + triangular_solve + product;
constexpr double root_of_semidefinite = 6 + 6 * 6 + 15 * 12 + 6 * 6 + 6 * 12;
constexpr double shift_vector = 9;

// In the world's axes, by the 21 numbers of an articulated inertia (link_algebra.h).
constexpr double add_shifted = 105, eliminate = 48;

struct ColumnCost {
  double factor, gather, spread, pass;
};

ColumnCost column_cost(JointColumn::Kind kind) {
  const bool general = kind == JointColumn::Kind::general;
  const double times = general ? 66 : 30, project = general ? 11 : 5, add_scaled = general ? 12 : 6;
  // pass: Ψ S, its multiple, and two products of vectors taken from Ψ and added to G
  return {times + project + 3 + eliminate, project + 2 + 12, 11 + 2 + add_scaled, times_vector + 6 + 72 + 72};
}

struct BodyCost {
  double factor = add_shifted, solve = 18 + 12 + 6, pass = shift;
};

BodyCost body_cost(const Model& model, int body, const DynamicsWorkspace& workspace) {
  BodyCost cost;
  const TreeNode& node = model.nodes()[body];
  for (int k = node.v_index; k < node.v_index + node.velocity_size; ++k) {
    const ColumnCost column = column_cost(workspace.columns[k].kind);
    cost.factor += column.factor;
    cost.solve += column.gather + column.spread;
    cost.pass += column.pass;
  }
  return cost;
}

/// Pose and inertia in the world's axes take 171. Velocity and bias take 32, and 13 for each coordinate. The force of
/// the motion takes 72, and so does the force of the bias.
double kinematics_work(const Model& model) { return 347.0 * model.body_count() + 13.0 * model.velocity_count(); }

}  // namespace

WorkCount articulated_work(const Model& model) {
  const DynamicsWorkspace workspace(model);
  WorkCount work;
  work.kinematics = kinematics_work(model);
  for (int i = 0; i < model.body_count(); ++i) {
    const BodyCost cost = body_cost(model, i, workspace);
    work.factor += cost.factor;
    work.solve += cost.solve;
  }
  return work;
}

WorkCount divide_and_conquer_work(const Model& model, const AssemblyTree& tree) {
  const DynamicsWorkspace workspace(model);
  WorkCount work;
  work.kinematics = kinematics_work(model);
  for (const Assembly& part : tree.assemblies) {
    if (part.is_run()) {
      const int times = part.has_outboard ? 2 : 1;
      for (int k = part.first; k < part.last; ++k) {
        const BodyCost cost = body_cost(model, tree.path_bodies[k], workspace);
        work.factor += times * (cost.factor + (part.has_outboard ? cost.pass : 0));
        work.solve += times * cost.solve;
      }
      if (part.has_outboard) work.factor += root_of_semidefinite;
      continue;
    }
    // P; what hangs on the inboard part
    work.factor += 2 * shift + coupling + product + sum + congruence + sum + 2 * shift;
    work.solve += 2 * shift_vector + 3 * times_vector + 4 * 6;
    if (!part.has_outboard) continue;
    // Ψ and F; P with what hangs there; Ψ and G in the mechanism
    work.factor += shift + 3 * product + sum + product + 2 * product + sum + root_of_semidefinite;
    work.factor += coupling + product + sum + congruence + sum;
    work.factor += shift + product + congruence + sum;
    work.solve += shift_vector + 3 * times_vector + 3 * 6;
  }
  return work;
}

CriticalPath critical_path(const AssemblyTree& tree) {
  CriticalPath longest;
  std::vector<CriticalPath> path(tree.size());
  const auto take_longer = [](CriticalPath& a, const CriticalPath& b) {
    a.bodies = std::max(a.bodies, b.bodies);
    a.joins = std::max(a.joins, b.joins);
  };
  for (int a = 0; a < tree.size(); ++a) {
    const Assembly& part = tree.assemblies[a];
    if (part.is_run()) {
      for (int k = part.first; k < part.last; ++k) {
        const int body = tree.path_bodies[k];
        for (int s = tree.side_start[body]; s < tree.side_start[body + 1]; ++s) {
          take_longer(path[a], path[tree.side_paths[s]]);
        }
      }
      path[a].bodies += part.last - part.first;
    } else {
      path[a] = path[part.inboard];
      take_longer(path[a], path[part.outboard]);
      ++path[a].joins;
    }
    take_longer(longest, path[a]);
  }
  return longest;
}

}  // namespace carom
