#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// The word in `known` for what other simulators and texts call `word`: "friction" for "mu", "half-space" for "plane".
/// Capitals, underscores and hyphens make no difference. Empty if there is none.
std::string own_word(std::string_view word, const std::vector<std::string>& known);

}  // namespace carom
