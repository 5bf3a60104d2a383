#pragma once

#include "carom/dynamics/divide_and_conquer/assembly_tree.h"
#include "carom/dynamics/divide_and_conquer/handle_algebra.h"
#include "carom/dynamics/workspace.h"

namespace carom {

/// The rest of a run's bodies after its joints are eliminated.
struct RunHandles {
  ArticulatedInertia inertia;  ///< P at the inboard handle
  Mat6 transfer, response;     ///< Ψ and G; of a run with an outboard handle
};

/// Sets IA of a run's nodes: the bodies, and the paths that hang on them. A path adds its P, which is
/// inertia_of(assembly).
template <class InertiaOf>
void load_bodies(const AssemblyTree& tree, const Assembly& run, InertiaOf&& inertia_of, DynamicsWorkspace& workspace) {
  for (int k = run.first; k < run.last; ++k) {
    const int i = tree.path_bodies[k];
    NodeState& state = workspace.nodes[i];
    state.IA = ArticulatedInertia(state.inertia);
    for (int s = tree.side_start[i]; s < tree.side_start[i + 1]; ++s) {
      const int side = tree.side_paths[s];
      state.IA.add_shifted(to_articulated(inertia_of(side)), workspace.nodes[tree.assemblies[side].top].r);
    }
  }
}

/// Eliminates the joints of a run one after the other, from its outboard handle. The inertia `hung` hangs on this
/// handle, about O of the run's bottom. On entry, IA of a node is the inertia of the body by itself with the paths that
/// hang on it. If `keep`, what is further out is added to IA. Fills U, D⁻¹ and D⁺ of the columns.
RunHandles eliminate_run(const Model& model, const AssemblyTree& tree, const Assembly& run, const VectorX& extra,
                         const ArticulatedInertia& hung, bool keep, DynamicsWorkspace& workspace);

}  // namespace carom
