#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "carom/record/contact_names.h"
#include "carom/record/record.h"

namespace carom {

/// Most of each kind of row that a page carries; what is beyond is left out from the last impact backwards.
inline constexpr std::size_t largest_impact_count = 2000, largest_struck_count = 20000, largest_interval_rows = 60000;

/// Impacts as a page of runs shows them, float32 in base64 (curve.h):
///
///   `impacts`             Rows of time, first row and number of struck contacts, first row and number of intervals,
///                         energy change (J).
///   `statuses`            A text per impact.
///   `struck`              Rows of pair, position (3), R_WC as a quaternion (4), impulse (3), velocity before (3) and
///                         after (3), contact frame.
///   `intervals`           Rows of group, round, jammed, first row and number of contacts.
///   `interval_contacts`   Rows of the struck contact (row of `struck`), role, motion, impulse (3), velocity (3).
///   `roles`, `motions`    Their names.
///   `left_out`            Impacts that did not fit.
nlohmann::ordered_json player_impacts(const Record& record, PairList& pairs);

}  // namespace carom
