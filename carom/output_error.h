#pragma once

#include <string>

#include "carom/error.h"

namespace carom {

/// A failure to write that is no mistake of the user: a full disk, a limit of the system. `reason` is the system's own.
class OutputError : public Error {
 public:
  OutputError(const std::string& sentence, std::string reason)
      : Error(sentence + ": " + reason), reason_(std::move(reason)) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

}  // namespace carom
