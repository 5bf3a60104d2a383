#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "carom/spatial/types.h"

namespace carom {

/// Velocities of a planar body just before and after one impact on a floor. World frame: x right, z up, angles
/// counterclockwise. A Vec3 has x, z, angle: m, m, rad, or their rates.
struct PlanarImpact {
  std::int64_t number = 0;      ///< record or drop that it is from
  Vec3 pose = Vec3::Zero();     ///< mass centre and angle
  Vec2 contact = Vec2::Zero();  ///< r = (r_x, r_z), contact point less mass centre, world axes, m
  Vec3 before = Vec3::Zero();   ///< velocity of the mass centre and spin
  Vec3 after = Vec3::Zero();    ///< the same
};

/// An impact as its source printed it, for the moment balance of what was printed.
struct PrintedImpact {
  Vec3 before = Vec3::Zero(), after = Vec3::Zero();
  double normal_arm = 0;      ///< last entry of the normal row (0, 1, r_x) of the contact Jacobian, m
  double tangential_arm = 0;  ///< last entry of its tangential row (1, 0, h), m
};

/// The scored impacts of one body.
struct PlanarImpacts {
  std::string body;            ///< "ellipse", "square"
  double gyration_radius = 0;  ///< k about the mass centre, m
  std::vector<PlanarImpact> impacts;
  std::vector<PrintedImpact> printed;  ///< the same impacts; empty if the file has none
};

/// Reads measured impacts of an ellipse and a square from HDF5, those of either body if it is there. Layout, with n
/// impacts of a body B:
///
///   dataset            | shape   | meaning
///   /B/record or trial | (n)     | number of the record or drop in the source
///   /B/pose            | (n, 3)  | pose at the impact
///   /B/contact         | (n, 2)  | r
///   /B/v_pre, v_post   | (n, 3)  | velocity before and after
///   /B/single          | (n)     | optional: whether one contact alone struck
///   /B/second_corner   | (n)     | with it: height of the next corner over the lowest, m
///   /B/source_states   | (n, 12) | optional, as printed: pose, velocity before, pose after, velocity after
///   /B/source_n, _d    | (n, 3)  | with it: rows of the contact Jacobian
///
/// and the attribute gyration_radius of /B. With printed states, the attribute post_shift is what their vertical
/// velocity after the impact lacks, m/s. All impacts are scored. With /B/single, only those are that are single and
/// whose second corner lies more than 1 mm up. Throws Error that names the file, the dataset and what would be right.
std::vector<PlanarImpacts> read_planar_impacts(const std::string& path);

/// Velocities after the impacts of one body as a law predicts them, in the order of PlanarImpacts::impacts.
struct PlanarPrediction {
  std::string body;
  std::vector<Vec3> after;
};

/// Writes predictions as HDF5: /B/v_post (n, 3), rows those of the scored impacts, and the attribute `law` of it.
/// Replaces a file of that name. Throws Error if it can't be written.
void write_planar_predictions(const std::string& law, const std::vector<PlanarPrediction>& predictions,
                              const std::string& path);

}  // namespace carom
