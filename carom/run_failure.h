#pragma once

#include "carom/error.h"

namespace carom {

/// The reason why a run that has begun cannot go on, as a sentence: a force of the user's own that is no number.
class RunFailure : public Error {
 public:
  using Error::Error;
};

}  // namespace carom
