#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Oblique impacts of a sphere on a wall (Y. C. Chung and J. Y. Ooi, Granular Matter 13, 2011, tests 4 and 5;
/// experiment of A. H. Kharaz, D. A. Gorham and A. D. Salman, Powder Technology 120, 2001) beside the laws, nothing
/// fitted. The curves are those of the file or folder options.data (sphere_curve_file.h). The spheres of
/// options.scenes/sphere_impacts are struck by law lzb and by stepper compliant, with a tangential spring, and by laws
/// without one. Runs options.laws, or all laws if it is empty. Writes the table as JSON and a page into options.output.
Validation validate_sphere_impacts(const ValidationOptions& options);

}  // namespace carom
