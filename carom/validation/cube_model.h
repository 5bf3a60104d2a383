#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "carom/stepper/method.h"

// The cube of measured tosses as a scene, given by a few numbers. A cube with rounded edges and corners touches a plane
// as eight balls of the corners' radius r do. Their centres lie at ± (h − r) along each axis. Both have the same lowest
// points, h_support(n) = (h − r) |n|₁ + r.
namespace carom {

/// Parameters that may be fitted, in the file's (tracked) lengths.
struct CubeParameters {
  double half_width = 0.05127;     ///< h, m
  double floor = 0;                ///< height of the board, m
  double friction = 0.18;          ///< of what slides, and of impacts unless they have their own
  double impact_friction = -1;     ///< of impacts; −1: the same
  double restitution = 0.125;      ///< at an approach of `fast_approach`
  double slow_restitution = -1;    ///< at and below `slow_approach`, straight between; −1: the same at all speeds
  double corner_radius = 0.001;    ///< r, m
  double inertia = 0.7973;         ///< central moment over m h², equal about all axes
  double mass_centre = 0;          ///< along the body's z from the cube's middle, m
  double friction_slope = 0;       ///< of impact_friction, which then holds at an approach of `fast_approach`, s/m
  double restitution_by_x = 0;     ///< change of restitution per m along the board's x, 0 at its origin, 1/m
  double restitution_by_y = 0;     ///< the same along y
  double spring_restitution = -1;  ///< of a tangential spring in impacts, law lzb; −1: no spring
  double spring_stiffness = 0.82;  ///< of it, over that of the normal

  static constexpr double slow_approach = 0.2, fast_approach = 1.2;  ///< m/s
};

/// One of them: its name and between what values it is sought.
struct CubeParameter {
  std::string name;
  double CubeParameters::*value;
  double lower, upper;
};
/// All there are. Bounds of sizes, floor, friction and restitution are those of
/// the measurements' protocol.
std::span<const CubeParameter> cube_parameters();
/// Throws Error that lists the right ones.
const CubeParameter& cube_parameter(const std::string& name);

/// The release of a scene's cube: an example, or one by parameters that are each linear in `mass_centre` c, x is
/// `x` + `x_by_centre` c. Its orientation and spin are then those of the world, and to be set by their paths.
enum class CubeRelease { example, parameters };
/// Names of the release's parameters: position and velocity of the tracked point.
inline constexpr std::array<const char*, 6> release_quantities{"x", "y", "z", "vx", "vy", "vz"};

/// The scene file of a cube of 0.37 kg with the gravity of the tracked lengths. The `named` ones of its numbers are
/// parameters of the scene. `lines`: a comment for its head, without #.
std::string cube_scene(const CubeParameters& cube, const std::vector<std::string>& named, const Method& method,
                       const std::vector<std::string>& lines, CubeRelease release = CubeRelease::example);

}  // namespace carom
