#pragma once

#include "carom/complementarity/contact_problem.h"

namespace carom {

/// One block of a contact problem solved by itself: impulse p with velocity w = b + A p. A is the block's own part of
/// the matrix.
///
/// Contacts are counted in units of their ellipsoid, E = diag(μ_x, μ_y, μ_o): impulses q = E⁻¹ p_f, velocities E u_f.
/// An axis without friction is left out. Every contact is then a unit cone ‖q‖ ≤ p_n of dimension 1 + f, f = 0…3, and
///
///     open    p_n = floor, u_n ≥ 0; for floor = 0 also q = 0
///     stick   u_n = 0, u_f = 0, ‖q‖ ≤ p_n
///     slide   u_n = 0, u_f = −λ q, λ > 0, ‖q‖ = p_n
///
/// (end-of-step Coulomb: friction takes the most power from the slip, and adds nothing to u_n.) Eliminate u_n = 0. Then
/// S = F − c cᵀ / a is the Schur complement of the friction block F over the normal entry a. Let s be the slip velocity
/// of q = 0. Both slide and stick are q(λ) = −(S + λ I)⁻¹ s, with a scalar equation in λ:
///
///     g(λ) = ‖q(λ)‖ − p_n(λ),   p_n(λ) = (−b_n − cᵀ q(λ)) / a
///
/// If b_n < 0 and A is positive definite, g(∞) < 0, and either g(0) ≤ 0 (stick) or a root exists (slide). It need not
/// be the only one: at high friction sticking, sliding and opening can all be solutions (Painlevé). Opening is taken
/// before contact, sticking before sliding. Otherwise the root that the safeguarded Newton iteration from the last λ
/// meets is taken. If a floor is owed, the root in p_n of u_n(p_n), with friction solved at p_n, is searched instead.
///
/// Singular blocks are answered: a direction that no impulse moves gets none (of least norm) if round-off alone asks
/// for one. If no impulse solves the block (a = 0 and b_n < 0), the answer is the floor.
///
/// Cost: some ten operations where it opens, two to four evaluations of g where it slides.
class OneContact {
 public:
  static constexpr int max_size = 4;

  /// Which equations hold at a solution: those that a Newton step may solve for all blocks at once.
  struct State {
    bool normal_free = false;  ///< w = 0 in the normal (or only) row; else the impulse there is fixed (floor, a bound)
    enum class Friction { none, stick, slide } friction = Friction::none;  ///< none: no friction, or no normal impulse
    double lambda = 0;                                                     ///< of a slide: E u_f = −λ E⁻¹ p_f
  };

  /// A: size × size of the block, column-major, with `stride` between columns.
  void prepare(const Block& block, const double* A, int stride);

  /// Adds weight_i to the diagonal of the block, in place of what was added before.
  void add_diagonal(const double* weight);

  /// b = w − A p: the velocity in the block's rows without its own impulse.
  void without_own(const double* p, const double* velocity, double* b) const {
    for (int i = 0; i < size_; ++i) {
      b[i] = velocity[i];
      for (int j = 0; j < size_; ++j) b[i] -= entry(i, j) * p[j];
    }
  }

  /// b: size, velocity in the block's rows with no impulse of its own. p: size, the solution.
  State solve(const double* b, double* p);

  /// Lengths of the steps of project_apart, impulse per velocity: of the normal row, and of friction in units of the
  /// ellipsoid.
  struct Steps {
    double normal = 0, friction = 0;
  };
  /// The block's own mobility sets them, or its impulse p over a size of velocities if that is longer. It is longer
  /// where friction lets impulses grow that move little. A normal impulse that is small beside its friction has short
  /// steps.
  Steps steps_from(const double* p, double velocity_size) const;

  /// A step of Alart and Curnier's (1991) from p and the velocities u⁺ of the block's rows. It projects p_n on its
  /// bound, and then p_f on the disc that this p_n gives. It is continuous where solve() jumps, but p must come close
  /// to a state before it names it.
  State project_apart(const double* p, const double* velocity, const Steps& steps, double* projected) const;

  /// The state that p and w indicate near a solution. A block without normal impulse is open. It slides if friction is
  /// on its limit, or within a tenth of it, and the slip is more than `noise`. Blocks without friction are as
  /// project_apart has them.
  State nearest_state(const double* p, const double* velocity, const Steps& steps, double noise) const;
  /// Sets the λ of the state, and the point from which a Newton step starts: p, except for what the state fixes.
  void aim(const double* p, const double* velocity, State& state, double* target) const;

  /// P(p − step · w / a), the projection of certify's natural map, a = mean_diagonal().
  void project(const double* p, const double* velocity, double step, double* projected) const;
  /// ‖p − P(p − w / a)‖ as certify has it; not divided by the largest impulse.
  double natural_map(const double* p, const double* velocity) const;
  /// Residual of the block by the sizes P and U of the problem's impulses and velocities; p and velocity are the
  /// block's. Bounded rows, and blocks that nothing moves, are as certify has them. Others count a tenth: the normal
  /// condition, and the slip that a disc of friction leaves. So impulses that grow with friction excuse no velocity.
  double row_residual(const double* p, const double* velocity, double P, double U) const;

  /// Sizes of the whole problem, if A is what an elimination left of it: round-off is relative to these.
  void set_sizes(double mean_diagonal, double velocity_noise);

  int row() const { return row_; }
  int size() const { return size_; }
  int normal() const { return normal_; }
  BlockKind kind() const { return kind_; }
  int friction_axes() const { return friction_; }
  /// Row within the block, and semi-axis, of a friction axis.
  int axis_row(int axis) const { return axis_row_[axis]; }
  double axis(int axis) const { return axis_[axis]; }
  /// Semi-axis of a row of the block over the largest; 1 of the normal, 0 of a row without friction.
  double relative_axis(int i) const {
    for (int axis = 0; axis < friction_; ++axis) {
      if (axis_row_[axis] == i) return axis_[axis] / largest_axis_;
    }
    return i == normal_ - row_ ? 1 : 0;
  }
  double largest_axis() const { return largest_axis_; }
  /// So much friction that the cone is nearly a half-space, and normal impulses of sliding contacts are nearly nothing.
  bool is_wide() const { return largest_axis_ > 10; }
  double offset() const { return offset_; }
  double floor() const { return floor_; }
  double lower() const { return lower_; }
  double upper() const { return upper_; }
  /// trace / size of the block with friction axes relative to the largest; what certify divides by.
  double mean_diagonal() const { return mean_diagonal_; }
  /// Entry of the block of A.
  double entry(int i, int j) const { return A_[i + max_size * j]; }

 private:
  void factor();
  void diagonalise(double (*S)[3]);
  double evaluate(double lambda, double p0, const double* arm, const double* s, double* q, double& slope) const;
  double slide(double p0, const double* arm, const double* s, double* q, State& state);
  void drop_noise(double size, double* s) const;
  void solve_owed(double b_n, const double* slip, double* p_n, double* q, State& state);
  void project_contact(const double* p, const double* velocity, double step, double mu, double* projected) const;
  double judged_friction(double p_f, double p_n) const;

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
  double velocity_noise_ = 0;
  double tiny_ = 0;                 // of an eigenvalue
  double lambda_ = 0;               // of the last slide
  double diagonal_[max_size] = {};  // without what add_diagonal added
  double A_[max_size * max_size] = {};
};

}  // namespace carom
