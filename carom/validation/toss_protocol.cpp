#include "carom/validation/toss_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "carom/error.h"
#include "carom/spatial/rotation.h"

namespace carom {
namespace {

constexpr int fewest_flight_frames = 3;
constexpr int gauss_newton_rounds = 10;
constexpr double degrees = 180 / EIGEN_PI;

/// Least-squares line through (t_k, y_k), t in frames.
struct Line {
  Vec3 value, slope;  ///< at t = 0, per second
};

Line fit_line(const std::vector<Vec3>& y, const std::vector<double>& times, double rate) {
  const auto n = static_cast<double>(y.size());
  Vec3 mean = Vec3::Zero();
  for (const Vec3& value : y) mean += value / n;
  const double middle = std::accumulate(times.begin(), times.end(), 0.0) / n;
  Vec3 moment = Vec3::Zero();
  double spread = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double t = times[k] - middle;
    moment += t * (y[k] - mean);
    spread += t * t;
  }
  const Vec3 slope = moment / spread;  // per frame
  return {mean - middle * slope, slope * rate};
}

/// Rms of the residuals per axis, with two parameters fitted.
double noise(const std::vector<Vec3>& residuals) {
  double sum = 0;
  for (const Vec3& residual : residuals) sum += residual.squaredNorm();
  return std::sqrt(sum / (3 * static_cast<double>(residuals.size() - 2)));
}

Vec3 up_in_body(const Pose& pose) { return pose.orientation.conjugate() * Vec3::UnitZ(); }

/// Numbers that turning about the vertical and shifting sideways leave alone: height and sorted tilt of every frame.
std::vector<double> signature(const std::vector<Pose>& poses, const TossProtocol& protocol) {
  std::vector<double> values;
  for (std::size_t k = 0; k < std::min<std::size_t>(poses.size(), protocol.signature_frames); ++k) {
    Vec3 tilt = up_in_body(poses[k]).cwiseAbs();
    std::sort(tilt.data(), tilt.data() + 3);
    values.insert(values.end(), {poses[k].position.z() / protocol.half_width, tilt[0], tilt[1], tilt[2]});
  }
  return values;
}

bool alike(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](double x, double y) { return std::abs(x - y) < tolerance; });
}

/// The face whose outward normal points up most: axis 0 to 2, and on which side.
std::pair<int, bool> upper_face(const Pose& pose) {
  const Vec3 up = up_in_body(pose);
  int axis = 0;
  up.cwiseAbs().maxCoeff(&axis);
  return {axis, up[axis] > 0};
}

}  // namespace

double lowest_corner(const Pose& pose, double half_width) {
  return pose.position.z() - half_width * up_in_body(pose).lpNorm<1>();
}

double clearance(const Pose& pose, const TossProtocol& protocol) {
  const double board = protocol.floor_height + protocol.floor_slope * pose.position.x();
  return lowest_corner(pose, protocol.half_width - protocol.corner_radius) - protocol.corner_radius - board;
}

double flight_time(double t, const TossProtocol& protocol) {
  const double d = protocol.drag;
  return d > 0 ? -std::expm1(-d * t) / d : t;
}

double flight_fall(double t, const TossProtocol& protocol) {
  const double d = protocol.drag;
  return d > 0 ? protocol.gravity * (t - flight_time(t, protocol)) / d : 0.5 * protocol.gravity * t * t;
}

std::vector<Pose> cut_after_rest(const std::vector<Pose>& poses, const TossProtocol& protocol) {
  int still = 0;
  for (std::size_t k = 1; k < poses.size(); ++k) {
    const double speed = (poses[k].position - poses[k - 1].position).norm() * protocol.frame_rate;
    const Vec3 turn = logarithm(poses[k].orientation * poses[k - 1].orientation.conjugate());
    const bool at_rest = speed < protocol.still_speed && turn.norm() * protocol.frame_rate < protocol.still_spin;
    still = at_rest ? still + 1 : 0;
    if (still < protocol.still_frames) continue;
    const std::size_t kept = k - static_cast<std::size_t>(protocol.still_frames) + protocol.frames_of_rest;
    return {poses.begin(), poses.begin() + static_cast<std::ptrdiff_t>(std::min(kept, poses.size()))};
  }
  return poses;
}

std::vector<int> distinct_tosses(const std::vector<Toss>& tosses, const TossProtocol& protocol) {
  std::vector<std::vector<double>> seen;
  std::vector<int> kept;
  for (std::size_t k = 0; k < tosses.size(); ++k) {
    auto own = signature(tosses[k].poses, protocol);
    const bool copy = std::any_of(seen.begin(), seen.end(), [&](const std::vector<double>& earlier) {
      return alike(own, earlier, protocol.copy_tolerance);
    });
    if (!copy) kept.push_back(static_cast<int>(k));
    seen.push_back(std::move(own));
  }
  return kept;
}

std::vector<int> evenly_spaced(int n, int count) {
  std::vector<int> chosen(std::max(0, std::min(n, count)));
  for (int i = 0; i < static_cast<int>(chosen.size()); ++i) chosen[i] = n <= count ? i : n * i / count;
  return chosen;
}

int frames_in_flight(const std::vector<Pose>& poses, const TossProtocol& protocol) {
  const auto landed =
      std::find_if(poses.begin(), poses.end(), [&](const Pose& pose) { return clearance(pose, protocol) <= 0; });
  return static_cast<int>(landed - poses.begin());
}

int frames_in_flight(const Toss& toss, const TossProtocol& protocol) {
  if (toss.flight <= 0) return frames_in_flight(toss.poses, protocol);
  return std::min(toss.flight, static_cast<int>(toss.poses.size()));
}

Release fit_flight(const std::vector<Pose>& poses, int first, int count, const TossProtocol& protocol,
                   const Vec3& mass_centre) {
  const double rate = protocol.frame_rate;
  const Pose* flying = poses.data() + first;
  Release release;
  release.frames = count;
  std::vector<Vec3> straight(count), residuals(count);  // positions with the fall taken out
  std::vector<double> times(count), paths(count);       // in frames: of the clock, and what drag leaves of it
  for (int k = 0; k < count; ++k) {
    times[k] = k;
    paths[k] = protocol.drag > 0 ? flight_time(k / rate, protocol) * rate : k;
    straight[k] =
        flying[k].position + flying[k].orientation * mass_centre + flight_fall(k / rate, protocol) * Vec3::UnitZ();
  }
  const Line flight = fit_line(straight, paths, rate);
  for (int k = 0; k < count; ++k) residuals[k] = straight[k] - flight.value - paths[k] / rate * flight.slope;
  release.position_noise = noise(residuals);

  Quaternion q = flying[0].orientation;
  Vec3 w = logarithm(flying[count - 1].orientation * flying[count - 2].orientation.conjugate()) * rate;
  const auto measure = [&] {
    for (int k = 0; k < count; ++k) {
      const Quaternion expected = exponential(Vec3(k / rate * w)) * q;
      residuals[k] = logarithm(flying[k].orientation * expected.conjugate());
    }
  };
  for (int round = 0; round < gauss_newton_rounds; ++round) {
    measure();
    const Line correction = fit_line(residuals, times, rate);
    q = exponential(correction.value) * q;
    w += correction.slope;
  }
  measure();
  release.orientation = q.normalized();
  release.angular_velocity = w;
  const Vec3 arm = release.orientation * mass_centre;
  release.position = flight.value - arm;
  release.velocity = flight.slope - w.cross(arm);
  release.rotation_noise = noise(residuals);
  return release;
}

Release fit_release(const Toss& toss, const TossProtocol& protocol, const Vec3& mass_centre) {
  const int n = frames_in_flight(toss, protocol);
  if (n < fewest_flight_frames) {
    throw Error(
        fmt::format("toss {} has {} frames before its lowest corner reaches the board; its release can be fitted to "
                    "{} or more",
                    toss.number, n, fewest_flight_frames));
  }
  return fit_flight(toss.poses, 0, n, protocol, mass_centre);
}

PoseError pose_error(const Pose& simulated, const Pose& measured, const TossProtocol& protocol) {
  // The modulus of the scalar part: a quaternion and its negative are one rotation.
  const Quaternion turn = simulated.orientation * measured.orientation.conjugate();
  return {(simulated.position - measured.position).norm() / (2 * protocol.half_width),
          2 * std::atan2(turn.vec().norm(), std::abs(turn.w())) * degrees};
}

TossError toss_error(const std::vector<Pose>& simulated, const std::vector<Pose>& measured,
                     const TossProtocol& protocol) {
  TossError result;
  for (std::size_t k = 0; k < measured.size(); ++k) {
    const PoseError error = pose_error(simulated[k], measured[k], protocol);
    result.mean.position += error.position / static_cast<double>(measured.size());
    result.mean.rotation += error.rotation / static_cast<double>(measured.size());
    result.end = error;
  }
  result.right_face = upper_face(simulated.back()) == upper_face(measured.back());
  return result;
}

}  // namespace carom
