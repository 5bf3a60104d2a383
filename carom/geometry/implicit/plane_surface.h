#pragma once

#include <string>

#include "carom/geometry/implicit/surface_jet.h"

namespace carom {

/// f(x) = normal · x − offset: the distance itself.
struct PlaneSurface {
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards
  double offset = 0;            ///< m

  SurfaceJet jet(const Vec3& x) const;
  /// What is wrong with the numbers, as a sentence's end; empty if nothing. Alike in all surfaces.
  std::string fault() const;
};

}  // namespace carom
