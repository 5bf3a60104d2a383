#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "carom/dynamics/body_motion.h"
#include "carom/record/record.h"
#include "carom/scene/scene.h"

namespace carom {

/// Who touches whom: two bodies, the lower first, −1 the world; or a body twice for a limit of its joint.
using BodyPair = std::array<int, 2>;

/// Impulses that two bodies gave one another from the scene's start until each of the samples.
struct PairImpulse {
  std::vector<double> normal;  ///< sum of the normal impulses of all their contacts, N s (of a joint's limit N m s)
  std::vector<Vec3> world;     ///< sum of the impulses on the second body of the pair, world axes, N s; of a limit the
                               ///< third component alone
};

/// An impact or a touch that begins.
struct Strike {
  double time = 0;  ///< s
  BodyPair pair{-1, -1};
};

/// A run as far as methods can be compared in it: at instants that all of them share.
struct SampledRun {
  Method method;
  std::vector<double> times;                    ///< s, from the scene's start
  std::vector<std::vector<BodyMotion>> bodies;  ///< at each of them, one entry per body
  std::vector<double> energy;                   ///< kinetic and potential, J
  std::map<BodyPair, PairImpulse> impulses;     ///< of pairs that ever touched
  std::vector<Strike> strikes;                  ///< in their order
  RunCertificate certificate;
  double seconds = 0;   ///< wall clock, of the steps alone
  std::string trouble;  ///< why it ended before its time, a sentence; empty if it did not
};

/// Sum of the normal impulses of all contacts until a sample, N s; without those of joints' limits, which are N m s.
double contact_impulse(const SampledRun& run, std::size_t sample);

/// Options of sampling a run.
struct Sampling {
  int every = 1;                    ///< a sample after so many steps, and after the last
  double budget = 10;               ///< seconds of wall clock after which it is given up
  RecordWriter* record = nullptr;   ///< records every step as well
  std::function<bool()> stop = {};  ///< polled, within steps too; if true, the run throws Stopped
};

/// Runs the scene from its start to its end, to the budget, or to the step that leaves no numbers. Throws Error as
/// Simulation does.
SampledRun sample_run(const Scene& scene, const Sampling& sampling);

}  // namespace carom
