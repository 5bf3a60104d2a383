#pragma once

#include <string>
#include <string_view>

#include "carom/stepper/method.h"

namespace carom {

/// Reason why a judged number (judged.h) is not defined for a method, a sentence; empty if it is. An absent number is
/// null in JSON, with this reason, and left out where a certificate is printed or drawn.
std::string why_absent(std::string_view number, const Method& method);

}  // namespace carom
