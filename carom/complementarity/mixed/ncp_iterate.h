#pragma once

#include <array>
#include <vector>

#include "carom/complementarity/mixed/ncp_model.h"
#include "carom/complementarity/mixed/newton_matrix.h"

namespace carom {

/// The current point of a descent on the merit function ψ(x̂) = ½ ‖Φ(x̂)‖² within the box, shared by the Newton methods
/// of this room. The rows of Φ are FischerBurmeister::box for the scaled problem of an NcpModel. H is an element of its
/// generalized Jacobian, and g = HᵀΦ = ∇ψ.
///
/// search() follows the projected arc x̂(t) = clamp(x̂ + t d), t = 1, ½, ¼, …, and accepts the first point with
///
///     ψ(x̂(t)) ≤ W + σ min(gᵀ(x̂(t) − x̂), 0),  where gᵀ(x̂(t) − x̂) < 0 or ψ(x̂(t)) ≤ β ψ(x̂)
///
/// with W the largest of the last merits, σ = 1e-4, β = 0.9 (nonmonotone Armijo, Grippo, Lampariello, Lucidi 1986). A
/// point where F is not defined counts as too high. Buffers grow to the largest problem seen.
class NcpIterate {
 public:
  /// When a descent ends.
  struct Goal {
    double residual = 0;     ///< solved where the residual is not above it
    double merit = -1;       ///< or where ψ is not, for problems with a proximal term, whose residual never vanishes
    int max_iterations = 0;  ///< further steps
  };

  /// Starts at x̂ (n, clamped to the box). False if F is not defined there.
  bool begin(NcpModel& model, const double* x);

  /// J, residual, Φ, H and g at the current point. False if J is not defined there.
  bool linearize();

  /// Linearizes and calls step() until the goal or a stationary point. It also ends if no step lowers ψ, or if ψ has
  /// not halved within 40 steps. `iterations` counts on.
  template <typename Step>
  NcpStatus descend(const Goal& goal, int& iterations, Step&& step);

  /// Moves along the direction d; true if a point was accepted. Otherwise the point stays.
  bool search(const double* d, int halvings);

  /// Puts unknowns onto a bound if they are within `distance` of it and nearer than F_i allows them to leave it. It
  /// keeps that if the residual stays within `tolerance`. Exact zeros of what does not push are worth two calls.
  void snap(double distance, double tolerance);

  /// From a solution one whole Newton step more with the Jacobian at hand, kept if it lowers the residual. A method
  /// ends anywhere below its tolerance; this leaves about the square of that, down to round-off. Where the step gains
  /// little, since H has hardly an inverse, two regularized ones are tried. Costs one factorization and one call of F,
  /// at most three and four. Sizes of rows stay those of the point before.
  void polish();

  /// A step along the projected gradient, first as long as minimizes ‖Φ + t H g‖. True if a point was accepted.
  bool gradient_step();

  /// ‖clamp(x̂ − g) − x̂‖_∞ / ‖Φ‖: zero at stationary points of ψ in the box.
  double stationarity() const;

  /// Forgets the merits before, as after a change of the model's proximal term.
  void forget();

  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& F() const { return F_; }
  const std::vector<double>& phi() const { return phi_; }
  double merit() const { return merit_; }
  double residual() const { return residual_; }
  NewtonMatrix& matrix() { return matrix_; }
  NcpModel& model() { return *model_; }

 private:
  static constexpr int memory = 6;
  double merit_of(const std::vector<double>& x, const std::vector<double>& F) const;
  void remember(double merit);

  NcpModel* model_ = nullptr;
  NewtonMatrix matrix_;
  double merit_ = 0, residual_ = 0;
  std::array<double, memory> merits_{};
  int remembered_ = 0, oldest_ = 0;
  std::vector<double> x_, F_, phi_, slope_x_, slope_F_, gradient_, trial_x_, trial_F_, direction_, rhs_, start_;
};

template <typename Step>
NcpStatus NcpIterate::descend(const Goal& goal, int& iterations, Step&& step) {
  constexpr int patience = 40;
  // ψ is flat to round-off about a minimum within the root of the machine's precision.
  constexpr double nearly_stationary = 1e-6, stationary = 1e-12;
  double milestone = merit_;
  int since = 0;
  for (int k = 0;; ++k) {
    if (!linearize()) return NcpStatus::function_undefined;
    if (residual_ <= goal.residual || merit_ <= goal.merit) return NcpStatus::solved;
    const double slope = stationarity();
    if (slope <= stationary) return NcpStatus::local_minimum;
    if (k == goal.max_iterations) return NcpStatus::iteration_limit;
    if (merit_ < milestone / 2) {
      milestone = merit_;
      since = 0;
    } else if (++since > patience) {
      return slope <= nearly_stationary ? NcpStatus::local_minimum : NcpStatus::iteration_limit;
    }
    ++iterations;
    if (!step()) return slope <= nearly_stationary ? NcpStatus::local_minimum : NcpStatus::stalled;
  }
}

}  // namespace carom
