#include "carom/validation/first_impact.h"

namespace carom {
namespace {

constexpr int fewest_frames = 4;

}  // namespace

std::optional<MeasuredRebound> first_rebound(const Toss& measured, double rest_height, const Vec3& mass_centre,
                                             const TossProtocol& protocol) {
  const auto& poses = measured.poses;
  const auto clear = [&](int k) { return lowest_corner(poses[static_cast<std::size_t>(k)], rest_height) > 0; };
  const int frames = static_cast<int>(poses.size());
  MeasuredRebound rebound;
  rebound.first = frames_in_flight(poses, protocol);
  while (rebound.first < frames && clear(rebound.first)) ++rebound.first;
  while (rebound.first < frames && !clear(rebound.first)) ++rebound.first;
  while (rebound.first + rebound.count < frames && clear(rebound.first + rebound.count)) ++rebound.count;
  if (rebound.count < fewest_frames) return {};
  rebound.flight = fit_flight(poses, rebound.first, rebound.count, protocol, mass_centre);
  return rebound;
}

ReboundMiss rebound_miss(const std::vector<Pose>& predicted, const MeasuredRebound& rebound, const Vec3& mass_centre,
                         const TossProtocol& protocol) {
  const Release flight = fit_flight(predicted, rebound.first, rebound.count, protocol, mass_centre);
  const auto of_mass_centre = [&](const Release& release) {
    return Vec3(release.velocity + release.angular_velocity.cross(release.orientation * mass_centre));
  };
  const Vec3 velocity = of_mass_centre(flight) - of_mass_centre(rebound.flight);
  return {velocity.norm(), velocity.z(), (flight.angular_velocity - rebound.flight.angular_velocity).norm()};
}

}  // namespace carom
