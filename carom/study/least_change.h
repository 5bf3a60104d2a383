#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

// The point nearest to a given one that meets conditions, within bounds:
//
//     min ‖y − y₀‖   (or min g(y))   with  f_i(y) = 0,   f_j(y) ≥ 0,   lower ≤ y ≤ upper.
//
// `restore` meets the conditions. It goes by Newton steps of least length,
//
//     min ‖d‖   with  J_i d = −f_i,   J_j d ≥ −f_j,   lower ≤ y + d ≤ upper,
//
// the least distance problem of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23). Bounds become
// active and inactive exactly. With k independent equalities and no bound in the way, d = −J⁺ f. A step is halved until
// the conditions are violated less. If the linearised conditions have no solution within the bounds, d minimises ‖d‖² +
// ω² ‖J d + f‖² instead, until nothing moves. This is Levenberg and Marquardt's step, within bounds.
//
// `least_change` begins there and goes down along the set of points that meet the conditions. From y it aims at the
// point of the linearised conditions that is nearest to y − s ∇g, by the same least distance problem. A point on the
// way there is restored, and accepted if g falls. By itself g is ½ ‖y − y₀‖²; an objective is in units of its first
// slope. The factor s is Barzilai and Borwein's (IMA J. Numer. Anal. 8, 1988). The result is a local minimum: other
// solutions may lie nearer. Its `stationarity` says how well it is one. NLopt's SLSQP under the same conditions stays
// where it begins if a condition is as curved as a cosine of normals can be near its zero.
//
// Conditions are known by values alone. Their derivatives are central differences (error about 1e-10 of a unit of y).
// So Newton's steps gain some nine digits each and end at round-off of f itself. Cost: 2 n evaluations a step.
namespace carom {

struct LeastChangeProblem {
  /// Values of all conditions at y; empty where there are none (a body of negative length, say), and not to be entered.
  std::function<std::optional<Eigen::VectorXd>(const Eigen::VectorXd&)> conditions;
  std::vector<bool> inequality;  ///< per condition: f ≥ 0 rather than f = 0
  Eigen::VectorXd start;         ///< y₀, in units in which changes count alike
  Eigen::VectorXd lower, upper;  ///< may be infinite; y₀ outside is moved inside first
  /// g, to be least in place of the distance; may be left empty.
  std::function<std::optional<double>(const Eigen::VectorXd&)> objective;
};

struct LeastChangeOptions {
  double tolerance = 1e-12;  ///< of conditions, in their own units
  int max_steps = 100;       ///< of restore
  int max_descents = 200;    ///< moves along the set
  double stationary = 1e-8;  ///< where moves end: length of the downhill direction within the set, relative to 1 + ‖∇g‖
};

struct LeastChangeResult {
  bool met = false;           ///< all conditions, to the tolerance
  Eigen::VectorXd at;         ///< the best point found
  Eigen::VectorXd values;     ///< of the conditions there
  std::vector<int> at_bound;  ///< per unknown: −1 at its lower bound, 1 at its upper one, 0 between
  /// If not met: unknowns whose bound keeps the violation from falling further.
  std::vector<int> blocking;
  /// If not met: the fewest independent directions in which the conditions answer, and how many they are.
  int rank = 0, steps = 0;
  /// Length of the part of −∇g along which the linearised conditions and bounds allow a move. For an objective it is
  /// relative to ‖∇g‖ where the conditions were first met. At a nearest point it is zero. −1: not known, as the way
  /// down broke off.
  double stationarity = -1;
};

/// Violation of a condition: f itself of an equality, min(f, 0) otherwise.
double violation(double value, bool inequality);

[[nodiscard]] LeastChangeResult restore(const LeastChangeProblem& problem, const Eigen::VectorXd& from,
                                        const LeastChangeOptions& options = {});
[[nodiscard]] LeastChangeResult least_change(const LeastChangeProblem& problem, const LeastChangeOptions& options = {});

}  // namespace carom
