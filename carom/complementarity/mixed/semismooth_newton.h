#pragma once

#include <vector>

#include "carom/complementarity/mixed/mixed_ncp.h"
#include "carom/complementarity/mixed/ncp_iterate.h"

namespace carom {

/// Semismooth Newton on Fischer and Burmeister's reformulation of a mixed complementarity problem (De Luca, Facchinei
/// and Kanzow 1996; Billups 1995 for boxes), kept in the box by projected steps:
///
///     H d = −Φ(x̂),  H ∈ ∂Φ(x̂),   x̂ ← clamp(x̂ + t d)
///
/// If H is singular or the search along d fails, d is Levenberg and Marquardt's: (HᵀH + λ I) d = −HᵀΦ. With λ near ‖Φ‖²
/// (Yamashita and Fukushima 2001) it keeps the fast convergence where equations are redundant. If that fails as well,
/// the projected gradient of ψ is taken. Convergence is quadratic near solutions where H is nonsingular. Otherwise the
/// method ends at a stationary point of ψ, which is a solution if F is monotone. Cost of an iteration: F, J and a
/// factorization.
class SemismoothNewton {
 public:
  /// From the point where `iterate` began. `iterations` counts on.
  NcpStatus run(NcpIterate& iterate, const NcpIterate::Goal& goal, int& iterations);

 private:
  bool step(NcpIterate& iterate);
  bool regularized_step(NcpIterate& iterate, double weight);

  std::vector<double> rhs_, direction_;
};

}  // namespace carom
