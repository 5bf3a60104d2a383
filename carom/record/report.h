#pragma once

#include <string>

#include "carom/record/record.h"

namespace carom {

/// True if pages can be written: not where Carom was built without its player (CAROM_PLAYER).
bool has_player();

/// One self-contained page of a run: summary, certificate, plots of trajectories, energies, contact impulses and
/// residuals. Needs no server and no network. Long runs are thinned to at most 2000 points a curve, extremes kept.
/// Throws Error if the file can't be written, or if there is no player.
void write_report(const Record& record, const std::string& path);

}  // namespace carom
