#pragma once

#include "carom/scene/values.h"
#include "carom/stepper/method.h"

namespace carom {

/// Keys of `method` that impacts and integrated motion have: tolerance, proximity, plus, lzb, compliant, quasi_rigid.
const std::vector<std::string>& law_keys();

/// Reads them into the method. law: the one that the file itself names; settings of another law are a fault, for they
/// would do nothing. Those of another stepper are read_run_settings's to tell.
void read_law_settings(const Fields& fields, LawKind law, Method& method, Diagnostics& diagnostics);

}  // namespace carom
