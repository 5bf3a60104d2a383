#include "carom/study/method_choice.h"

#include "carom/error.h"
#include "carom/stepper/method_data.h"

namespace carom {
namespace {

/// Why the law says nothing of its own about the scene; empty if it does.
std::string why_no_news(const Scene& scene) {
  const LawEntry& law = scene.method.law.entry();
  if (law.is_plastic_without_restitution && !scene.has_restitution) {
    return std::string("nothing in the scene has a restitution, and without one it is law ") +
           (go_together(scene.method.stepper, LawKind::none) ? "none" : "plastic");
  }
  if (law.restitution == RestitutionUse::as_0 && scene.has_restitution) {
    return "it would take the scene's restitution as 0";
  }
  if (!law.has_friction) {
    if (impacts_have_friction(*scene.model)) return "it is without friction, and something in the scene has some";
    if (law.restitution == RestitutionUse::as_1 && !impacts_are_elastic(*scene.model)) {
      return "it is elastic, and something in the scene has a restitution below 1";
    }
    if (law.restitution == RestitutionUse::blend && (!scene.has_restitution || impacts_are_elastic(*scene.model))) {
      return std::string("at the scene's restitution it is law ") + (scene.has_restitution ? "propagative" : "plastic");
    }
  }
  return {};
}

/// The first fault of a scene, as one sentence.
std::string first_fault(const Error& error) {
  const auto* of_text = dynamic_cast<const SceneError*>(&error);
  return of_text == nullptr || of_text->diagnostics().empty() ? error.what() : of_text->diagnostics().front().message;
}

}  // namespace

SceneOverrides overrides_from(const MethodWords& words) {
  SceneOverrides overrides;
  if (words.stepper) overrides.stepper = parse_stepper(*words.stepper);
  if (words.law) overrides.law = parse_law(*words.law);
  if (words.dynamics) overrides.dynamics = parse_dynamics(*words.dynamics);
  if (words.cone) overrides.cone = parse_cone(*words.cone);
  if (words.smooth) overrides.smooth = parse_smooth(*words.smooth);
  return overrides;
}

std::string MethodChoice::name() const {
  return law == LawKind::none ? stepper_name(stepper) : stepper_name(stepper) + "/" + law_name(law);
}

MethodChoice parse_method_choice(const std::string& given, const Catalogue& catalogue) {
  const std::size_t first = given.find_first_not_of(' '), last = given.find_last_not_of(' ');
  if (first == std::string::npos) throw Error("a method is STEPPER/LAW, as in semi-explicit/plus; this one is empty");
  const std::string text = given.substr(first, last - first + 1);
  const std::size_t slash = text.find('/');
  MethodChoice choice;
  choice.stepper = catalogue.stepper(text.substr(0, slash));
  if (slash != std::string::npos) choice.law = catalogue.law(text.substr(slash + 1));
  return choice;
}

Scene scene_with(const SceneSource& source, const MethodChoice& choice) {
  SceneOverrides overrides = source.overrides;
  overrides.stepper = choice.stepper;
  overrides.law = choice.law;
  return source.scene(overrides);
}

SceneSource source_of(Scene built) {
  SceneSource source;
  source.file = built.file;
  source.overrides.catalogue = built.catalogue;
  source.built = std::make_shared<const Scene>(std::move(built));
  return source;
}

SceneSource source_of(const SceneText& text, const std::vector<std::pair<std::string, double>>& numbers) {
  SceneText::Changed changed = text.changed(numbers);
  SceneSource source;
  source.text = std::move(changed.text);
  source.file = text.file();
  source.tree = std::move(changed.tree);
  return source;
}

MethodChoices sensible_methods(const SceneSource& source) {
  (void)source.scene();  // faults of the scene itself do not depend on the method
  MethodChoices choices;
  for (const StepperKind stepper : source.overrides.catalogue->steppers) {
    for (const LawKind law : source.overrides.catalogue->laws) {
      if (!go_together(stepper, law)) continue;  // not reported in every comparison
      const MethodChoice choice{stepper, law};
      try {
        const std::string reason = why_no_news(scene_with(source, choice));
        if (reason.empty()) {
          choices.chosen.push_back(choice);
        } else {
          choices.left_out.push_back({choice, reason});
        }
      } catch (const Error& error) {
        choices.left_out.push_back({choice, first_fault(error)});
      }
    }
  }
  return choices;
}

}  // namespace carom
