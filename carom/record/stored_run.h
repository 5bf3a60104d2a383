#pragma once

#include <string>

#include "carom/record/stored_json.h"
#include "carom/scene/scene.h"

// The choices of a run beside its model and method, as data.
namespace carom::stored {

/// Version of what the text holds; another is refused.
inline constexpr std::int64_t run_version = 1;

/// The rest of a scene, neither model nor method nor start: what is recorded, outputs, formulas of feedback.
struct RunChoices {
  RecordOptions record;
  SceneOutputs outputs;
  FeedbackFormulas feedback;
  bool controller_of_program = false;  ///< a controller acted that is no formula: a record can't hold it
};

RunChoices run_choices(const Scene& scene);
Tree write_run(const RunChoices& choices);
/// Throws Error with the place of what is wrong.
RunChoices read_run(const Tree& tree, const std::string& path);
/// Puts them into a scene that has its model.
void give(const RunChoices& choices, const std::string& path, Scene& scene);

}  // namespace carom::stored
