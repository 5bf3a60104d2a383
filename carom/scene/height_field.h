#pragma once

#include <optional>

#include "carom/geometry/shape.h"
#include "carom/scene/values.h"

namespace carom {

/// The ground under the keys `spacing` and either `heights`, rows of numbers by growing y, or `file`, a text with a row
/// of numbers per line, between blanks, commas or semicolons; what follows a '#' is left out. At most 64 MiB.
std::optional<Shape> read_height_field(Fields& fields, Diagnostics& diagnostics);

}  // namespace carom
