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
/// (of a bounded row without an upper bound y ≥ 0, without a lower one y ≤ 0, with neither y is free: w ≥ 0, ≤ 0 or = 0
/// is then demanded of it). y is a set of normal impulses that hold one another in balance, moving nothing, like those
/// of two hands that press a block from both sides; (2) says that the walls would have to do work on what they hold.
///
/// Why. If p meets (1) then yᵀw ≥ 0, but yᵀw = yᵀ(u + offset) + (A y)ᵀp < 0. Conversely, separating the affine image of
/// the cones and bounds from what (1) allows gives a y of these signs with yᵀ(u + offset) + sup_p (A y)ᵀp < 0, the
/// supremum over all p in their cones and bounds. It is finite only if (A y)_n + μ‖(A y)_t‖ ≤ 0 of contacts (the polar
/// cone), (A y)_n ≤ 0 of unilateral rows, (A y) = 0 of bilateral ones; hence yᵀA y ≤ 0, and A y = 0 as A is positive
/// semidefinite. Then the supremum is zero whatever the friction, bounds and floors: friction makes no problem
/// infeasible that was not, and helps none. As the frictionless conditions are linear, Farkas' lemma leaves no gap.
///
/// Where offsets are ≥ 0, of bilateral rows zero, and u = J v, there is no such y: v⁺ = 0 meets (1). A problem that is
/// feasible can still have no solution with friction (Painlevé's rod, a wedge that locks itself while it is to be
/// pushed out): that is not shown by this y, and such a problem is never called infeasible.

/// The checker, by products of its own: y has exactly the signs and zeros of (2), |A y|_i ≤ tolerance · √A_ii Σ √A_jj
/// |y_j|, and yᵀ(u + offset) < −tolerance · Σ |y_i| (|u_i| + |offset_i|). So there is a problem that differs from this
/// one by no more than `tolerance` in any entry of A, relative to √(A_ii A_jj), and is infeasible; and an impulse that
/// met (1) all the same would have to be of the order 1 / tolerance. y is not unique. O(k²), O(non-zeros), or k
/// products.
bool proves_infeasible(const ContactProblem& problem, const Eigen::Ref<const Eigen::VectorXd>& y,
                       double tolerance = 1e-12);

/// Looks for y, largest entry 1, by least squares with signs (nonnegative_least_squares.h) on [A; (u + offset)ᵀ] y =
/// (0, −1). True only if proves_infeasible agrees; otherwise y is zero, and the problem is feasible or so near to it
/// that round-off hides which, or k n is above 2e7, which is not searched. O(k² n + k n²) for n rows with normal or
/// bilateral conditions, as a rule much less; allocates: it is for problems that were not solved. `stop` is asked again
/// and again; or null.
bool find_infeasibility(const ContactProblem& problem, Eigen::Ref<Eigen::VectorXd> y, const StopSignal* stop = nullptr);

}  // namespace carom
