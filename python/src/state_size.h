#pragma once

#include "carom/model/state.h"

namespace carom::python {

/// Throws Error if q and v have other sizes than the model's.
void check_state(const Model& model, const State& state);

}  // namespace carom::python
