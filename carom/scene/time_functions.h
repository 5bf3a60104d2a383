#pragma once

#include "carom/model/constraint.h"
#include "carom/scene/values.h"

namespace carom {

/// A value over time: a number, or a map of `polynomial`, `sine` and `times` with `values`, which are added up (see
/// TimeFunction). Nothing, and faults told, where it is none.
std::optional<TimeFunction> read_time_function(const YamlNode& node, const std::string& label, Quantity quantity,
                                               Diagnostics& diagnostics);

/// A map of `position` (three values over time), `axis` and `angle`: the path of a frame.
FramePath read_path(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
