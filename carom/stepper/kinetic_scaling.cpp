#include "carom/stepper/kinetic_scaling.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "carom/dynamics/recursions.h"

namespace carom {

KineticScaling::KineticScaling(const Model& model)
    : q_end_(VectorX::Zero(model.position_count())), v_end_(VectorX::Zero(model.velocity_count())) {
  for (int body = 0; body < model.body_count(); ++body) {
    const int root = model.root(body);
    auto tree = std::find_if(trees_.begin(), trees_.end(), [&](const Tree& t) { return t.root == root; });
    if (tree == trees_.end()) {
      trees_.push_back({root, {}, model.joints()[root].type == JointType::free});
      tree = trees_.end() - 1;
    }
    tree->bodies.push_back(body);
  }
  std::erase_if(
      trees_, [&](const Tree& tree) { return tree.bodies.size() < 2 && !subspace_varies(model.joints()[tree.root]); });
  for (auto* states : {&start_, &turned_, &solved_}) states->resize(trees_.size());
}

double KineticScaling::energy(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace) const {
  double sum = 0;
  for (const int i : tree.bodies) {
    sum += 0.5 * workspace.V[i].dot(model.bodies()[i].inertia * workspace.V[i]) + workspace.reflected_energy[i];
  }
  return sum;
}

/// Momentum of a tree about the world's origin.
Vec6 KineticScaling::momentum(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace) const {
  Vec6 sum = Vec6::Zero();
  for (const int i : tree.bodies) sum += workspace.X_WB[i].force(model.bodies()[i].inertia * workspace.V[i]);
  return sum;
}

/// World twist, about the world's origin, of the locked tree with this momentum, and its energy.
Vec6 KineticScaling::locked_motion(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace,
                                   const Vec6& momentum, double& energy) const {
  SpatialInertia composite;
  for (const int i : tree.bodies) composite = composite + model.bodies()[i].inertia.in(workspace.X_WB[i]);
  // About the centre of mass the linear and angular parts part.
  const Vec3 linear = momentum.tail<3>() / composite.mass;
  const Vec3 spin_momentum = Vec3(momentum.head<3>()) - composite.center.cross(Vec3(momentum.tail<3>()));
  const Vec3 spin = composite.central.ldlt().solve(spin_momentum);
  energy = 0.5 * (spin.dot(spin_momentum) + composite.mass * linear.squaredNorm());
  Vec6 V;
  V << spin, linear + composite.center.cross(spin);
  return V;
}

void KineticScaling::scale(const Model& model, const Tree& tree, double factor, VectorX& v) {
  for (const int i : tree.bodies) {
    const Joint& joint = model.joints()[i];
    v.segment(joint.v_index, velocity_size(joint)) *= factor;
  }
}

void KineticScaling::scale_to(const Model& model, const Tree& tree, const Target& target, bool only_down,
                              const DynamicsWorkspace& workspace, VectorX& v) const {
  double now = energy(model, tree, workspace);
  const auto scale_whole = [&] {
    if (now > 0 && !(only_down && now <= target.energy)) {
      scale(model, tree, std::sqrt(std::max(target.energy, 0.0) / now), v);
    }
  };
  if (!tree.floats) {
    scale_whole();
    return;
  }
  // The whole tree takes up what its momentum lacks, as if its joints were locked; that changes the energy by the
  // difference of the two locked motions alone, since the rest has no momentum.
  const Vec6 before = momentum(model, tree, workspace);
  double locked_before = 0, locked = 0;
  const Vec6 V_before = locked_motion(model, tree, workspace, before, locked_before);
  const Vec6 V = locked_motion(model, tree, workspace, target.momentum, locked);
  if (locked > 1.01 * target.energy) {
    scale_whole();
    return;
  }
  const double free = std::max(now - locked_before, 0.0);
  now = locked + free;
  double s = 1;
  if (free > 1e-14 * now && !(only_down && now <= target.energy)) {
    s = std::sqrt(std::max(target.energy - locked, 0.0) / free);
  }
  scale(model, tree, s, v);
  const Joint& joint = model.joints()[tree.root];
  const Transform X_WM = workspace.X_WB[tree.root] * joint.X_BM;
  v.segment<6>(joint.v_index) += X_WM.inverse_motion(V - s * V_before);
}

void KineticScaling::note(const Model& model, const DynamicsWorkspace& workspace, std::vector<Target>& states) const {
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    states[t] = {energy(model, trees_[t], workspace), momentum(model, trees_[t], workspace)};
  }
}

void KineticScaling::note_turned(const Model& model, const DynamicsWorkspace& workspace) {
  note(model, workspace, turned_);
}

void KineticScaling::note_solved(const Model& model, const DynamicsWorkspace& workspace) {
  note(model, workspace, solved_);
}

void KineticScaling::settle(const Model& model, const std::vector<char>& struck, const DynamicsWorkspace& workspace,
                            VectorX& v) {
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    const Tree& tree = trees_[t];
    const bool pushed = std::any_of(tree.bodies.begin(), tree.bodies.end(), [&](int i) { return struck[i] != 0; });
    const Target target{pushed ? solved_[t].energy : start_[t].energy + solved_[t].energy - turned_[t].energy,
                        start_[t].momentum + solved_[t].momentum - turned_[t].momentum};
    scale_to(model, tree, target, pushed, workspace, v);
  }
}

void KineticScaling::apply(const Model& model, const VectorX& q, const VectorX& v_start, double h,
                           DynamicsWorkspace& scratch, VectorX& v) {
  if (trees_.empty()) return;
  forward_kinematics(model, q, scratch);
  forward_velocity(model, q, v_start, scratch);
  note(model, scratch, start_);
  for (int iteration = 0; iteration < 10; ++iteration) {
    integrate(model, q, v, h, q_end_);
    transport_velocity(model, q, q_end_, v, v_end_);
    forward_kinematics(model, q_end_, scratch);
    forward_velocity(model, q_end_, v_end_, scratch);
    double worst = 0;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const double now = energy(model, trees_[t], scratch);
      if (now > 0) worst = std::max(worst, std::abs(now - start_[t].energy) / now);
      const Vec6 change = momentum(model, trees_[t], scratch) - start_[t].momentum;
      if (trees_[t].floats && start_[t].momentum.norm() > 0)
        worst = std::max(worst, change.norm() / start_[t].momentum.norm());
      scale_to(model, trees_[t], start_[t], false, scratch, v_end_);
    }
    if (worst < 1e-15) return;
    transport_velocity(model, q_end_, q, v_end_, v);
  }
}

}  // namespace carom
