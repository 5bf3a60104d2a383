#include "carom/stepper/kinetic_scaling.h"

#include <algorithm>
#include <cmath>

#include "carom/dynamics/centroidal.h"
#include "carom/dynamics/recursions.h"
#include "carom/numerics/symmetric_spectrum.h"
#include "carom/stepper/mean_velocity.h"

namespace carom {
namespace {

/// Greatest factor by which a whole motion is scaled. A motion is set right by a factor near one. Beyond this, both
/// energies are round-off of larger ones, as those of a mechanism that its constraints hold still.
constexpr double most_growth = 2;
constexpr double no_moment = 1e-12;  // of the largest moment of inertia

}  // namespace

KineticScaling::KineticScaling(const Model& model)
    : q_end_(VectorX::Zero(model.position_count())), v_end_(VectorX::Zero(model.velocity_count())) {
  assembly_of_.resize(model.body_count());
  for (int body = 0; body < model.body_count(); ++body) {
    const int root = model.root(body);
    if (root == body) {
      assembly_of_[body] = static_cast<int>(assemblies_.size());
      assemblies_.push_back({{root}, {}, false, model.joints()[root].type == JointType::free});
    }
    assembly_of_[body] = assembly_of_[root];
    assemblies_[assembly_of_[body]].bodies.push_back(body);
  }
  trees_ = assemblies_;
  std::erase_if(trees_, [&](const Assembly& tree) { return keeps_itself(model, tree); });
  tie(model);
  tree_start_.resize(trees_.size());
  for (auto* states : {&start_, &turned_, &solved_}) states->resize(assemblies_.size());
}

/// A body by itself turns in the step without making energy, unless its joint's subspace changes in its own axes.
bool KineticScaling::keeps_itself(const Model& model, const Assembly& assembly) {
  return assembly.bodies.size() < 2 && !assembly.tied &&
         (assembly.bodies.empty() || !subspace_varies(model.joints()[assembly.bodies.front()]));
}

void KineticScaling::merge(int from, int into) {
  if (from == into) return;
  Assembly &kept = assemblies_[into], &other = assemblies_[from];
  kept.floats = kept.floats && other.floats;
  kept.driven = kept.driven || other.driven;
  kept.roots.insert(kept.roots.end(), other.roots.begin(), other.roots.end());
  kept.bodies.insert(kept.bodies.end(), other.bodies.begin(), other.bodies.end());
  for (const int body : other.bodies) assembly_of_[body] = into;
  other = {};
}

/// Makes one assembly of trees that constraints tie together.
void KineticScaling::tie(const Model& model) {
  for (const Constraint& constraint : model.constraints()) {
    if (row_count(constraint.kind) == 0) continue;
    int a = -1;
    bool to_world = false;
    constraint.for_each_body([&](int body) {
      to_world = to_world || body < 0;
      a = std::max(a, body);
    });
    Assembly& kept = assemblies_[assembly_of_[a]];
    kept.driven = kept.driven || constraint.path.moves || constraint.kind == ConstraintKind::motion;
    if (constraint.kind == ConstraintKind::motion) continue;  // of one joint, which is part of a tree
    kept.tied = true;
    // Within a floating tree nothing is tied to the world. A coupler's rates, say, stay as they are when the whole
    // moves with its joints locked.
    if (to_world) kept.floats = false;
    constraint.for_each_body([&](int body) {
      if (body >= 0) merge(assembly_of_[body], assembly_of_[a]);
    });
  }
  for (Assembly& assembly : assemblies_) {
    std::sort(assembly.roots.begin(), assembly.roots.end());
    std::sort(assembly.bodies.begin(), assembly.bodies.end());
    if (keeps_itself(model, assembly)) assembly = {};
  }
}

double KineticScaling::energy(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace) const {
  double sum = 0;
  for (const int i : assembly.bodies) {
    sum += 0.5 * workspace.V[i].dot(model.bodies()[i].inertia * workspace.V[i]) + workspace.reflected_energy[i];
  }
  return sum;
}

/// Momentum of a tree about the world's origin.
Vec6 KineticScaling::momentum(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace) const {
  const CentroidalState whole = centroidal_state(model, assembly.bodies, workspace);
  Vec6 momentum;
  momentum << whole.angular_momentum + whole.center.cross(whole.linear_momentum), whole.linear_momentum;
  return momentum;
}

/// World twist, about the world's origin, of the locked tree with this momentum, and its energy.
Vec6 KineticScaling::locked_motion(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace,
                                   const Vec6& momentum, double& energy) const {
  const CentroidalState whole = centroidal_state(model, assembly.bodies, workspace);
  // About the centre of mass the linear and angular parts part.
  const Vec3 linear = momentum.tail<3>() / whole.mass;
  const Vec3 spin_momentum = Vec3(momentum.head<3>()) - whole.center.cross(Vec3(momentum.tail<3>()));
  const Vec3 spin = semidefinite_inverse(whole.inertia, no_moment) * spin_momentum;
  energy = 0.5 * (spin.dot(spin_momentum) + whole.mass * linear.squaredNorm());
  Vec6 V;
  V << spin, linear + whole.center.cross(spin);
  return V;
}

void KineticScaling::scale(const Model& model, const Assembly& assembly, double factor, VectorX& v) {
  for (const int i : assembly.bodies) {
    const Joint& joint = model.joints()[i];
    v.segment(joint.v_index, velocity_size(joint)) *= factor;
  }
}

void KineticScaling::scale_to(const Model& model, const Assembly& assembly, const Target& target, bool only_down,
                              const DynamicsWorkspace& workspace, VectorX& v) const {
  double now = energy(model, assembly, workspace);
  const auto scale_whole = [&] {
    if (now > 0 && !assembly.driven && !(only_down && now <= target.energy)) {
      scale(model, assembly, std::min(std::sqrt(std::max(target.energy, 0.0) / now), most_growth), v);
    }
  };
  if (!assembly.floats) {
    scale_whole();
    return;
  }
  // The whole tree takes up what its momentum lacks, as if its joints were locked. The rest of the motion has no
  // momentum, so the energy changes by the difference of the two locked motions alone.
  const Vec6 before = momentum(model, assembly, workspace);
  double locked_before = 0, locked = 0;
  const Vec6 V_before = locked_motion(model, assembly, workspace, before, locked_before);
  const Vec6 V = locked_motion(model, assembly, workspace, target.momentum, locked);
  if (locked > 1.01 * target.energy && !assembly.driven) {
    scale_whole();
    return;
  }
  const double free = std::max(now - locked_before, 0.0);
  now = locked + free;
  double s = 1;
  if (free > 1e-14 * now && !assembly.driven && !(only_down && now <= target.energy)) {
    s = std::sqrt(std::max(target.energy - locked, 0.0) / free);
  }
  scale(model, assembly, s, v);
  for (const int root : assembly.roots) {
    const Joint& joint = model.joints()[root];
    const Transform X_WM = workspace.X_WB[root] * joint.X_BM;
    v.segment<6>(joint.v_index) += X_WM.inverse_motion(V - s * V_before);
  }
}

void KineticScaling::note(const Model& model, const std::vector<Assembly>& assemblies,
                          const DynamicsWorkspace& workspace, std::vector<Target>& states) const {
  for (std::size_t t = 0; t < assemblies.size(); ++t) {
    states[t] = {energy(model, assemblies[t], workspace), momentum(model, assemblies[t], workspace),
                 centroidal_state(model, assemblies[t].bodies, workspace).center};
  }
}

void KineticScaling::note_turned(const Model& model, const DynamicsWorkspace& workspace) {
  note(model, assemblies_, workspace, turned_);
}

void KineticScaling::note_solved(const Model& model, const DynamicsWorkspace& workspace) {
  note(model, assemblies_, workspace, solved_);
}

void KineticScaling::settle(const Model& model, const std::vector<char>& struck, const std::vector<double>& end_weight,
                            bool halfway, const DynamicsWorkspace& workspace, VectorX& v) {
  for (std::size_t t = 0; t < assemblies_.size(); ++t) {
    const Assembly& assembly = assemblies_[t];
    if (assembly.bodies.empty()) continue;
    const bool pushed =
        std::any_of(assembly.bodies.begin(), assembly.bodies.end(), [&](int i) { return struck[i] != 0; });
    const bool as_solved = pushed && !halfway;
    Vec6 given = solved_[t].momentum - turned_[t].momentum;
    const double theta = end_weight.empty() ? 1 : end_weight[static_cast<std::size_t>(assembly.bodies.front())];
    const Vec3 arm = (2 * theta - 1) * (start_[t].center - solved_[t].center);
    given.head<3>() += arm.cross(Vec3(given.tail<3>()));
    const Target target{as_solved ? solved_[t].energy : start_[t].energy + solved_[t].energy - turned_[t].energy,
                        start_[t].momentum + given, Vec3::Zero()};
    scale_to(model, assembly, target, pushed, workspace, v);
  }
}

void KineticScaling::apply(const Model& model, const Turn& turn, DynamicsWorkspace& scratch, VectorX& v) {
  const VectorX& q = turn.q;
  forward_kinematics(model, q, scratch);
  forward_velocity(model, q, turn.v_start, scratch);
  note(model, assemblies_, scratch, start_);
  if (trees_.empty()) return;
  if (&turn.v_before != &turn.v_start) forward_velocity(model, q, turn.v_before, scratch);
  note(model, trees_, scratch, tree_start_);
  for (int iteration = 0; iteration < 10; ++iteration) {
    mean_velocity(model, turn.end_weight, turn.v_before, v, v_end_);
    integrate(model, q, v_end_, turn.h, q_end_);
    transport_velocity(model, q, q_end_, v, v_end_);
    forward_kinematics(model, q_end_, scratch);
    forward_velocity(model, q_end_, v_end_, scratch);
    double worst = 0;
    for (std::size_t t = 0; t < trees_.size(); ++t) {
      const double now = energy(model, trees_[t], scratch);
      if (now > 0) worst = std::max(worst, std::abs(now - tree_start_[t].energy) / now);
      const Vec6 change = momentum(model, trees_[t], scratch) - tree_start_[t].momentum;
      if (trees_[t].floats && tree_start_[t].momentum.norm() > 0)
        worst = std::max(worst, change.norm() / tree_start_[t].momentum.norm());
      scale_to(model, trees_[t], tree_start_[t], false, scratch, v_end_);
    }
    if (worst < 1e-15) return;
    transport_velocity(model, q_end_, q, v_end_, v);
  }
}

}  // namespace carom
