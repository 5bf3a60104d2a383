#pragma once

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

// The misfit of a model to measurements of several experiments,
//
//     C(u) = ½ Σ_e w_e Σ_i ρ(r_ei²),
//
// with r the residuals over their noise, ρ the loss, and w_e how often an experiment counts. The unknowns u are each a
// part of their range, from 0 to 1. An unknown may belong to one experiment, as its initial speed does. It then moves
// no other's residuals. So one pair of simulations of each experiment gives the derivatives by such unknowns of all of
// them.
namespace carom {

/// The loss ρ(z), z = r²:
///
///   squares: z,   soft_l1: 2 (√(1 + z) − 1),   huber: z up to k², then 2 k √z − k², k = 1.345
enum class Loss { squares, soft_l1, huber };
/// In the order of the enumeration.
const std::vector<std::string>& loss_names();
/// Throws Error for a name that there is not.
Loss parse_loss(const std::string& name);

/// ρ and its derivative at z.
struct LossValue {
  double value = 0, slope = 1;
};
LossValue loss_at(Loss loss, double z);

struct Misfit {
  std::vector<int> owner;      ///< by unknown: the experiment that it belongs to; −1: to all
  std::vector<double> weight;  ///< by experiment; 0: left out
  Loss loss = Loss::squares;
  /// The residuals of one experiment; empty if there are none at u. Asked by several threads at a time.
  std::function<std::optional<Eigen::VectorXd>(int experiment, const Eigen::VectorXd& u)> residuals;

  int unknowns() const { return static_cast<int>(owner.size()); }
  int experiments() const { return static_cast<int>(weight.size()); }
  bool matters(int unknown, int experiment) const {
    return owner[static_cast<std::size_t>(unknown)] < 0 || owner[static_cast<std::size_t>(unknown)] == experiment;
  }
};

/// The experiments that count, those with a weight.
std::vector<int> counted_experiments(const Misfit& misfit);
/// Residuals by experiment; empty ones where an experiment is left out. Nothing if one that counts has none.
std::optional<std::vector<Eigen::VectorXd>> all_residuals(const Misfit& misfit, const Eigen::VectorXd& u);
/// C of residuals that are there.
double cost_of(const Misfit& misfit, const std::vector<Eigen::VectorXd>& residuals);
/// C of one experiment, not weighted; infinite where it has no residuals.
double cost_of_experiment(const Misfit& misfit, int experiment, const Eigen::VectorXd& u);
/// C; infinite where an experiment that counts has no residuals.
double cost_at(const Misfit& misfit, const Eigen::VectorXd& u);

/// Derivatives of the residuals of all experiments that count, one below the other, by the unknowns of `free`. Central
/// differences of half-width `h`; one-sided at the ends of the range or where the other side has no residuals; zero
/// where neither has.
Eigen::MatrixXd jacobian(const Misfit& misfit, const Eigen::VectorXd& u, const std::vector<Eigen::VectorXd>& here,
                         const std::vector<int>& free, double h);

/// Residuals as functions of the unknowns, as differences show them.
struct Smoothness {
  bool smooth = true;
  double worst = 0;     ///< greatest relative difference of the derivatives by two steps
  int unknown = -1;     ///< where it is not smooth: by which unknown,
  int experiment = -1;  ///< in which experiment,
  int row = -1;         ///< and in which of its residuals most
};

/// Compares derivatives at each of the points by differences over two steps, 2e-3 and 2e-4 of the range. The former is
/// extrapolated with half of it, so that a curved function is not taken for a broken one. If they differ by more than a
/// fifth, there is a kink or a jump that matters. Gauss-Newton steps by derivatives that are better than that still
/// converge.
Smoothness smoothness(const Misfit& misfit, const std::vector<Eigen::VectorXd>& points);

}  // namespace carom
