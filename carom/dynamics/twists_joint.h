#pragma once

#include "carom/dynamics/workspace.h"

// The part of articulated.cpp on joints of `twists`. Their D = Sᵀ I S is singular where the twists line up (gimbal
// lock), so the columns cannot be eliminated one after the other. The pseudo-inverse of D replaces its inverse.
namespace carom {

/// U and D⁺ of the joint. Subtracts from I, the inertia beyond it, what it does not pass on. `extra` is the joint's or
/// null.
void factor_twists(const TreeNode& node, const double* extra, JointColumn* columns, ArticulatedInertia& I,
                   Mat6& D_inverse);

/// x: b on entry, u = b − Sᵀ f on exit. Adds U D⁺ u to f.
void gather_twists(const TreeNode& node, const JointColumn* columns, const Mat6& D_inverse, double* x, Force& f);

/// x: u on entry, the joint's acceleration on exit, which is added to a.
void spread_twists(const TreeNode& node, const JointColumn* columns, const Mat6& D_inverse, double* x, Motion& a);

}  // namespace carom
