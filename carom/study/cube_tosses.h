#pragma once

#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/stepper/step_report.h"
#include "carom/study/toss_protocol.h"
#include "carom/study/validation.h"

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

/// `count` tosses, evenly spaced over the distinct ones of a file, cut after rest.
std::vector<Toss> choose_tosses(const std::string& path, int count, const TossProtocol& protocol);

/// The cube of the scene thrown as the toss was, from its fitted release to its last frame. The scene's step is
/// shortened so that every frame falls on the end of a step. Throws Error if the scene is not of one free body.
TossRun run_toss(const Scene& scene, const Toss& toss, const TossProtocol& protocol);

/// The nominal protocol with the scene's gravity, so that flight is fitted with the gravity that it is simulated with.
TossProtocol protocol_of(const Scene& scene);

/// Real tosses of a cube (S. Pfrommer, M. Halm and M. Posa, ContactNets, CoRL 2020) beside simulated ones: 20 of the
/// file options.data, thrown in options.scenes/measured_toss.yaml. Writes a page of plots into options.output.
Validation validate_cube_tosses(const ValidationOptions& options);

}  // namespace carom
