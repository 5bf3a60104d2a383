#pragma once

namespace carom {

/// Measures of the depth to which another body presses a layer on a body { g ≤ 0 } in.
enum class DeflectionMeasure {
  distance,   ///< overlap of the surfaces without deflection, along their common normal: the gap, signed
  euclidean,  ///< at the point of the other body where g is least, along ∇g there, to g = 0 (Chakraborty et al. 2007,
              ///< (11) with (12))
  algebraic,  ///< −g at that point: δ̄ of (11), a length only as far as ‖∇g‖ = 1
};

}  // namespace carom
