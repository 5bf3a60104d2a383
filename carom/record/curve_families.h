#pragma once

#include <nlohmann/json_fwd.hpp>

#include "carom/record/record.h"

namespace carom {

/// Sections of a page with the curves of the record's output tables: torques, contact forces and centres of pressure,
/// loads of joints and constraints, mass centres and momenta. All come from one list of families
/// (curve_families.cpp), so that another quantity is one more entry of it. They are read from the record's file: of a
/// record without a file, or with the least columns, there are none.
///
///   [{title, note, three, times: base64(s), charts: [{title, unit, series: [{name, color, dash, data}, ...]}, ...]}]
///
/// Curves that are zero throughout, or below a billionth of the largest of their family, are left out; of the others a
/// plot has the first 24. All curves together are at most 300 000 points, of which each has 500 at least. Throws Error
/// if the file is damaged.
nlohmann::ordered_json curve_family_sections(const Record& record);

}  // namespace carom
