#pragma once

#include <string>

namespace carom {

/// The scene or model file that a record was made from, as its command named it; empty if the path holds no record.
std::string recorded_file(const std::string& path);

}  // namespace carom
