#pragma once

#include "carom/dynamics/divide_and_conquer/assembly_tree.h"

namespace carom {

/// Additions and multiplications of one forward dynamics, v̇ from (q, v, τ), counted in the code operation by
/// operation. Joints of `twists` and others whose S is a product of exponentials count as general columns, without the
/// cost of S. Divisions count as one, roots and copies as none.
struct WorkCount {
  double kinematics = 0;  ///< poses, velocities, forces of inertia
  double factor = 0;      ///< inertias, U and D⁻¹
  double solve = 0;       ///< of one right-hand side
  double total() const { return kinematics + factor + solve; }
};

WorkCount articulated_work(const Model& model);
WorkCount divide_and_conquer_work(const Model& model, const AssemblyTree& tree);

/// Operations that follow one another on any number of threads: bodies eliminated in a run, and joins. Factor and solve
/// have three sweeps up and two down, each through at most one run of a level.
struct CriticalPath {
  int bodies = 0;
  int joins = 0;
};

/// The longest way from a body to the root of the assembly tree.
CriticalPath critical_path(const AssemblyTree& tree);

}  // namespace carom
