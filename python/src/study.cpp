#include "study.h"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "carom/record/record.h"

namespace carom::python {

SceneSource study_source(const SceneOrPath& scene, const SceneSettings& settings) {
  const auto* path = std::get_if<std::string>(&scene);
  const bool is_record = path != nullptr && std::filesystem::path(*path).extension() == ".h5";
  if (path != nullptr && !is_record) return scene_source(*path, settings);
  if (has_file_settings(settings)) {
    throw Error(
        "parameters, and the settings of model files, are for the path of a scene or a model; a Scene and a record "
        "take "
        "stepper, law, dynamics, cone, smooth, step and duration");
  }
  SceneSource source = source_of(is_record ? read_record(*path).scene : std::get<Scene>(scene));
  if (is_record && source.file.empty()) source.file = *path;  // for pages
  source.overrides = overrides_of(settings);
  source.overrides.catalogue = source.built->catalogue;
  return source;
}

std::string as_keywords(std::string sentence) {
  std::string text;
  const std::regex option("--([a-z][a-z-]*)");
  auto from = sentence.cbegin();
  for (std::sregex_iterator found(sentence.begin(), sentence.end(), option), none; found != none; ++found) {
    text.append(from, sentence.cbegin() + found->position());
    std::string name = (*found)[1].str();
    std::replace(name.begin(), name.end(), '-', '_');
    text += name;
    from = sentence.cbegin() + found->position() + found->length();
  }
  return text.append(from, sentence.cend());
}

std::string paragraphs(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& paragraph : words) text += (text.empty() ? "" : "\n\n") + paragraph;
  return text;
}

std::vector<MethodChoice> method_choices(const std::vector<std::string>& names) {
  std::vector<MethodChoice> choices;
  for (const std::string& name : names) choices.push_back(parse_method_choice(name));
  return choices;
}

}  // namespace carom::python
