#pragma once

#include <stdexcept>
#include <string>

namespace carom {

/// A user's mistake, as a sentence: what, where, and what would be right. Thrown by construction and by input and
/// output, never inside a step: a solver that does not converge returns a status.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace carom
