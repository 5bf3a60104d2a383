#pragma once

#include <string>

namespace carom {

/// Copies a file's bytes in place of what `to` holds. Returns the system's reason why not, empty if it did:
/// std::filesystem::copy_file calls a full disk an input/output error.
std::string copy_bytes(const std::string& from, const std::string& to);

}  // namespace carom
