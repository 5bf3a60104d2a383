#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// The word in `known` for what other simulators and texts call `word`: "friction" for "mu", "half-space" for "plane".
/// Capitals, underscores and hyphens make no difference. Empty if there is none.
std::string own_word(std::string_view word, const std::vector<std::string>& known);

/// Advice for a word that is no key, nor stands for one alone.
struct Advice {
  std::string key;       ///< the known key that is meant
  std::string sentence;  ///< "write 'radius', which is half of it" for "diameter"
};
/// Both empty if there is nothing to say.
Advice advice_for(std::string_view word, const std::vector<std::string>& known);

}  // namespace carom
