#pragma once

#include <optional>

#include "carom/geometry/shape.h"
#include "carom/scene/values.h"

namespace carom {

/// Reads the ground under the keys `spacing` and either `heights` or `file`. The heights are rows of numbers by growing
/// y. The file is a text with a row of numbers per line, between blanks, commas or semicolons. Text behind a '#' is
/// left out. At most 64 MiB.
std::optional<Shape> read_height_field(Fields& fields, Diagnostics& diagnostics);

}  // namespace carom
