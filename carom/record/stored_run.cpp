#include "carom/record/stored_run.h"

namespace carom::stored {

template <Same<RecordOptions> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [every, contacts, outputs, traces] = part;
  f("every", every);
  f("contacts", contacts);
  f("outputs", outputs);
  f("traces", traces);
}
template <Same<SceneOutput> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, formula, place] = part;
  f("name", name);
  f("formula", formula);
  static_cast<void>(place);  // of the scene's text
}
template <Same<SceneOutputs> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [list, parameters] = part;
  f("list", list);
  f("parameters", parameters);
}
template <Same<SceneFeedback> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [name, body, coordinate, formula, limit, place] = part;
  f("name", name);
  f("body", body);
  f("coordinate", coordinate);
  f("formula", formula);
  f("limit", limit);
  static_cast<void>(place);  // of the scene's text
}
template <Same<FeedbackFormulas> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [drives, parameters] = part;
  f("drives", drives);
  f("parameters", parameters);
}
template <Same<RunChoices> T, class F>
void visit_fields(T& part, F&& f) {
  auto& [record, outputs, feedback, controller_of_program] = part;
  f("record", record);
  f("outputs", outputs);
  f("feedback", feedback);
  f("controller_of_program", controller_of_program);
}

RunChoices run_choices(const Scene& scene) {
  const bool of_program = (scene.feedback && scene.formulas.drives.empty()) || scene.lacks_controller;
  return {scene.record, scene.outputs, scene.formulas, of_program};
}

Tree write_run(const RunChoices& choices) {
  Writer writer;
  return writer.finish(writer.json(choices));
}

RunChoices read_run(const Tree& tree, const std::string& path) {
  RunChoices choices;
  Reader(tree, path + ": the record is damaged: in what its run was asked, ", default_catalogue()).take_all(choices);
  return choices;
}

void give(const RunChoices& choices, const std::string& path, Scene& scene) {
  scene.record = choices.record;
  scene.outputs = choices.outputs;
  scene.formulas = choices.feedback;
  scene.lacks_controller = choices.controller_of_program;
  const Model& model = *scene.model;
  for (const SceneFeedback& drive : scene.formulas.drives) {
    const bool fits = drive.body >= 0 && drive.body < model.body_count() && drive.coordinate >= 0 &&
                      has_scalar_coordinates(model.joints()[drive.body].type) &&
                      drive.coordinate < velocity_size(model.joints()[drive.body]);
    if (!fits) throw Error(path + ": the record is damaged: feedback '" + drive.name + "' acts on no coordinate");
  }
  Diagnostics diagnostics(path, "");
  scene.feedback = read_feedback(model, scene.formulas, diagnostics);
  diagnostics.throw_if_any();
}

}  // namespace carom::stored
