#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "carom/scene/scene_text.h"

namespace carom {

/// A scene that is made again for every method. It comes from text, with the file that diagnostics name, or from a
/// scene that exists already.
struct SceneSource {
  std::string text;
  std::string file;
  SceneOverrides overrides;  ///< of the caller; a choice of method is put over its stepper and law
  /// In place of text and file: a program's own (built_scene), or a record's. It must be sound by itself.
  std::shared_ptr<const Scene> built = nullptr;
  /// The tree of the text if it is at hand (SceneText::changed): reading the scene then takes half as long.
  std::shared_ptr<const YamlNode> tree = nullptr;

  /// Throws SceneError if the scene has faults.
  Scene scene() const { return scene(overrides); }
  /// The same with others in place of `overrides`.
  Scene scene(const SceneOverrides& others) const {
    if (built) return with_overrides(*built, others);
    return tree ? parse_scene(text, file, others, *tree) : parse_scene(text, file, others);
  }
};

/// The source that is a scene that a program built, or that of a record.
SceneSource source_of(Scene built);
/// A scene's text with other numbers at some paths. Throws Error as SceneText::with does.
SceneSource source_of(const SceneText& text, const std::vector<std::pair<std::string, double>>& numbers);

/// Words for parts of a method; without a word the scene's own stays.
struct MethodWords {
  std::optional<std::string> stepper, law, dynamics, cone, smooth = {};
};
/// Throws Error that lists the right words.
SceneOverrides overrides_from(const MethodWords& words);

/// A stepper with a law.
struct MethodChoice {
  StepperKind stepper = StepperKind::stewart_trinkle;
  LawKind law = LawKind::none;

  bool operator==(const MethodChoice&) const = default;
  std::string name() const;  ///< "semi-explicit/plus"; of law none the stepper alone
};

/// From "semi-explicit/plus", or "stewart-trinkle" for law none; spaces around it do not matter. Throws Error that
/// lists the right words.
MethodChoice parse_method_choice(const std::string& given, const Catalogue& catalogue = default_catalogue());

/// The scene with the method in place of its own. Throws Error (of a text SceneError) if it makes no sense there.
Scene scene_with(const SceneSource& source, const MethodChoice& choice);

/// A method that is left out, and why.
struct LeftOut {
  MethodChoice choice;
  std::string reason;  ///< a sentence
};

/// Methods of a scene, and those that make no sense there.
struct MethodChoices {
  std::vector<MethodChoice> chosen;
  std::vector<LeftOut> left_out;
};

/// Every stepper of the source's catalogue with every law that says something of its own about the scene. Pairs that
/// the scene refuses are left out. So are laws newton and poisson where nothing rebounds (they are the plastic one
/// then), and the plastic one where something does. Throws SceneError if the scene has faults with any method.
MethodChoices sensible_methods(const SceneSource& source);

}  // namespace carom
