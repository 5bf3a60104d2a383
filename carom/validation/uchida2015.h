#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Paper PLUS: T. K. Uchida, M. A. Sherman and S. L. Delp, Making a meaningful impact: modelling simultaneous
/// frictional collisions in spatial multibody systems, Proc. R. Soc. A 471, 2015. Its four examples: PLUS, the
/// compliant impact and closed forms beside the figures. Writes tables of the curves (CSV) into the folder of the
/// options, if it is named.
Validation validate_uchida2015(const ValidationOptions& options);

}  // namespace carom
