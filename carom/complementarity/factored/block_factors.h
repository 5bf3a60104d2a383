#pragma once

#include <Eigen/Core>
#include <vector>

#include "carom/complementarity/factored/block_pattern.h"
#include "carom/stop_signal.h"

namespace carom {

/// Factors of a sparse matrix by dense panels (supernodes, left-looking: Ng and Peyton 1993), rows and columns in the
/// order of the pattern:
///
///     symmetric   H = L Lᵀ                                general   H = L U, L with ones in its diagonal
///
/// General matrices are factored without pivots, which suits one that is near to positive definite. The caller has to
/// look at the residual of what comes back. For a general matrix, the second half of the values holds Uᵀ, by the same
/// panels.
///
/// Cost: the flops of the panels, at the speed of small products of matrices.
class BlockFactors {
 public:
  /// Entries of H are to be added to values(), by the pattern's slots; of the diagonal's blocks the lower triangle
  /// counts. For a general matrix, those above the diagonal go transposed to upper(), those of the diagonal's blocks
  /// too.
  void reset(const BlockPattern& pattern, bool general);
  double* values() { return values_.data(); }
  double* upper() { return values_.data() + (general_ ? pattern_->values() : 0); }

  /// False if H is not positive definite, or a pivot is zero or no number. The pattern has to live as long. `stop` is
  /// asked again and again; or null.
  bool factor(const StopSignal* stop = nullptr);

  /// x = H⁻¹ b, both in the groups' own order. Not the same vector.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x);

 private:
  using Panel = BlockPattern::Panel;
  void place_rows(const Panel& panel);
  void take(const BlockPattern::Update& update, const Panel& panel, const double* left, const double* right,
            double* to);
  void take_columns(const Panel& panel, int column, int count, const double* left, const double* right, double* to);
  bool eliminate(const Panel& panel, const StopSignal* stop);
  void forward(const Panel& panel);
  void backward(const Panel& panel);

  const BlockPattern* pattern_ = nullptr;
  bool general_ = false;
  std::vector<double> values_, product_, x_, below_;
  std::vector<int> row_in_panel_;  // of a place, in the panel at work
};

}  // namespace carom
