#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carom/record/record.h"

namespace carom {

/// Sections of a page with the curves of the record's output tables. They show torques, contact forces and centres of
/// pressure, loads of joints and constraints, mass centres and momenta. All come from one list of families
/// (curve_families.cpp), so another quantity is one more entry of it. They are read from the record's file. A record
/// without a file, or with the least columns, has none.
///
///   [{title, note, three, times: base64(s), charts: [{title, unit, series: [{name, color, dash, data}, ...]}, ...]}]
///
/// Curves that are zero throughout, or below a billionth of the largest of their family, are left out. A plot has the
/// first 24 of the others. All curves together have at most 300 000 points, but each has at least 500. Throws Error if
/// the file is damaged.
nlohmann::ordered_json curve_family_sections(const Record& record);

}  // namespace carom
