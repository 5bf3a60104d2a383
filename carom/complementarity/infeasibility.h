#pragma once

#include <Eigen/Core>

#include "carom/complementarity/contact_problem.h"
#include "carom/stop_signal.h"

namespace carom {

/// When no impulse at all meets what a contact problem demands of the velocities, w = u + A p + offset:
///
///     w_n ≥ 0 of contacts and unilateral rows,   w = 0 of bilateral rows,   p in its cones and bounds            (1)
///
/// There is such an impulse, or there is a dual vector y (k), and never both:
///
///     y_n ≥ 0 of contacts and unilateral rows,   y free of bilateral rows,   y = 0 of friction and bounded rows,
///     A y = 0,   yᵀ(u + offset) < 0                                                                              (2)
///
/// For a bounded row, y ≥ 0 without an upper bound, y ≤ 0 without a lower one, and y is free without both. Its w is
/// then demanded to be ≥ 0, ≤ 0 or = 0. Such a y is a set of normal impulses in balance that move nothing, as when two
/// hands press a block from both sides. By (2) the walls would have to do work on the block between them.
///
/// Why. If p meets (1) then yᵀw ≥ 0, but yᵀw = yᵀ(u + offset) + (A y)ᵀp < 0. Conversely, separating the affine image of
/// the cones and bounds from what (1) allows gives a y of these signs. It has yᵀ(u + offset) + sup_p (A y)ᵀp < 0, with
/// the supremum over all p in their cones and bounds. The supremum is finite only if contacts have (A y)_n + μ‖(A y)_t‖
/// ≤ 0 (the polar cone). Also, unilateral rows need (A y)_n ≤ 0, and bilateral ones A y = 0. Hence yᵀA y ≤ 0, and A y =
/// 0 as A is positive semidefinite. Then the supremum is zero whatever the friction, bounds and floors: friction makes
/// no problem infeasible that was not, and helps none. As the frictionless conditions are linear, Farkas' lemma leaves
/// no gap.
///
/// If u = J v and offsets are ≥ 0, those of bilateral rows zero, there is no such y: v⁺ = 0 meets (1). A feasible
/// problem can still have no solution with friction (Painlevé's rod, a wedge that locks itself while it is to be pushed
/// out). This y does not show that, and such a problem is never called infeasible.

/// The checker, by products of its own. The signs and zeros of y must be exactly those of (2), and |A y|_i ≤ tolerance
/// · √A_ii Σ √A_jj |y_j|. Also, yᵀ(u + offset) < −tolerance · Σ |y_i| (|u_i| + |offset_i|). So there is an infeasible
/// problem that differs from this one by at most `tolerance` in any entry of A, relative to √(A_ii A_jj). An impulse
/// that met (1) all the same would have to be of the order 1 / tolerance. Such a y is not unique. O(k²), O(non-zeros),
/// or k products.
bool proves_infeasible(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y,
                       double tolerance = 1e-12);

/// Looks for y, largest entry 1, by least squares with signs (nonnegative_least_squares.h) on [A; (u + offset)ᵀ] y =
/// (0, −1). True only if proves_infeasible agrees. Otherwise y is zero: the problem is feasible, or so near to it that
/// round-off hides which. Problems with k n above 2e7 are not searched. The cost is O(k² n + k n²) for n rows with
/// normal or bilateral conditions, as a rule much less. It allocates, since it is for problems that were not solved. It
/// asks `stop`, which may be null, again and again.
bool find_infeasibility(const ContactProblem& problem, Eigen::Ref<Eigen::VectorXd> y, const StopSignal* stop = nullptr);

}  // namespace carom
