#pragma once

#include <cstdint>
#include <string>

namespace carom {

/// "1 step", "2 steps": how many, with the word in the number that fits. `many`: the plural where it is not `one` +
/// "s".
inline std::string counted(std::int64_t count, const std::string& one, const std::string& many = "") {
  return std::to_string(count) + " " + (count == 1 ? one : many.empty() ? one + "s" : many);
}

}  // namespace carom
