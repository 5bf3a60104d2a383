#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "carom/scene/diagnostics.h"
#include "carom/stepper/controller.h"

namespace carom {

/// A force on a joint's coordinate that is a formula over the joints' coordinates and rates.
struct SceneFeedback {
  std::string name;
  int body = -1;       ///< whose inboard joint it drives, by its number in the scene, then in the model
  int coordinate = 0;  ///< which of its coordinates
  std::string formula;
  double limit = std::numeric_limits<double>::infinity();  ///< of the force either way, N m or N
  Place place;                                             ///< of the formula
};

/// All of them, and the parameters that their formulas may use.
struct FeedbackFormulas {
  std::vector<SceneFeedback> drives;
  std::map<std::string, double> parameters;
};

/// Makes a controller for one simulation.
using ControllerMaker = std::function<Controller()>;

/// Makes controllers that apply these forces; empty if there are none. Each simulation gets one, as a controller keeps
/// memory of its own. A formula may use the record's names of the entries of q and v ("hip", "hip.rate", "ball.x"), t
/// and the parameters. It may also use `joint` and `joint.rate`, the coordinate that it drives and its rate. It is
/// evaluated at the state at the start of a step and acts over the whole step. Unknown names are told.
ControllerMaker read_feedback(const Model& model, const FeedbackFormulas& formulas, Diagnostics& diagnostics);

}  // namespace carom
