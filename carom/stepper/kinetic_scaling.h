#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// Keeps the kinetic energy of articulated trees in a motion on which no force acts.
///
/// A step of first order turns Coriolis and centrifugal terms into a little energy, which grows when a tree spins fast.
/// The velocity v that such a step found is split, tree by tree and in the kinetic metric at the step's end, into the
/// motion v_c of the tree with its joints locked that has the same momentum (zero for a tree that is held by the
/// world), and the rest: T = T_c + T_d. With v' = v_c + s (v − v_c), s² = (T_start − T_c) / T_d, energy is that of the
/// start and momentum is that of v. Where T_c alone exceeds T_start the whole velocity is scaled instead. |s − 1| is
/// O(h²), so the order of the step stays. O(n) per iteration, a few iterations.
class KineticScaling {
 public:
  explicit KineticScaling(const Model& model);

  /// v_start and v (in, out) in the coordinates at q; the step's end is q ⊞ h v. Trees of one body are left alone.
  void apply(const Model& model, const VectorX& q, const VectorX& v_start, double h, DynamicsWorkspace& scratch,
             VectorX& v);

  // Forces and blows then change the velocity at the linearisation, and the motion ends in yet another configuration,
  // where the same joint rates may hold another energy. settle() scales what the end has to what the start had and the
  // work done since: T_end = T_start + (T_solved − T_turned), both of these in the mass matrix of the linearisation. A
  // tree that contacts struck is only ever scaled down, as a whole (so that what rests stays at rest), to T_solved.

  /// Notes the energies after apply(), and after forces and contacts. The workspace holds forward_velocity of the
  /// velocity in question at the linearisation.
  void note_turned(const Model& model, const DynamicsWorkspace& workspace);
  void note_solved(const Model& model, const DynamicsWorkspace& workspace);
  /// Scales v, the velocity at the end; the workspace holds forward_velocity of it there. `struck`: per body, whether a
  /// contact or limit pushed it in this step.
  void settle(const Model& model, const std::vector<char>& struck, const DynamicsWorkspace& workspace, VectorX& v);

 private:
  struct Tree {
    int root;
    std::vector<int> bodies;
    bool floats;  // hangs on the world by a free joint
  };
  double energy(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace) const;
  static void scale(const Model& model, const Tree& tree, double factor, VectorX& v);
  void scale_to(const Model& model, const Tree& tree, double target, const DynamicsWorkspace& workspace,
                VectorX& v) const;
  void note(const Model& model, const DynamicsWorkspace& workspace, std::vector<double>& energies) const;
  Vec6 locked_motion(const Model& model, const Tree& tree, const DynamicsWorkspace& workspace, double& energy) const;

  std::vector<Tree> trees_;
  std::vector<double> start_, turned_, solved_;  // energy per tree
  VectorX q_end_, v_end_;
};

}  // namespace carom
