#include <cmath>

#include "carom/scene/scene.h"
#include "carom/stepper/method_data.h"
#include "carom/stepper/simulation.h"

namespace carom {
namespace {

/// A simulation of it that can be made makes sense.
void check(const Scene& scene) {
  if (!scene.model) throw Error("a scene needs a model; it has none");
  if (!(std::isfinite(scene.duration) && scene.duration >= 0)) {
    throw Error("the duration of a run must be a number of seconds, finite and not negative");
  }
  static_cast<void>(Simulation(scene.model, scene.method, scene.initial, *scene.catalogue));
}

}  // namespace

Controller Scene::controller() const {
  if (feedback) return feedback();
  if (!lacks_controller) return {};
  throw Error(
      "a controller of the program that made this record acted in the run, and a record can't hold one; go on from "
      "such a "
      "program, with the controller as Scene::feedback");
}

Scene built_scene(std::string name, std::shared_ptr<const Model> model, const Method& method, State initial,
                  double duration, const Catalogue& catalogue) {
  Scene scene;
  scene.name = std::move(name);
  scene.model = std::move(model);
  scene.initial = std::move(initial);
  scene.method = method;
  scene.duration = duration;
  scene.catalogue = &catalogue;
  check(scene);
  scene.has_restitution = may_rebound(*scene.model);
  scene.warnings = method_data_warnings(*scene.model, method);
  return scene;
}

Scene with_overrides(Scene scene, const SceneOverrides& overrides) {
  Method& method = scene.method;
  scene.catalogue = overrides.catalogue;
  if (overrides.stepper) method.stepper = *overrides.stepper;
  if (overrides.law) method.law = *overrides.law;
  if (overrides.dynamics) method.dynamics = *overrides.dynamics;
  if (overrides.cone) method.cone = *overrides.cone;
  if (overrides.smooth) method.smooth = *overrides.smooth;
  if (overrides.contact_tolerance) method.contact_tolerance = *overrides.contact_tolerance;
  if (overrides.step) method.step = *overrides.step;
  if (overrides.accuracy) method.accuracy = *overrides.accuracy;
  if (overrides.duration) scene.duration = *overrides.duration;
  check(scene);
  scene.warnings = method_data_warnings(*scene.model, method);
  return scene;
}

}  // namespace carom
