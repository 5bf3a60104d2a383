#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Real impacts of an ellipse and a square on a floor (N. Fazeli, S. Zapolsky, E. Drumwright and A. Rodriguez, ICRA
/// 2017 and CoRL 2017; data of DAIRLab/ImpactModeling) beside what every law makes of them. The file options.data holds
/// them. Every law of options.fits (planar_fits.h) strikes them, each impact by values that were fitted without it. If
/// left empty, options.fits is options.scenes/planar_impacts/fits.json. With options.fit the values are fitted to this
/// file's impacts first, and written there. Writes predictions of every law, the table as JSON and a page into
/// options.output.
Validation validate_planar_impacts(const ValidationOptions& options);

}  // namespace carom
