#pragma once

#include <Eigen/Dense>
#include <string>
#include <utility>
#include <vector>

#include "carom/study/misfit.h"

// Residuals of a fit and their derivatives show how well its unknowns are known.
namespace carom {

/// Means over the residuals r of a fit, ψ(r) = r ρ′(r²).
struct LossMeans {
  double slope = 1;  ///< of ψ′
  /// κ = mean ψ′ / mean ψ². Then 2 κ times a rise of C is of χ², with as many degrees of freedom as numbers are fixed.
  /// See Huber and Ronchetti, Robust Statistics, 2009, section 13. 1 for squares.
  double scale = 1;
};
LossMeans loss_means(Loss loss, const std::vector<double>& residuals);

/// Deviation of the noise in residuals of a fit with `part` unknowns for each residual. For squares it is the root of
/// the mean square over 1 − part. For another loss it is 1.4826 times the median size, which outliers do not move, over
/// √(1 − part).
double noise_of(const std::vector<double>& residuals, double part, Loss loss);

/// The rise at which a 95 % interval ends. If the noise is given, it is the quantile of χ² with one degree of freedom.
/// If the noise is estimated, it is that of Student's t² with `degrees_left` degrees of freedom.
double rise_at_95(bool noise_is_given, int degrees_left);

/// A combination of unknowns that moves no residual by as much as the noise lets tell.
struct OpenDirection {
  std::vector<std::pair<int, double>> parts;  ///< unknown, and its share, the largest 1; parts of ranges
  double singular = 0;                        ///< its singular value
};

struct Curvature {
  Eigen::MatrixXd covariance;  ///< of u, over the directions that are not open
  std::vector<OpenDirection> open;
  Eigen::VectorXd singular_values;  ///< of the Jacobian, over noise and range, descending
};

/// By the singular values of J (residuals over noise, unknowns over range, weighted as the misfit is). A direction is
/// open if the 95 % interval along it is as long as the whole range. If there are several, those with fewest unknowns
/// are given: the reduced echelon form of their space.
Curvature curvature_of(const Eigen::MatrixXd& J, const LossMeans& means, double rise);

}  // namespace carom
