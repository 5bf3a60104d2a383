#pragma once

#include <string>

#include "carom/stepper/step_report.h"

namespace carom::python {

/// A run's certificate, and whether its method has an exact friction cone.
struct Certificate {
  RunCertificate run;
  bool exact = false;

  bool ok() const;
  std::string text() const;
};

}  // namespace carom::python
