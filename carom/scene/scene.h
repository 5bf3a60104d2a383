#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/model/appearance.h"
#include "carom/model/model.h"
#include "carom/model/state.h"
#include "carom/scene/feedback.h"
#include "carom/scene/outputs.h"
#include "carom/stepper/method.h"

namespace carom {

struct ReadModel;
struct YamlNode;

/// Choice of what a run writes down.
struct RecordOptions {
  int every = 1;         ///< a frame of the state every so many steps
  bool contacts = true;  ///< contacts and impulses of the recorded steps
  bool outputs = true;   ///< world poses, velocities, mass centres, loads of colliders and joints (columns: least: not)
  bool traces = false;   ///< what law plus did in every impact, interval by interval
};

/// All that a run needs: read from a scene file, or put together by a program (built_scene).
struct Scene {
  std::string name;
  std::string file;  ///< where it was read from; empty if a program built the model
  std::string text;  ///< the file itself, which a record carries to say where the model comes from; empty likewise
  std::shared_ptr<const Model> model;
  State initial;
  Method method;
  double duration = 0;  ///< s
  RecordOptions record;
  SceneOutputs outputs;  ///< formulas; whether their names are those of the record's columns is not checked yet
  /// Makes the controller of a simulation: of drives of type feedback, or a program's own. Empty if there is none.
  ControllerMaker feedback;
  FeedbackFormulas formulas;  ///< that feedback is made of; empty if it is a program's own, which no record can keep
  bool lacks_controller = false;  ///< of a record: a program's controller acted, which is to be given as `feedback`
  const Catalogue* catalogue = &default_catalogue();  ///< that its stepper and law are of
  bool has_restitution = false;                       ///< something in it rebounds: a material, a joint's limit, a rope
  std::vector<std::string> warnings;  ///< what of the file an override leaves without effect, a sentence each
  Appearance appearance;              ///< drawn beside the colliders: of model files, whose meshes are not opened here

  /// Steps in the duration: the nearest whole number.
  std::int64_t steps() const;
  /// For Simulation::set_controller: a controller of one simulation. Empty if there is none. Throws Error if one is
  /// lacking.
  Controller controller() const;
};

/// Values that a caller asks for in place of the file's, and what the file may choose from. The scene is checked with
/// these in force.
struct SceneOverrides {
  std::optional<StepperKind> stepper;
  std::optional<LawKind> law;
  std::optional<DynamicsKind> dynamics;
  std::optional<FrictionCone> cone;
  std::optional<SmoothParts> smooth = {};
  std::optional<double> step;                         ///< s
  std::optional<double> accuracy;                     ///< Method's
  std::optional<double> contact_tolerance;            ///< Method's
  std::optional<double> duration;                     ///< s
  const Catalogue* catalogue = &default_catalogue();  ///< steppers and laws that the file may name
  std::shared_ptr<const ReadModel> read_before = {};  ///< a model file that is at hand, if the scene names it
};

/// The scene of a model that a program built, to be recorded, compared and gone on with like one from a file. The
/// `name` is the title of its pages. Throws Error if the method makes no sense, with the model or without. Throws Error
/// if the state does not fit the model.
Scene built_scene(std::string name, std::shared_ptr<const Model> model, const Method& method, State initial,
                  double duration, const Catalogue& catalogue = default_catalogue());

/// A scene with other choices of method, and another duration, in place of its own. It needs no file, so it works for
/// scenes of a program and of records. Throws Error as built_scene does.
Scene with_overrides(Scene scene, const SceneOverrides& overrides);

/// Reads a scene file (format: docs/manual/scene-format.md). Throws SceneError with all faults in it, sorted by line.
Scene load_scene(const std::string& path, const SceneOverrides& overrides = {});
/// The same from text; `file` names it in diagnostics.
Scene parse_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides = {});
/// The same with the text's tree, as SceneText::changed gives it: of a text that differs by numbers from one that was
/// read before. The text itself is read only if the scene has faults, to place them. Faults of outputs that are found
/// later (OutputFormulas) may name a column that is a few characters off.
Scene parse_scene(const std::string& text, const std::string& file, const SceneOverrides& overrides,
                  const YamlNode& tree);

}  // namespace carom
