#pragma once

#include <vector>

#include "carom/complementarity/cone/cone_system.h"
#include "carom/complementarity/linear/partial_lu.h"

namespace carom {

/// Semismooth Newton steps for contact problems with the exact cone. The equation is p_i = p_i*, block by block, for
/// one of two p*:
///
///     own        the block's own solution (one_contact.h) for the velocities that the others give it: Gauss–Seidel's
///                fixed point. Its states are right far from the solution. It jumps where a block has several.
///     projected  a step of Alart and Curnier's projection. Continuous, so it can follow where the other jumps.
///
/// Either names the state of each block. The Newton step solves the equations of these states for all blocks at once:
///
///     open    p = 0 (or p_n = floor, a bound)
///     stick   u_n = 0, u_f = 0
///     slide   q = p_n q̂ + T y, T ⊥ q̂;  u_n = 0, Tᵀ (u_f + λ q) = 0      (q, u_f in units of one_contact.h)
///
/// A sliding contact has one unknown fewer, and an open one has no unknowns. Redundant contacts make this system
/// singular. So the step takes u from A + α D around the present impulses, with D near diag(A). This proximal term
/// changes no solution, and it fades as steps succeed. Steps are halved until Σ a_i ‖p_i − p_i*‖² falls below the
/// largest of the last three (Grippo, Lampariello and Lucidi 1986). Here a_i is the mean diagonal. If halving fails, α
/// grows. Convergence is quadratic near regular solutions.
///
/// At high friction impulses may be far larger than any velocity asks for: bodies jam one another, with slip that is
/// small beside both. The projections' steps then have the impulses' own length over the problem's velocity; the merit
/// counts them in velocities. So an error of such a slip is not lost beside the impulse. A sliding impulse that turns
/// stays on its cone: its normal impulse follows it to second order.
///
/// Cost of a step: 2/3 m³ for m unknowns of the states above, and O(k m).
class ConeNewton {
 public:
  enum class Equation { own, projected };
  void reserve(int blocks, int rows);

  /// p, w: k, in and out; w = u + A p on entry and on return. Only with system.has_columns().
  ConeProgress improve(ConeSystem& system, Equation equation, double tolerance, int max_steps, double* p, double* w);

  /// Newton steps in the states that p and w indicate. The start should be the solution of nearly the same problem: one
  /// with fewer generators, or with less friction. Steps are full, without a line search; the best point is returned.
  ConeProgress polish(ConeSystem& system, double tolerance, int max_steps, double* p, double* w);

 private:
  /// A block's part in the step: its impulse becomes `held` + Σ column_j z_j, and row_i · w + … = 0.
  struct Piece {
    int first = 0, count = 0;
    int tangents = 0;   // how many of the last columns and rows lie across a slide
    double lambda = 0;  // of these
    double held[OneContact::max_size] = {};
    double column[OneContact::max_size][OneContact::max_size] = {};
    double row[OneContact::max_size][OneContact::max_size] = {};
  };
  double merit(ConeSystem& system, Equation equation, const double* p, const double* w);
  void begin(const ConeSystem& system, const double* p, const double* w);
  void linearise(const ConeSystem& system);
  static Piece describe(const OneContact& contact, const OneContact::State& state, const double* target);
  void assemble(const ConeSystem& system, double alpha);
  bool step(const ConeSystem& system, double alpha, const double* p, const double* w);
  bool bend(const ConeSystem& system, const double* p);
  double search(ConeSystem& system, Equation equation, double bound, const double* p, const double* w);

  int size_ = 0;  // unknowns of the step
  std::vector<OneContact::State> states_;
  std::vector<double> targets_;  // p*, max_size per block
  std::vector<Piece> pieces_;
  std::vector<OneContact::Steps> steps_;
  PartialLu lu_;
  std::vector<double> rhs_, work_, change_, response_, trial_, trial_w_, best_, best_w_, bend_, bend_w_;
};

}  // namespace carom
