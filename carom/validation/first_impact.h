#pragma once

#include <optional>
#include <vector>

#include "carom/validation/toss_protocol.h"

// A simulator's first impact of a toss, apart from all that follows. Velocities just before and after are no data,
// since measured ones are smeared over the impact. So a flight is fitted to the frames between the first impact and the
// second, for measured and predicted poses alike. The two are compared where these frames begin.
namespace carom {

/// The frames between a toss's first impact and its second.
struct MeasuredRebound {
  int first = 0, count = 0;
  Release flight;  ///< as measured, at frame `first`, of the mass centre that was asked for
};

/// Miss of a predicted rebound.
struct ReboundMiss {
  double velocity = 0;  ///< |Δv| of the mass centre, m/s
  double rise = 0;      ///< Δv_z, predicted less measured, m/s
  double spin = 0;      ///< |Δω|, rad/s
};

/// The first frames in a row after landing in which the lowest corner of a sharp cube is above the board again. The
/// cube has the half width `rest_height`. None if they are fewer than four, as where it lands on an edge.
std::optional<MeasuredRebound> first_rebound(const Toss& measured, double rest_height, const Vec3& mass_centre,
                                             const TossProtocol& protocol);

/// `predicted`: as many poses as were measured.
ReboundMiss rebound_miss(const std::vector<Pose>& predicted, const MeasuredRebound& rebound, const Vec3& mass_centre,
                         const TossProtocol& protocol);

}  // namespace carom
