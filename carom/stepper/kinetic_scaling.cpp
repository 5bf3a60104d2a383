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
  std::erase_if(trees_, [](const Tree& tree) { return tree.bodies.size() < 2; });
  for (auto* energies : {&start_, &turned_, &solved_}) energies->resize(trees_.size());
}

double KineticScaling::energy(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace) const {
  double sum = 0;
  for (const int i : tree.bodies) sum += 0.5 * workspace.V[i].dot(model.bodies()[i].inertia * workspace.V[i]);
  return sum;
}

/// World twist of the locked tree with the tree's momentum, about the world's origin, and its energy.
Vec6 KineticScaling::locked_motion(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace,
                                   double& energy) const {
  SpatialInertia composite;
  Vec6 momentum = Vec6::Zero();
  for (const int i : tree.bodies) {
    const SpatialInertia& inertia = model.bodies()[i].inertia;
    composite = composite + inertia.in(workspace.X_WB[i]);
    momentum += workspace.X_WB[i].force(inertia * workspace.V[i]);
  }
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
    v.segment(joint.v_index, velocity_size(joint.type)) *= factor;
  }
}

void KineticScaling::scale_to(const Model& model, const Tree& tree, double target, const DynamicsWorkspace& workspace,
                              VectorX& v) const {
  const double now = energy(model, tree, workspace);
  if (!(now > 0)) return;
  Vec6 base = Vec6::Zero();
  double locked = 0;
  if (tree.floats) {
    const Vec6 V = locked_motion(model, tree, workspace, locked);
    base = (workspace.X_WB[tree.root] * model.joints()[tree.root].X_BM).inverse_motion(V);
  }
  const double free = now - locked;
  const bool whole = !(target > locked) || !(free > 1e-14 * now);
  const double s = whole ? std::sqrt(std::max(target, 0.0) / now) : std::sqrt((target - locked) / free);
  scale(model, tree, s, v);
  if (tree.floats && !whole) v.segment<6>(model.joints()[tree.root].v_index) += (1 - s) * base;
}

void KineticScaling::note(const Model& model, const DynamicsWorkspace& workspace, std::vector<double>& energies) const {
  for (std::size_t t = 0; t < trees_.size(); ++t) energies[t] = energy(model, trees_[t], workspace);
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
    if (std::any_of(tree.bodies.begin(), tree.bodies.end(), [&](int i) { return struck[i] != 0; })) {
      const double now = energy(model, tree, workspace);
      if (now > solved_[t]) scale(model, tree, std::sqrt(solved_[t] / now), v);
    } else {
      scale_to(model, tree, start_[t] + solved_[t] - turned_[t], workspace, v);
    }
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
      if (now > 0) worst = std::max(worst, std::abs(now - start_[t]) / now);
      scale_to(model, trees_[t], start_[t], scratch, v_end_);
    }
    if (worst < 1e-15) return;
    transport_velocity(model, q_end_, q, v_end_, v);
  }
}

}  // namespace carom
