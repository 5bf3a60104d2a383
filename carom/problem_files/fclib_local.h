#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <span>
#include <string>
#include <vector>

#include "carom/problem_files/stored_problem.h"

namespace carom {

/// FCLib's local problem with friction (fclib.h 3.1, struct fclib_local), contacts of `dimension` rows each, the normal
/// one first:
///
///     u = W r + V λ + q,   0 = Vᵀ r + R λ + s,
///
///     0 ≤ u_n ⊥ r_n ≥ 0,   ‖r_t‖ ≤ μ r_n and opposite to u_t
///
/// W: m × m, V: m × p, R: p × p, q: m, s: p, μ: m / dimension, m/s and 1/kg.
struct FclibLocal {
  int dimension = 3;
  Eigen::SparseMatrix<double> W, V, R;
  Eigen::VectorXd q, s, mu;
};

/// A contact problem of a local one: cones (rows tangent, tangent, normal last) in the file's order, then a bilateral
/// row for each of s. Two-dimensional contacts become cones with friction along x alone and nothing along y.
/// `file`: for the Error where W is not symmetric.
StoredProblem problem_of(const FclibLocal& local, const std::string& file);

/// The problem's row for row `row` of q, and its rows in all, of m rows of q and p of s.
Eigen::Index problem_row(int dimension, Eigen::Index row);
Eigen::Index problem_rows(int dimension, Eigen::Index m, Eigen::Index p);
/// The blocks of such a problem.
std::vector<Block> blocks_of(int dimension, const Eigen::VectorXd& mu, Eigen::Index p);
/// A vector of the problem's rows from one over rows of q and one over rows of s.
Eigen::VectorXd rows_of(int dimension, const Eigen::VectorXd& contact, const Eigen::VectorXd& equality);

/// Rows of a contact problem as they appear in a local one. Cones and ellipsoids are contacts. A unilateral row is a
/// contact with μ = 0 and tangent rows of zeros. A bilateral row is a row of s. Bounded rows and torsion rows do not
/// appear.
///
/// Friction semi-axes that differ are made equal by scaling the tangent rows with μ_x / μ and μ_y / μ, where μ is the
/// larger. Velocities are multiplied by the scale and impulses divided.
struct FclibRows {
  std::vector<int> contact;   ///< row of the problem for each row of q; −1: a row of zeros
  std::vector<double> scale;  ///< for each row of q
  std::vector<int> equality;  ///< row of the problem for each row of s
  std::vector<double> mu;
  std::vector<std::string> unseen;  ///< what a local problem has no place for, a phrase each
};
FclibRows fclib_rows(std::span<const Block> blocks);

/// The local problem. Offsets go into q and s.
FclibLocal local_of(const StoredProblem& stored, const FclibRows& rows);
/// r and λ of an impulse, and u of a velocity u⁺, offsets included.
void solution_of(const FclibRows& rows, const Eigen::VectorXd& impulse, Eigen::VectorXd& r, Eigen::VectorXd& lambda);
Eigen::VectorXd file_velocity_of(const StoredProblem& stored, const FclibRows& rows, const Eigen::VectorXd& velocity);

}  // namespace carom
