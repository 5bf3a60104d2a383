#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Measured landings of the biped Cassie (B. Acosta, W. Yang and M. Posa, "Validating robotics simulators on real-world
/// impacts", RA-L 2022): 50 ms from just before touch-down, each started as it was measured and driven by the measured
/// torques. Laws differ by what contacts do; variants of the robot's model by springs and rotors. options.data is the
/// folder with jumps_train.h5 and cassie_v2.urdf, or a file of landings beside which the robot's lies.
Validation validate_cassie_jumps(const ValidationOptions& options);

}  // namespace carom
