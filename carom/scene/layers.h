#pragma once

#include <optional>

#include "carom/model/layer.h"
#include "carom/scene/values.h"

namespace carom {

/// The key `layer` of a material.
std::optional<Layer> read_layer(const YamlNode& node, Diagnostics& diagnostics);

}  // namespace carom
