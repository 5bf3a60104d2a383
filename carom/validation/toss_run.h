#pragma once

#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"
#include "carom/validation/toss_protocol.h"

namespace carom {

/// A measured toss beside the simulated one.
struct TossRun {
  Toss measured;  ///< cut after rest
  Release release;
  double step = 0;              ///< of the simulation, s
  std::vector<Pose> simulated;  ///< of the same frames
  TossError error;
  TossError frozen;  ///< error of a cube that flies as released and stops dead where it touches the board
  RunCertificate certificate;
  double energy_gain = 0;  ///< largest rise of kinetic and potential energy over that at release, J; 0 if none
};

/// A throw of the cube.
struct Throw {
  double step = 0;          ///< s
  std::vector<Pose> poses;  ///< of the tracked point, frame by frame
  RunCertificate certificate;
  double energy_gain = 0;  ///< as of TossRun
};

/// The release of a toss with the scene's centre of mass.
Release release_of(const Scene& scene, const Toss& toss, const TossProtocol& protocol);

/// The cube of the scene thrown for so many frames; its body's origin is the tracked point. The scene's step is
/// shortened so that every frame falls on the end of a step. No more steps are taken once the cube lies still. In a
/// scene of the xz plane the release's y and its turns about other axes are left out. Throws Error if the scene is not
/// of one body that is free, or free in that plane.
Throw throw_cube(const Scene& scene, const Release& release, std::size_t frames, const TossProtocol& protocol);

/// Judges a throw of as many frames as were measured, or more. The release is left open.
TossRun judge_throw(Throw thrown, const Toss& toss, const TossProtocol& protocol);

/// The cube of the scene thrown as the toss was, from its fitted release to its last frame, and how far off it is.
TossRun run_toss(const Scene& scene, const Toss& toss, const TossProtocol& protocol);

/// The release's own flight, frozen at the first frame in which a corner is at or below the board. The mass centre is
/// the tracked point.
std::vector<Pose> fly_and_freeze(const Release& release, std::size_t frames, const TossProtocol& protocol);

/// The nominal protocol with the scene's gravity, so that flight is fitted with the gravity that it is simulated with.
TossProtocol protocol_of(const Scene& scene);

}  // namespace carom
