#pragma once

#include <vector>

#include "carom/model/drive.h"
#include "carom/scene/constraints.h"
#include "carom/scene/feedback.h"

namespace carom {

/// Content of the keys `drives` and `wrenches`, with the numbers of bodies in SceneBodies.
struct SceneDrives {
  struct Placed {
    Place place;
    Drive drive;
  };
  struct PlacedWrench {
    Place place;
    AppliedWrench wrench;
  };
  std::vector<Placed> drives;
  std::vector<SceneFeedback> feedback;
  std::vector<SceneConstraint> motions;  ///< drives of type motion, which prescribe a coordinate
  std::vector<PlacedWrench> wrenches;
  std::vector<std::pair<std::string, std::string>>
      fingerprints;  ///< of files with motions, by the scene's name for them
};

SceneDrives read_drives(const YamlNode& scene, const SceneBodies& bodies, const SceneJoints& joints,
                        Diagnostics& diagnostics);

}  // namespace carom
