#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper PROP (Seghete and Murphey 2014). Example 1 is cradles of several masses with every order of resets, with the
/// bound (22) on the number of resets. Figure 2 is the energy of three spheres, by Bullet and by Carom's steppers.
/// Figure 5 is the billiard break, table I and figure 8 the tailed runner. Scenes in seghete2014/, the study in
/// studies/.
Validation validate_seghete2014(const ValidationOptions& options);

}  // namespace carom
