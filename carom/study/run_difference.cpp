#include "carom/study/run_difference.h"

#include <algorithm>
#include <cmath>

#include "carom/spatial/rotation.h"

namespace carom {
namespace {

/// Root mean square over the body's mass of the length of a + D r, r from the centre of mass, in the body frame.
double mass_rms(const Body& body, const Vec3& a, const Mat3& D) {
  const SpatialInertia& inertia = body.inertia;
  if (!(inertia.mass > 0)) return 0;
  const Mat3 second = 0.5 * inertia.central.trace() * Mat3::Identity() - inertia.central;
  return std::sqrt(a.squaredNorm() + std::max(0.0, (D * second * D.transpose()).trace()) / inertia.mass);
}

/// Rate of the centre of mass.
Vec3 center_velocity(const Body& body, const BodyMotion& motion) {
  return motion.velocity + motion.angular_velocity.cross(motion.orientation * body.inertia.center);
}

/// Rate of the rotation matrix.
Mat3 rotation_rate(const BodyMotion& motion) {
  return skew(motion.angular_velocity) * motion.orientation.toRotationMatrix();
}

}  // namespace

double body_distance(const Body& body, const BodyMotion& first, const BodyMotion& second) {
  const Vec3& c = body.inertia.center;
  const Vec3 apart = first.position + first.orientation * c - second.position - second.orientation * c;
  return mass_rms(body, apart, first.orientation.toRotationMatrix() - second.orientation.toRotationMatrix());
}

double body_speed_difference(const Body& body, const BodyMotion& first, const BodyMotion& second) {
  return mass_rms(body, center_velocity(body, first) - center_velocity(body, second),
                  rotation_rate(first) - rotation_rate(second));
}

RunDifference run_difference(const Model& model, const SampledRun& first, const SampledRun& second) {
  RunDifference difference;
  const std::size_t samples = std::min(first.times.size(), second.times.size());
  for (std::size_t k = 0; k < samples; ++k) {
    double distance = 0, speed = 0;
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      const Body& body = model.bodies()[i];
      distance = std::max(distance, body_distance(body, first.bodies[k][i], second.bodies[k][i]));
      speed = std::max(speed, body_speed_difference(body, first.bodies[k][i], second.bodies[k][i]));
    }
    difference.distance.push_back(distance);
    difference.speed.push_back(speed);
    difference.energy.push_back(second.energy[k] - first.energy[k]);
  }
  return difference;
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

std::vector<double> running_largest(const std::vector<double>& values) {
  std::vector<double> largest = values;
  for (std::size_t k = 1; k < largest.size(); ++k) largest[k] = std::max(largest[k - 1], largest[k]);
  return largest;
}

double extent_of_motion(const Model& model, const SampledRun& run) {
  double extent = 0;
  for (const std::vector<BodyMotion>& sample : run.bodies) {
    for (std::size_t i = 0; i < model.bodies().size(); ++i) {
      extent = std::max(extent, body_distance(model.bodies()[i], run.bodies.front()[i], sample[i]));
    }
  }
  return extent;
}

}  // namespace carom
