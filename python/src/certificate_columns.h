#pragma once

#include <string>
#include <vector>

#include "certificate.h"

namespace carom::python {

/// Names of the numbers that stand for a certificate in an array: ok, counts of steps and impacts, and the judged
/// numbers (carom/certificate/judged.h).
const std::vector<std::string>& certificate_columns();

/// Writes them in that order. `finished`: all steps were taken; a run that was not is never ok.
void write_columns(const Certificate& certificate, bool finished, double* into);

}  // namespace carom::python
