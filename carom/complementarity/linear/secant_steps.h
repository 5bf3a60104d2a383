#pragma once

#include <Eigen/Core>
#include <vector>

namespace carom {

/// Quasi-Newton steps for F(w) = 0, where the plain step w − F(w) is of the right size. They use the combination of the
/// steps taken so far that would make F least if it were linear (Anderson 1965). The orthogonal form is that of the
/// generalized conjugate residual method:
///
///   w⁺ = w − F − Σ γ_i (Δw_i − ΔF_i),   γ_i = ⟨ΔF_i, F⟩,   ⟨ΔF_i, ΔF_j⟩ = δ_ij,   ⟨a, b⟩ = aᵀ M b
///
/// with M the metric in which sizes are compared. O(depth n) beside a product with M. Allocates in the constructor
/// alone.
class SecantSteps {
 public:
  /// depth: number of differences that are kept at most.
  explicit SecantSteps(int size, int depth = 24);

  /// Forgets everything.
  void begin() { kept_ = 0, has_last_ = false; }
  /// w in, w⁺ out. F at w, and M F.
  void step(const Eigen::VectorXd& F, const Eigen::VectorXd& MF, Eigen::VectorXd& w);

 private:
  void keep_difference(const Eigen::VectorXd& F, const Eigen::VectorXd& MF, const Eigen::VectorXd& w);

  int depth_, kept_ = 0;
  bool has_last_ = false;
  std::vector<Eigen::VectorXd> dw_, dF_, dMF_;
  Eigen::VectorXd w_, F_, MF_, new_w_, new_F_, new_MF_;
};

}  // namespace carom
