#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "carom/complementarity/least_norm/active_set.h"
#include "carom/complementarity/linear/dense_lu.h"

namespace carom {

/// Friction of sliding blocks averaged over their way through an interval of length α:
///
///     s = m(w, w + α (w⁺ − w)),   m(w, w') the mean direction of the straight path from w to w'
///
/// with w = M u_xy / max(μ), and w⁺ its value after the whole impulse p(s) (slip_path.h). The rule is implicit in s:
/// slip that dies away turns ever faster on its way to rest, where an explicit rule would zigzag. It is solved by
/// substitution or, if that does not settle, by Newton's method. The Jacobian comes from LabelledSystem::turn and Gauss
/// points along the path.
///
/// The straight path is of second order. The true one bends away from it by O(α²), and the normal impulse grows along
/// it at a changing rate. The function refine() adds both, from the slopes of slip and the rates at both ends. That is
/// of third order, and the difference is the error of the straight path.
class PathSlip {
 public:
  void reserve(int blocks, int rows);

  /// Begins from the solution under friction that opposes the slip at the start. Parameters: the `sliding` blocks;
  /// `rest`, the slip below which there is no direction, m/s; the accuracy of s.
  void begin(const LabelledSystem& system, std::span<const int> sliding, double alpha, double rest, double accuracy);
  /// Solves for the slips of the straight path; other labels stay, slipping ones may turn.
  void straighten(LabelledSystem& system, SlipRule& rule);
  /// Solves for the slips of the bent path. False if the bend is not small beside the distance from rest, or the normal
  /// rates of both ends differ too much. Then s means little.
  bool refine(LabelledSystem& system, SlipRule& rule);
  /// Back to the straight path.
  void restore(LabelledSystem& system, SlipRule& rule);

 private:
  Eigen::Vector2d slip(const LabelledSystem& system, int block, const double* u) const;
  /// w⁺ − w of the last solve, times α.
  Eigen::Vector2d change(const LabelledSystem& system, std::size_t i) const;
  Eigen::Vector2d end_of(std::size_t i) const;
  double normal(const LabelledSystem& system, std::size_t i) const;
  double mismatch(const LabelledSystem& system);
  bool newton_step(LabelledSystem& system, SlipRule& rule);
  void set_slips(LabelledSystem& system, const std::vector<Eigen::Vector2d>& slips);

  double alpha_ = 1, rest_ = 0, accuracy_ = 0;
  std::vector<int> sliding_;
  std::vector<Eigen::Vector2d> start_, first_, slip_, straight_, error_;
  std::vector<Eigen::Matrix2d> mean_rate_;
  std::vector<double> normal_, rate_, velocity_rate_, step_;
  DenseLu factors_;
};

}  // namespace carom
