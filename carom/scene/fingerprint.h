#pragma once

#include <string>

namespace carom {

/// Sixteen hexadecimal digits that change with the file's bytes (FNV-1a, 64 bits). Of a file that cannot be read those
/// of an empty one.
std::string fingerprint(const std::string& path);

}  // namespace carom
