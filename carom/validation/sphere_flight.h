#pragma once

#include <vector>

#include "carom/validation/planar_impact_file.h"
#include "carom/validation/sphere_strike.h"

namespace carom {

/// Impacts of a sphere that a stepper ran through in time.
struct SphereFlights {
  std::vector<Vec3> after;  ///< velocities once it has left the wall
  double energy_error = 0;  ///< the worst of all: what the ledger leaves open, and what contacts gave in a step, of the
                            ///< energy before
};

/// The scene's sphere flies at its wall with the velocities before the impacts, from a thousandth of its radius away,
/// and off again. The scene's own stepper moves it, which must integrate through an impact. Flights run side by side on
/// the threads there are; the result does not depend on their number. Throws Error if the sphere does not leave the
/// wall.
SphereFlights fly_all(const SphereScene& sphere, const std::vector<PlanarImpact>& impacts);

}  // namespace carom
