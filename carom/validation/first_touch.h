#pragma once

#include "carom/scene/scene.h"

namespace carom {

/// The state in which a mechanism first touches something, from `start` on under gravity alone. Its joints have scalar
/// coordinates. Runge and Kutta's rule of fourth order takes steps of 1 ms; bisection finds the touch. Throws Error if
/// nothing touches within `limit` seconds.
State first_touch(const Scene& scene, const State& start, double limit);

}  // namespace carom
