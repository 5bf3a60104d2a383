#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper DCA (Bhalerao, Anderson and Trinkle 2009), its double pendulum. It falls without friction (figure 7), slides
/// beside a reference of its own equations (figure 8), and bounces (figure 10). In a plane it touches, slides, sticks
/// and slips (figure 9). The sizes of the complementarity problem are those of section 4.2.2. Scenes in bhalerao2009/.
Validation validate_bhalerao2009(const ValidationOptions& options);

}  // namespace carom
