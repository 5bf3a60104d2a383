#pragma once

#include <vector>

#include "carom/model/model.h"

namespace carom {

/// A part of the mechanism with at most two handles. The inboard handle is the joint by which it hangs on its parent.
/// The outboard handle is its lowest body, on which the next part of its path hangs. An assembly is either a run of
/// bodies, or two assemblies joined.
struct Assembly {
  int first = 0, last = 0;    ///< its bodies are path_bodies[first, last), each the parent of the next
  int inboard = -1;           ///< assemblies that were joined; −1 for a run
  int outboard = -1;          ///< −1 for a run
  int parent = -1;            ///< the assembly that it was joined into; −1 for the whole of a path
  bool has_outboard = false;  ///< whether anything hangs on its outboard handle
  int top = -1;               ///< body whose inboard joint is the inboard handle
  int bottom = -1;            ///< body that is the outboard handle
  int level = 0;              ///< of the walk from the leaves of the assembly tree to its roots
  bool is_run() const { return inboard < 0; }
};

struct AssemblyOptions {
  int bodies_per_run = 16;  ///< bodies eliminated one after the other before assemblies are joined, > 0
};

/// The order in which the bodies of a model are joined to assemblies and these to larger ones. The depth of the whole
/// is O(log n) whatever the mechanism. This is paper DCA's binary tree (figure 3), for trees of bodies as well.
///
/// The tree of bodies is cut into paths, each continuing to the child that carries the most bodies. Every other child
/// begins a path of its own, which ends as an articulated inertia on the body that it hangs on. Featherstone, Int. J.
/// Robotics Research 18(9), 1999, part 2, keeps a handle for each joint instead; here two are always enough. A path is
/// cut into runs, and the runs are joined two by two. Each cut balances the weights on its two sides as well as it can.
/// So a body lies O(log n) joins below the root, counted through all the paths between.
///
/// ModelBuilder refuses bodies that move and have no inertia, so every run resists by itself, wherever it is cut.
///
/// Assemblies are numbered level by level, and their data lie in memory in that order. Those of one level need nothing
/// from each other. O(n log n) to build, once per model.
struct AssemblyTree {
  explicit AssemblyTree(const Model& model, const AssemblyOptions& options = {});

  int size() const { return static_cast<int>(assemblies.size()); }
  int level_count() const { return static_cast<int>(level_start.size()) - 1; }

  std::vector<Assembly> assemblies;  ///< by level
  std::vector<int> level_start;      ///< level_count + 1
  std::vector<int> path_bodies;      ///< bodies, path by path, inboard first
  std::vector<int> run_of;           ///< by body, the run that it belongs to
  // Paths that hang on body i: side_paths[side_start[i], side_start[i + 1]), each by the assembly that is its whole.
  std::vector<int> side_start;
  std::vector<int> side_paths;
};

}  // namespace carom
