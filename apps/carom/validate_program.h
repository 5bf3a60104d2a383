#pragma once

#include <string>
#include <vector>

namespace carom {

/// Becomes the program carom-validate, which lies beside this one, in libexec/carom or in PATH, with these words.
/// Returns only by throwing Error, where there is no such program.
[[noreturn]] void become_validate(const std::vector<std::string>& words);

}  // namespace carom
