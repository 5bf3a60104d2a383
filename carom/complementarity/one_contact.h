#pragma once

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// One block of a contact problem solved by itself: impulse p with velocity w = b + A p, A its own block of the matrix.
///
/// Contacts are counted in units of their ellipsoid: impulses q = E⁻¹ p_f, velocities E u_f, E = diag(μ_x, μ_y, μ_o);
/// an axis without friction is left out. Every contact is then a unit cone ‖q‖ ≤ p_n of dimension 1 + f, f = 0…3, and
///
///     open    p_n = floor, u_n ≥ 0; for floor = 0 also q = 0
///     stick   u_n = 0, u_f = 0, ‖q‖ ≤ p_n
///     slide   u_n = 0, u_f = −λ q, λ > 0, ‖q‖ = p_n
///
/// (end-of-step Coulomb: friction takes the most power from the slip, and adds nothing to u_n.) With u_n = 0
/// eliminated, S = F − c cᵀ / a the Schur complement of the friction block F over the normal entry a, and s the slip
/// velocity of q = 0, both slide and stick are q(λ) = −(S + λ I)⁻¹ s, a scalar equation in λ:
///
///     g(λ) = ‖q(λ)‖ − p_n(λ),   p_n(λ) = (−b_n − cᵀ q(λ)) / a
///
/// If b_n < 0 and A is positive definite, g(∞) < 0, and either g(0) ≤ 0 (stick) or a root exists (slide). It need not
/// be the only one: at high friction sticking, sliding and opening can all solve (Painlevé). Taken are: opening before
/// contact, sticking before sliding, else the root that the safeguarded Newton iteration from the last λ meets. Where a
/// floor is owed, the root in p_n of u_n(p_n), friction solved at p_n, is searched instead.
///
/// Singular blocks are answered: a direction that no impulse moves gets none (of least norm) if round-off alone asks
/// for one. Where no impulse solves the block (a = 0 and b_n < 0), the answer is the floor.
///
/// Cost: some ten operations where it opens, two to four evaluations of g where it slides.
class OneContact {
 public:
  static constexpr int max_size = 4;

  /// A: size × size of the block, column-major, with `stride` between columns.
  void prepare(const Block& block, const double* A, int stride);

  /// b: size, velocity in the block's rows with no impulse of its own. p: in, any; out, the solution.
  void solve(const double* b, double* p);

  /// ‖p − P(p − w / a)‖ as in certify's natural map, from the velocities u⁺ of the block's rows; not divided by P.
  double natural_map(const double* p, const double* velocity) const;

  int row() const { return row_; }
  int size() const { return size_; }
  int normal() const { return normal_; }
  BlockKind kind() const { return kind_; }
  int friction_axes() const { return friction_; }
  /// Row within the block, and semi-axis, of a friction axis.
  int axis_row(int axis) const { return axis_row_[axis]; }
  double axis(int axis) const { return axis_[axis]; }
  double offset() const { return offset_; }
  double floor() const { return floor_; }
  double lower() const { return lower_; }
  double upper() const { return upper_; }
  /// trace / size of the block with friction axes relative to the largest; what certify divides by.
  double mean_diagonal() const { return mean_diagonal_; }
  /// Entry of the block of A.
  double entry(int i, int j) const { return A_[i + max_size * j]; }

 private:
  void diagonalise(double (*S)[3]);
  double evaluate(double lambda, double p0, const double* arm, const double* s, double* q, double& slope) const;
  double slide(double p0, const double* arm, const double* s, double* q);
  void drop_noise(double size, double* s) const;
  void solve_owed(double b_n, const double* slip, double* p_n, double* q);
  double contact_map(const double* p, const double* velocity) const;

  BlockKind kind_ = BlockKind::unilateral;
  int row_ = 0, size_ = 1, normal_ = 0, friction_ = 0;
  int axis_row_[3] = {};
  double axis_[3] = {};
  double offset_ = 0, floor_ = 0, lower_ = 0, upper_ = 0;
  double mean_diagonal_ = 0, largest_axis_ = 0;
  double a_ = 0;               // A_nn
  double c_[3] = {};           // scaled A_fn
  double vectors_[3][3] = {};  // row i: eigenvector i of S, or of F where a floor is owed
  double values_[3] = {};      // the eigenvalues, ≥ tiny_
  double arm_[3] = {};         // eigenvectors · c / a
  double tiny_ = 0;            // of an eigenvalue
  double lambda_ = 0;          // of the last slide
  double A_[max_size * max_size] = {};
};

}  // namespace carom
