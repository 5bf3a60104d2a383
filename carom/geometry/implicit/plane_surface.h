#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = normal · x − offset: the distance itself.
struct PlaneSurface {
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards
  double offset = 0;            ///< m

  SurfaceJet jet(const Vec3& x) const;
  /// Fault of the numbers, as a sentence's end; empty if there is none. Alike in all surfaces.
  std::string fault() const;
};

}  // namespace carom
