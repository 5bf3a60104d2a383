#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper PROP (Seghete and Murphey 2014): cradles of several masses with every order of resets (example 1), the bound
/// (22) on the number of resets, the billiard break (figure 5), energy of three spheres by Bullet and by Carom's
/// steppers (figure 2), the tailed runner (table I, figure 8). Scenes in seghete2014/, the study in studies/.
Validation validate_seghete2014(const ValidationOptions& options);

}  // namespace carom
