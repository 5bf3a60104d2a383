#pragma once

#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Quasi-Newton steps for F(w) = 0, where the plain step w − F(w) already contracts: from the steps taken so far the
/// combination is used that would make F least if it were linear (Anderson 1965; the orthogonal form is that of the
/// generalized conjugate residual method),
///
///   w⁺ = w − F − Σ γ_i (Δw_i − ΔF_i),   γ_i = ⟨ΔF_i, F⟩,   ⟨ΔF_i, ΔF_j⟩ = δ_ij,   ⟨a, b⟩ = aᵀ M b
///
/// with M the metric in which sizes are compared. O(depth n) beside a product with M. Allocates in the constructor
/// alone.
class SecantSteps {
 public:
  static constexpr int depth = 24;

  explicit SecantSteps(int size);

  /// Forgets everything.
  void begin() { kept_ = 0, has_last_ = false; }
  /// w in, w⁺ out. F at w, and M F.
  void step(const VectorX& F, const VectorX& MF, VectorX& w);

 private:
  void keep_difference(const VectorX& F, const VectorX& MF, const VectorX& w);

  int kept_ = 0;
  bool has_last_ = false;
  std::vector<VectorX> dw_, dF_, dMF_;
  VectorX w_, F_, MF_, new_w_, new_F_, new_MF_;
};

}  // namespace carom
