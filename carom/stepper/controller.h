#pragma once

#include <functional>

#include "carom/model/state.h"

namespace carom {

/// A user's own controller: adds to `force` (nv entries, zero on entry; N m or N, in the coordinates of v) what it
/// wants to act on the joints over the step that starts at this state. Called once per step. Its memory is not part of
/// the state, so a resumed run begins with whatever it then is.
using Controller = std::function<void(const Model& model, const State& state, VectorX& force)>;

/// force: what the controller asks for in this state; zero if it is empty. Throws Error if it gave the wrong number of
/// forces or one that is not finite.
void call_controller(const Controller& controller, const Model& model, const State& state, VectorX& force);

}  // namespace carom
