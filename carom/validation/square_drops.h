#pragma once

#include "carom/validation/validation.h"

namespace carom {

/// Real drops of a square on a floor, several impacts each, until rest (data of N. Fazeli, S. Zapolsky, E. Drumwright
/// and A. Rodriguez in DAIRLab/ImpactModeling) beside simulated ones. The file options.data holds them. Every law of
/// options.fits (planar_fits.h) drops its square as the real one was dropped (drop_protocol.h), by values that were
/// fitted without the drop. If left empty, options.fits is options.scenes/square_drops/fits.json. With options.fit the
/// values are fitted to this file's drops first, and written there. Writes predictions of every law, the table as JSON
/// and a page with plots of the first law into options.output.
Validation validate_square_drops(const ValidationOptions& options);

}  // namespace carom
