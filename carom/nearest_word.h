#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "carom/edit_distance.h"

namespace carom {

/// True if a misspelt word may stand for the other: within as many edits as a third of its length, but at least 1.
inline bool is_near(std::string_view word, std::string_view meant) {
  return !meant.empty() && edit_distance(word, meant) <= std::max(1, static_cast<int>(word.size()) / 3);
}

/// The word of `known` that a misspelt `word` most likely stands for: the one within the fewest edits
/// (edit_distance.h). At most a third of the length of `word` is allowed, but at least 1. The first of equals wins.
/// Empty if there is none.
inline std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t longest_word = 64;  // bounds the cost: nobody means a known word by a longer one
  constexpr std::size_t most_words = 1000;  // a scene may name many bodies, and many of them wrongly
  if (word.empty() || word.size() > longest_word || known.size() > most_words) return {};
  int best = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  std::string found;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_word) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

/// "unknown WHAT 'word'", and the nearest of the words known, or all of them.
inline std::string unknown_word(const std::string& what, const std::string& word,
                                const std::vector<std::string>& known) {
  const std::string meant = nearest_word(word, known);
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
  return "unknown " + what + " '" + word + "'; " +
         (meant.empty() ? "there are: " + all : "did you mean '" + meant + "'?");
}

}  // namespace carom
