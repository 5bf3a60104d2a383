#include "carom/validation/uchida2015.h"

#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/scene/scene_text.h"
#include "carom/validation/uchida2015_examples.h"
#include "carom/whole_file.h"

namespace carom {
namespace uchida2015 {

MechanismImpact impact_of(const Scene& scene) {
  MechanismImpact impact(scene.model);
  impact.find(scene.initial.q, scene.initial.v, touching);
  if (impact.contact_count() == 0) throw Error(scene.file + ": nothing touches at the start of this scene");
  return impact;
}

namespace {

void demand_resolved(const ImpactOutcome& outcome) {
  if (outcome.status != ImpactStatus::resolved) throw Error("an impact of uchida2015 was not resolved");
}

}  // namespace

PlusStruck strike(const MechanismImpact& impact, const PlusOptions& options) {
  PlusStruck struck;
  struck.impulse.resize(impact.u().size());
  struck.velocity.resize(impact.u().size());
  PlusLaw law;
  struck.outcome = law.solve(impact.problem(), options, struck.impulse, struck.velocity, &struck.trace);
  demand_resolved(struck.outcome);
  return struck;
}

CompliantStruck strike(const MechanismImpact& impact, const CompliantOptions& options) {
  CompliantStruck struck;
  struck.impulse.resize(impact.u().size());
  struck.velocity.resize(impact.u().size());
  CompliantImpact law;
  const CompliantOutcome outcome = law.solve(impact.problem(), options, struck.impulse, struck.velocity, &struck.trace);
  demand_resolved(outcome);
  struck.outcome = outcome;
  struck.evaluations = outcome.evaluations;
  struck.time = outcome.time;
  return struck;
}

Scene scene_of(const ValidationOptions& options, const std::string& name,
               const std::vector<std::pair<std::string, double>>& values) {
  const std::string path = options.scenes + "/uchida2015/" + name + ".yaml";
  return parse_scene(SceneText(read_scene_text(path), path).with(values), path);
}

CompliantOptions paper_compliant(const MechanismImpact& impact) {
  CompliantOptions options;
  options.dissipation = impact.contact(0).surface.dissipation;
  options.transition_speed = compliant_transition;
  options.accuracy = compliant_accuracy;
  return options;
}

CompliantMotion move(const Scene& scene) {
  const MechanismImpact impact = impact_of(scene);
  const ContactMaterial& material = impact.contact(0).surface;
  CompliantMotionOptions options;
  options.surface = impact.problem().surfaces[0];
  options.friction = material.friction.x();
  options.dissipation = material.dissipation;
  options.transition_speed = compliant_transition;
  // Some 10⁴ steps: Hertzian impacts last in proportion to E^(−2/5).
  options.step = 5e-8 * std::pow(material.modulus / 10e9, -0.4);
  return move_through(scene.model, scene.initial, options);
}

void CurveFile::write(const ValidationOptions& options, const std::string& name, Validation& validation) const {
  if (options.output.empty()) return;
  const std::filesystem::path folder = options.output;
  std::error_code exists;
  std::filesystem::create_directories(folder, exists);  // the file's own error says what went wrong
  const std::string path = (folder / name).string();
  write_whole_file(path, text_, "the curves");
  validation.files.push_back(path);
}

}  // namespace uchida2015

Validation validate_uchida2015(const ValidationOptions& options) {
  Validation validation;
  validation.name = uchida2015::source;
  for (const auto part : {uchida2015::validate_one_sphere, uchida2015::validate_keller, uchida2015::validate_brick,
                          uchida2015::validate_balls, uchida2015::validate_pendulum}) {
    part(options, validation);
  }
  return validation;
}

}  // namespace carom
