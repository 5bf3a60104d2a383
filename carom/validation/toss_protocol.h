#pragma once

#include <vector>

#include "carom/validation/toss_file.h"

// Protocol by which simulated tosses of a cube are judged by measured ones. Only poses are used, at times k / f of
// frames k = 0, 1, …. Recorded velocities are smeared over an impact and are left alone.
//
// Release. In flight a cube, whose inertia is isotropic, keeps its angular velocity, so its pose at t is
//
//   p(t) = p₀ + v t − ½ g t² ẑ,    q(t) = exp(ω t) ⊗ q₀,    p, v, ω in the board frame
//
// A drag d makes it p̈ = −d ṗ − g ẑ. Then v is multiplied by (1 − e^−dt)/d in place of t (`flight_time`). In place of
// ½ t², g is multiplied by (d t − 1 + e^−dt)/d² (`flight_fall`). A body that turns about one axis alone keeps its spin,
// too.
//
// p₀, v solve the linear least-squares problem over the frames in flight with g given. It is the mass centre that flies
// so. If the mass centre is c away from the tracked point in the body, p + R(q) c replaces p. The result is then
// converted to the tracked point. Gauss and Newton's method minimises Σ |log(q_k ⊗ (exp(ω t_k) ⊗ q₀)*)|² over q₀, ω;
// its linear problem has the columns 1 and t again. Flight is the leading frames whose lowest corner lies above the
// board, or those that the record names. Unique with two frames; three are asked for.
//
// Errors of a frame: |p − p_measured| in widths of the cube, and the angle of q ⊗ q_measured*, degrees.
//
// Copies. Some sources hold a toss twice, turned about the vertical and shifted. Equal heights and equal sorted tilts
// (moduli of the board normal's components in the body) betray it.
namespace carom {

/// Premises of the protocol. Defaults: the cube of the tosses of Pfrommer, Halm and Posa (2020).
struct TossProtocol {
  double frame_rate = 148;  ///< f, Hz
  double gravity = 9.613;   ///< g, m/s²: free fall of the tracked cubes at this frame rate
  double half_width =
      0.0524;       ///< m, nominal: decides which frames are in flight, and is half the unit of position errors
  double drag = 0;  ///< d, 1/s
  double corner_radius = 0;   ///< of rounded corners, m
  double floor_height = 0;    ///< of the board at x = 0, m
  double floor_slope = 0;     ///< m of height per m along x
  double still_speed = 0.02;  ///< m/s ⎫ motion from frame to frame below both …
  double still_spin = 0.3;    ///< rad/s ⎭
  int still_frames = 8;       ///< … so many times in a row is rest
  int frames_of_rest = 24;    ///< kept of a record from the beginning of rest
  int signature_frames = 60;  ///< compared to find copies
  double copy_tolerance = 1e-6;
};

/// State at frame 0, board frame, of the tracked point.
struct Release {
  Vec3 position = Vec3::Zero();                       ///< p₀, m
  Quaternion orientation = Quaternion(1.0, 0, 0, 0);  ///< q₀
  Vec3 velocity = Vec3::Zero();                       ///< v, m/s; v_c − ω × R(q₀) c if the mass centre lies at c
  Vec3 angular_velocity = Vec3::Zero();               ///< ω, rad/s
  int frames = 0;                                     ///< in flight, that it was fitted to
  double position_noise = 0;                          ///< rms residual per axis, m
  double rotation_noise = 0;                          ///< the same, rad
};

/// Distance of one pose from another.
struct PoseError {
  double position = 0;  ///< widths of the cube
  double rotation = 0;  ///< degrees
};

/// Distance of a simulated toss from the measured one.
struct TossError {
  PoseError mean;           ///< over all frames
  PoseError end;            ///< of the last frame
  bool right_face = false;  ///< the same face is nearest to the board at the end
};

/// Height of the lowest corner of a sharp cube over z = 0, m.
double lowest_corner(const Pose& pose, double half_width);
/// Height of the lowest point of the protocol's cube, or square, over its board, m.
double clearance(const Pose& pose, const TossProtocol& protocol);

/// Path in a flight of t seconds per unit of the velocity at its start, s.
double flight_time(double t, const TossProtocol& protocol);
/// Fall of what starts at rest, m.
double flight_fall(double t, const TossProtocol& protocol);

/// The record until a while after rest begins; all of it if the cube never rests.
std::vector<Pose> cut_after_rest(const std::vector<Pose>& poses, const TossProtocol& protocol);

/// Indices of the tosses that are no copies of earlier ones, ascending. O(n²) comparisons.
std::vector<int> distinct_tosses(const std::vector<Toss>& tosses, const TossProtocol& protocol);

/// Indices of `count` out of n: floor(n i / count) for i = 0, 1, …. All if n is at most `count`.
std::vector<int> evenly_spaced(int n, int count);

/// Number of leading frames in which no corner is at or below the board.
int frames_in_flight(const std::vector<Pose>& poses, const TossProtocol& protocol);
/// The same of a toss, or the number that its record names.
int frames_in_flight(const Toss& toss, const TossProtocol& protocol);

/// The flight that fits `count` ≥ 3 frames from `first` on best; the state is that at frame `first`. `mass_centre`: c
/// in body axes, m. The protocol of the measurements has it at the tracked point.
Release fit_flight(const std::vector<Pose>& poses, int first, int count, const TossProtocol& protocol,
                   const Vec3& mass_centre = Vec3::Zero());

/// The same of the leading frames in flight. Throws Error if they are fewer than three.
Release fit_release(const Toss& toss, const TossProtocol& protocol, const Vec3& mass_centre = Vec3::Zero());

PoseError pose_error(const Pose& simulated, const Pose& measured, const TossProtocol& protocol);

/// Both with the same number of frames, at least one.
TossError toss_error(const std::vector<Pose>& simulated, const std::vector<Pose>& measured,
                     const TossProtocol& protocol);

}  // namespace carom
