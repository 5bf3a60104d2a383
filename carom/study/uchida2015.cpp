#include "carom/study/uchida2015.h"

#include <cmath>
#include <filesystem>

#include "carom/error.h"
#include "carom/study/uchida2015_examples.h"
#include "carom/whole_file.h"

namespace carom {
namespace uchida2015 {

MechanismBlow blow_of(const Scene& scene) {
  MechanismBlow blow(scene.model);
  blow.find(scene.initial.q, scene.initial.v, touching);
  if (blow.contact_count() == 0) throw Error(scene.file + ": nothing touches at the start of this scene");
  return blow;
}

namespace {

void demand_resolved(const ImpactOutcome& outcome) {
  if (outcome.status != ImpactStatus::resolved) throw Error("a blow of uchida2015 was not resolved");
}

}  // namespace

PlusStruck strike(const MechanismBlow& blow, const PlusOptions& options) {
  PlusStruck struck;
  struck.impulse.resize(blow.u().size());
  struck.velocity.resize(blow.u().size());
  PlusLaw law;
  struck.outcome = law.solve(blow.problem(), options, struck.impulse, struck.velocity, &struck.trace);
  demand_resolved(struck.outcome);
  return struck;
}

CompliantStruck strike(const MechanismBlow& blow, const CompliantOptions& options) {
  CompliantStruck struck;
  struck.impulse.resize(blow.u().size());
  struck.velocity.resize(blow.u().size());
  CompliantImpact law;
  const CompliantOutcome outcome = law.solve(blow.problem(), options, struck.impulse, struck.velocity, &struck.trace);
  demand_resolved(outcome);
  struck.outcome = outcome;
  struck.evaluations = outcome.evaluations;
  struck.time = outcome.time;
  return struck;
}

ImpactSurface paper_surface(double restitution, double radius) {
  ImpactSurface surface = elastic_surface(radius, modulus);
  surface.restitution = Restitution(CaptureRestitution{0.01, 0.1, restitution});
  return surface;
}

ImpactSurface elastic_surface(double radius, double modulus) {
  ImpactSurface surface;
  surface.restitution = Restitution(ConstantRestitution{1});
  surface.stiffness = hertz_stiffness(radius, modulus);
  surface.exponent = 1.5;
  return surface;
}

CompliantOptions paper_compliant(double dissipation) {
  CompliantOptions options;
  options.dissipation = dissipation;
  options.transition_speed = compliant_transition;
  options.accuracy = compliant_accuracy;
  return options;
}

CompliantMotion move(const Scene& scene, double friction, double dissipation, double modulus) {
  CompliantMotionOptions options;
  options.surface = elastic_surface(sphere_radius, modulus);
  options.friction = friction;
  options.dissipation = dissipation;
  options.transition_speed = compliant_transition;
  // Some 10⁴ steps: Hertzian blows last in proportion to E^(−2/5).
  options.step = 5e-8 * std::pow(modulus / uchida2015::modulus, -0.4);
  return move_through(scene.model, scene.initial, options);
}

ValidationEntry untold(ValidationEntry entry, const std::string& what) {
  entry.explained = true;
  entry.note = what;
  return entry;
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
