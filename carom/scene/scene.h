#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/model/state.h"
#include "carom/scene/outputs.h"
#include "carom/stepper/controller.h"
#include "carom/stepper/method.h"

namespace carom {

/// What a run writes down.
struct RecordOptions {
  int every = 1;         ///< a frame of the state every so many steps
  bool contacts = true;  ///< contacts and impulses of the recorded steps
  bool outputs = true;   ///< world poses, velocities, mass centres, loads of colliders and joints (columns: least: not)
  bool traces = false;   ///< what law plus did in every impact, interval by interval
};

/// All that a run needs, as read from a scene file.
struct Scene {
  std::string name;
  std::string file;  ///< where it was read from
  std::string text;  ///< the file itself: a record carries it
  std::shared_ptr<const Model> model;
  State initial;
  Method method;
  double duration = 0;  ///< s
  RecordOptions record;
  SceneOutputs outputs;  ///< formulas; whether their names are those of the record's columns is not checked yet
  std::function<Controller()> feedback;  ///< makes the controller of drives of type feedback; empty if there are none
  const Catalogue* catalogue = &default_catalogue();  ///< that its stepper and law are of
  bool has_restitution = false;                       ///< something in it rebounds: a material, a joint's limit, a rope
  std::vector<std::string> warnings;  ///< what of the file an override leaves without effect, a sentence each

  /// Steps in the duration: the nearest whole number.
  std::int64_t steps() const;
  /// For Simulation::set_controller: what the drives of type feedback do, of one simulation. Empty if there are none.
  Controller controller() const { return feedback ? feedback() : Controller(); }
};

/// What a caller asks for in place of what the file says, and what the file may choose from. The scene is checked with
/// these in force.
struct SceneOverrides {
  std::optional<StepperKind> stepper;
  std::optional<LawKind> law;
  std::optional<DynamicsKind> dynamics;
  std::optional<FrictionCone> cone;
  std::optional<double> step;                         ///< s
  std::optional<double> duration;                     ///< s
  const Catalogue* catalogue = &default_catalogue();  ///< steppers and laws that the file may name
};

/// Reads a scene file (format: docs/manual/scene-format.md). Throws SceneError with all faults in it, sorted by line.
Scene load_scene(const std::string& path, const SceneOverrides& overrides = {});
/// The same from text; `file` names it in diagnostics.
Scene parse_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides = {});

}  // namespace carom
