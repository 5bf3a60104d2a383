#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper DCA (Bhalerao, Anderson and Trinkle 2009): the falling double pendulum without friction (figure 7), sliding
/// beside a reference of its own equations (figure 8), touching, sliding, sticking and slipping in a plane (figure 9),
/// bouncing (figure 10), and the sizes of the complementarity problem (section 4.2.2). Scenes in bhalerao2009/.
Validation validate_bhalerao2009(const ValidationOptions& options);

}  // namespace carom
