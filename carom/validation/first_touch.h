#pragma once

#include "carom/scene/scene.h"

namespace carom {

/// The state in which a mechanism first touches something, from `start` on under gravity alone: joints of scalar
/// coordinates, by Runge and Kutta's rule of fourth order with steps of 1 ms, the touch by bisection. Throws Error if
/// nothing touches within `limit` seconds.
State first_touch(const Scene& scene, const State& start, double limit);

}  // namespace carom
