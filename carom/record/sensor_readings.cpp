#include "carom/record/sensor_readings.h"

#include <limits>

namespace carom {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The rotation halfway between two that are less than half a turn apart.
Mat3 halfway(const Quaternion& a, const Quaternion& b) {
  const double sign = a.dot(b) < 0 ? -1 : 1;
  return Quaternion(a.coeffs() + sign * b.coeffs()).normalized().toRotationMatrix();
}

}  // namespace

SensorReadings::SensorReadings(const Model& model) : model_(model), start_(model.sensors().size()) {
  Eigen::Index count = 0;
  for (const Sensor& sensor : model.sensors()) {
    places_.push_back(count);
    count += static_cast<Eigen::Index>(sensor_columns(sensor).size());
  }
  values.setConstant(count, nan);
  joint_of_.assign(static_cast<std::size_t>(model.body_count()), -1);
  const std::vector<int> jointed = jointed_bodies(model);
  for (std::size_t i = 0; i < jointed.size(); ++i)
    joint_of_[static_cast<std::size_t>(jointed[i])] = static_cast<int>(i);
}

void SensorReadings::clear() { values.setConstant(nan); }

SensorReadings::Pose SensorReadings::look(const Sensor& sensor, const DynamicsWorkspace& workspace) const {
  if (sensor.body < 0) return {Quaternion(sensor.X_BS.R), sensor.X_BS.p, Vec3::Zero()};
  const auto body = static_cast<std::size_t>(sensor.body);
  const Transform& X_WB = workspace.X_WB[body];
  const Vec6& V = workspace.V[body];
  const Vec3 omega = V.head<3>(), velocity = V.tail<3>();
  return {Quaternion(Mat3(X_WB.R * sensor.X_BS.R)), X_WB * sensor.X_BS.p,
          X_WB.R * (velocity + omega.cross(sensor.X_BS.p))};
}

void SensorReadings::begin_step(const DynamicsWorkspace& start) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Sensor& sensor = model_.sensors()[i];
    start_[i] = look(sensor, start);
    if (sensor.kind != SensorKind::imu || sensor.body < 0) continue;
    const Vec3 omega = start.V[static_cast<std::size_t>(sensor.body)].head<3>();
    values.segment<3>(places_[i] + 3) = sensor.X_BS.R.transpose() * omega;
  }
}

/// Takes a mean over the step into that over the `before` seconds ahead of it.
void SensorReadings::keep_mean(Eigen::Index at, const Vec3& now, double before, double h) {
  auto mean = values.segment<3>(at);
  if (!(before > 0)) {
    mean = now;
  } else {
    mean += h * (now - Vec3(mean)) / (before + h);
  }
}

void SensorReadings::add(const JointLoads& joints, const DynamicsWorkspace& end, double before, double h) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Sensor& sensor = model_.sensors()[i];
    if (sensor.kind == SensorKind::contact) continue;
    const Pose now = look(sensor, end);
    const Mat3 R_SW = halfway(start_[i].q_WS, now.q_WS).transpose();
    if (sensor.kind == SensorKind::imu) {
      keep_mean(places_[i], R_SW * ((now.velocity - start_[i].velocity) / h - model_.gravity()), before, h);
      continue;
    }
    const JointLoads::StepLoad load = sensor.constraint >= 0
                                          ? joints.step_constraint(sensor.constraint)
                                          : joints.step_joint(joint_of_[static_cast<std::size_t>(sensor.body)]);
    const Vec3 p_S = 0.5 * (start_[i].position + now.position);
    const Vec3 moment = load.moment + (load.place - p_S).cross(load.force);
    keep_mean(places_[i], R_SW * load.force / h, before, h);
    keep_mean(places_[i] + 3, R_SW * moment / h, before, h);
  }
  begin_step(end);
}

void SensorReadings::read_contacts(const ColliderLoads& colliders, double seconds) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Sensor& sensor = model_.sensors()[i];
    if (sensor.kind != SensorKind::contact) continue;
    Vec3 impulse = Vec3::Zero(), weighted = Vec3::Zero();
    double normal = 0;
    for (const int collider : sensor.colliders) {
      impulse += colliders.impulse.segment<3>(3 * collider);
      const double pressed = colliders.normal_impulse[collider];
      if (!(pressed > 0)) continue;
      normal += pressed;
      weighted += pressed * colliders.centre_of_pressure.segment<3>(3 * collider);
    }
    const double per_second = seconds > 0 ? 1 / seconds : nan;
    values.segment<3>(places_[i]) = impulse * per_second;
    values[places_[i] + 3] = normal * per_second;
    values.segment<3>(places_[i] + 4) = normal > 0 ? Vec3(weighted / normal) : Vec3::Constant(nan);
  }
}

}  // namespace carom
