#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// Keeps kinetic energy, and of floating trees momentum, in a motion of articulated trees on which no force acts.
///
/// A step of first order turns Coriolis and centrifugal terms into a little energy and momentum, which grow when a tree
/// spins fast. The velocity v that such a step found is split, tree by tree and in the kinetic metric at the step's
/// end. One part is the motion v_c of the tree with its joints locked that has the same momentum. It is zero for a tree
/// that the world carries. The other is the rest: T = T_c + T_d. Then v' = v_c' + s (v − v_c). Here s² = (T_start −
/// T_c') / T_d. The locked motion v_c' has the momentum of the start, linear, and angular about the world's origin.
/// Both |s − 1| and v_c' − v_c are O(h²), so the order of the step stays. If T_c' alone exceeds T_start, s = 0. If it
/// does by more than a hundredth, the step is too long for the tree's motion. The whole velocity is then scaled to
/// T_start, momentum or not. O(n) per iteration, a few iterations.
///
/// Trees that constraints tie together are one assembly in settle(). Locked, they move as one body, and both parts of
/// the velocity keep to the constraints, which are linear in it. If a motion is prescribed within the assembly, its
/// momentum alone is kept: the motion works, and scaling it would change it.
class KineticScaling {
 public:
  explicit KineticScaling(const Model& model);

  /// A turn without forces.
  struct Turn {
    const VectorX& q;
    const VectorX& v_start;   ///< of the step, in the coordinates at q
    const VectorX& v_before;  ///< before the turn, likewise
    double h;                 ///< s
    /// θ by body: the step's end is q ⊞ h ((1 − θ) v_before + θ v). Empty: all 1.
    const std::vector<double>& end_weight;
  };
  /// v (in, out) after the turn, in the coordinates at q. A tree of one body is left alone if its joint's subspace does
  /// not change in its own axes. There the terms make no energy, or the step keeps it itself.
  void apply(const Model& model, const Turn& turn, DynamicsWorkspace& scratch, VectorX& v);

  // Forces and impacts then change the velocity at the linearisation. The motion ends in yet another configuration,
  // where the same joint rates may hold another energy and momentum. So settle() gives the end what the start had and
  // what was done since: T_end = T_start + (T_solved − T_turned), momentum alike, both differences in the mass matrix
  // of the linearisation. Linear momentum that forces gave counts about the origin as given at the start's mass centre
  // c. The step moves that centre along the momentum at its end, p⁺, and c × p⁺ is then the same before and after.
  // Given where the linearisation is, h v further on, it would make whatever flies across its weight spin. If positions
  // move along the mean velocity v + θ (v⁺ − v), and the linearisation is in the middle, that momentum counts about the
  // origin as given 2 (1 − θ) of the way from c to the mass centre at the linearisation.
  //
  // The energy of a tree that contacts or limits pushed is only ever brought down, to T_solved. If the linearisation is
  // the middle of the way, T_solved lacks what the second half makes of the joint rates, which is O(h). There the
  // energy is brought down to T_end.

  /// Notes energies and momenta after apply(), and after forces and contacts. The workspace holds forward_velocity of
  /// the velocity in question at the linearisation.
  void note_turned(const Model& model, const DynamicsWorkspace& workspace);
  void note_solved(const Model& model, const DynamicsWorkspace& workspace);
  /// Adds to the energy that the assembly of `body` had after the solve.
  void give_back(int body, double energy) { solved_[assembly_of_[body]].energy += energy; }
  /// Scales v, the velocity at the end; the workspace holds forward_velocity of it there. Contacts or limits pushed the
  /// bodies marked in `struck` in this step. By `end_weight`: Impacts::end_weight. The linearisation is that of the
  /// middle if `halfway`.
  void settle(const Model& model, const std::vector<char>& struck, const std::vector<double>& end_weight, bool halfway,
              const DynamicsWorkspace& workspace, VectorX& v);

 private:
  struct Assembly {
    std::vector<int> roots;  // of its trees
    std::vector<int> bodies;
    bool tied = false;    // by a constraint
    bool floats = true;   // every tree hangs on the world by a free joint, and no constraint ties one to the world
    bool driven = false;  // by a prescribed motion, which must stay as it is
  };
  struct Target {
    double energy = 0;
    Vec6 momentum = Vec6::Zero();  // about the world's origin; of floating trees
    Vec3 center = Vec3::Zero();    // of mass, likewise
  };
  double energy(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace) const;
  Vec6 momentum(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace) const;
  Vec6 locked_motion(const Model& model, const Assembly& assembly, const DynamicsWorkspace& workspace,
                     const Vec6& momentum, double& energy) const;
  static void scale(const Model& model, const Assembly& assembly, double factor, VectorX& v);
  void scale_to(const Model& model, const Assembly& assembly, const Target& target, bool only_down,
                const DynamicsWorkspace& workspace, VectorX& v) const;
  void note(const Model& model, const std::vector<Assembly>& assemblies, const DynamicsWorkspace& workspace,
            std::vector<Target>& states) const;
  void tie(const Model& model);
  void merge(int from, int into);
  static bool keeps_itself(const Model& model, const Assembly& assembly);

  std::vector<Assembly> trees_;                  // of more than one body
  std::vector<Assembly> assemblies_;             // of trees that constraints tie together
  std::vector<int> assembly_of_;                 // per body
  std::vector<Target> tree_start_;               // per tree of trees_
  std::vector<Target> start_, turned_, solved_;  // per assembly
  VectorX q_end_, v_end_;
};

}  // namespace carom
