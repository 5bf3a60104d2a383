#pragma once

#include <vector>

#include "carom/dynamics/workspace.h"

namespace carom {

/// Scratch of solve_mass_columns for one model, one thread.
struct ColumnSolveScratch {
  static constexpr int width = 8;                   ///< right-hand sides that walk over the tree together
  using Numbers = Eigen::Matrix<double, width, 1>;  ///< one for each right-hand side
  using Vectors = Eigen::Matrix<double, width, 3>;
  struct Forces {
    Vectors moment, force;
  };
  struct Motions {
    Vectors angular, linear;
  };

  explicit ColumnSolveScratch(const Model& model);

  std::vector<Numbers> x;  ///< by velocity coordinate
  std::vector<Forces> f;   ///< by body, about its O in the world's axes
  std::vector<Motions> a;
  std::vector<char> is_pushed;  ///< by body: whether a right-hand side is other than zero on it or beyond
};

/// B becomes (M + diag(extra))⁻¹ B for any number of columns: solve_mass, eight columns in one walk, and nothing where
/// a tree's rows are zero. B is nv × any. Needs factor_mass or forward_dynamics. O(n) per column; allocates nothing.
void solve_mass_columns(const Model& model, const DynamicsWorkspace& workspace, ColumnSolveScratch& scratch,
                        Eigen::Ref<MatrixX> B);

}  // namespace carom
