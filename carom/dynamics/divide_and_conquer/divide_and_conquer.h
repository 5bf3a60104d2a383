#pragma once

#include <vector>

#include "carom/dynamics/divide_and_conquer/assembly_tree.h"
#include "carom/dynamics/divide_and_conquer/handle_algebra.h"
#include "carom/dynamics/divide_and_conquer/levels.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// Forward dynamics by divide and conquer: M⁻¹ in O(n) work and O(log n) steps one after the other. Paper DCA:
/// Bhalerao, Anderson and Trinkle 2009, sections 4.1 and 4.2, after Featherstone, Int. J. Robotics Research 18(9),
/// 1999.
///
///   M(q) v̇ + c(q, v) = τ + g(q)      (recursions.h has the symbols)
///
/// Hierarchic assembly: assemblies with two handles (handle_algebra.h) are joined two by two (assembly_tree.h). With B
/// hung on A, both expressed about A's outboard handle, and K, N of Coupling(F_A, P_B):
///
///   P = P_A + Ψ_Aᵀ (P_B − N Nᵀ) Ψ_A,   Ψ = Ψ_B (1 − K Nᵀ) Ψ_A,   F Fᵀ = G_B + Ψ_B K Kᵀ Ψ_Bᵀ     (DCA eqs. 26 to 28)
///
/// Every term of P and G is a sum of squares, or is subtracted as for a joint of the articulated recursion. A run of
/// bodies is eliminated joint by joint. A joint has P = I − U D⁻¹ Uᵀ, Ψ = 1 − S D⁻¹ Uᵀ and G = S D⁻¹ Sᵀ. With S and D⁻¹
/// the free modes and their orthogonal complement, DCA's (24) to (26), become one statement. It covers joints of any
/// kind, with reflected inertia and implicit damping.
///
/// Hierarchic disassembly: the root's outboard handle is free. This gives each assembly, in turn, the articulated
/// inertia that hangs on its own outboard handle. With it the runs are eliminated again, now as parts of the mechanism.
/// So U and D⁻¹ are those of the articulated recursion to round-off. Everything that works with these factors
/// (Delassus, solve_mass) works with them here too. The rest is linear in the right-hand side: forces are handed
/// inboard and accelerations outboard through Ψ and G of the assemblies in the mechanism. No differences of compliances
/// occur.
///
/// The base is the world, and a path's end is free; any joint, fixed ones included, may lie between.
///
/// Departures from the paper: The handle equations are solved for (f_in, a_out) instead of (a_1, a_2). Branches end as
/// inertias on their paths, so two handles do for any tree. Contact columns travel in any order of assembly
/// (wrench_columns.h). For the steppers, loops are rows of constraints, with or without contacts; loop_assembly.h
/// eliminates them in the joins.
///
/// Several threads (oneTBB) work on the assemblies of a level where there are enough of them. Each writes what no other
/// reads, so the results have the same bits on any number of threads. Nothing allocates after the constructor, other
/// than what oneTBB itself keeps.
class DivideAndConquer {
 public:
  explicit DivideAndConquer(const Model& model, const AssemblyOptions& options = {});

  const AssemblyTree& tree() const { return tree_; }

  /// As factor_mass: fills IA of the nodes, U and D_inverse of the columns, D⁺ of twists. Needs forward_kinematics.
  void factor(const Model& model, const VectorX& extra, DynamicsWorkspace& workspace);
  /// x = (M + diag(extra))⁻¹ b. Needs `factor`. x may be b.
  void solve(const Model& model, const VectorX& b, DynamicsWorkspace& workspace, VectorX& x);
  /// As carom::forward_dynamics, factors included.
  void forward_dynamics(const Model& model, const VectorX& q, const VectorX& v, const VectorX& tau,
                        DynamicsWorkspace& workspace, VectorX& vdot);
  /// Force (N m, N) that body i gets through its inboard joint, about the joint's O in the world's axes. After `solve`
  /// for a change of velocity it is an impulse. It is DCA's F_1c and, in section 4.3, I_1c. Along the joint's axes it
  /// is τ less what the reflected inertia and `extra` take. Needs solve or forward_dynamics right before.
  void joint_forces(const DynamicsWorkspace& workspace, std::vector<Force>& forces) const;

  /// Ψ and G of an assembly with an outboard handle, with what hangs on it in the mechanism (for wrench_columns).
  const Mat6& transfer(int assembly) const { return handles_[assembly].standing_transfer; }
  const Mat6& response(int assembly) const { return handles_[assembly].standing_response; }

 private:
  struct Handles {
    Mat6 inertia;            // P, with the outboard handle free
    Mat6 transfer, root;     // Ψ and F, likewise
    Mat6 outboard_inertia;   // what hangs on the outboard handle, about its O
    Mat6 standing_transfer;  // Ψ and G with that hung on it
    Mat6 standing_response;
  };
  struct Flow {
    Vec6 force;     // p: at the inboard handle, with no force on the outboard one
    Vec6 motion;    // w: of the outboard handle, likewise, and with the inboard one at rest
    Vec6 outboard;  // −f_out: what hangs there needs
    Vec6 inboard;   // a_in
  };

  /// work(assembly) for all of them, level by level: from the runs, or to the runs.
  template <typename Work>
  void up(Work&& work) const {
    for (int level = 0; level < tree_.level_count(); ++level) {
      work_on_level(tree_.level_start[level], tree_.level_start[level + 1], work);
    }
  }
  template <typename Work>
  void down(Work&& work) const {
    for (int level = tree_.level_count() - 1; level >= 0; --level) {
      work_on_level(tree_.level_start[level], tree_.level_start[level + 1], work);
    }
  }
  void eliminate_run(const Model& model, int assembly, const VectorX& extra, bool standing,
                     DynamicsWorkspace& workspace);
  void join(int assembly, const DynamicsWorkspace& workspace);
  void hang(int assembly, const DynamicsWorkspace& workspace);
  void join_standing(int assembly, const DynamicsWorkspace& workspace);
  Force gather_run(const Model& model, const Assembly& run, const Force& outboard, const DynamicsWorkspace& workspace,
                   double* x) const;
  Motion spread_run(const Model& model, const Assembly& run, const Motion& inboard, DynamicsWorkspace& workspace,
                    double* x) const;
  void load_run(const Assembly& run, DynamicsWorkspace& workspace) const;
  void flow_in(const Model& model, int assembly, DynamicsWorkspace& workspace, VectorX& x);
  void flow_out(const Model& model, int assembly, DynamicsWorkspace& workspace, VectorX& x);
  void flow(const Model& model, bool in_motion, DynamicsWorkspace& workspace, VectorX& x);

  AssemblyTree tree_;
  std::vector<Handles> handles_;  // by assembly
  std::vector<Flow> flow_;
  VectorX scratch_;         // nv
  bool in_motion_ = false;  // whether velocities and gravity take part in the flow
};

}  // namespace carom
