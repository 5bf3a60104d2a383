#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/scene/diagnostics.h"
#include "carom/scene/yaml.h"

namespace carom {

/// A number that a scene asks to have recorded: a formula over the columns of its record. The reader of the scene does
/// not know these columns yet.
struct SceneOutput {
  std::string name;
  std::string formula;
  Place place;  ///< of the formula, in the scene's text
};

struct SceneOutputs {
  std::vector<SceneOutput> list;
  std::map<std::string, double> parameters;  ///< that the formulas may use
};

/// Reads the key `outputs` of a scene whose parameters are resolved.
SceneOutputs read_outputs(const YamlNode& scene, Diagnostics& diagnostics);

/// The text of a scene with more outputs, before those that it has. Throws Error if it has one of these names, or is
/// written in a way that nothing can be added to.
std::string with_outputs(const std::string& text, const std::string& file,
                         const std::vector<std::pair<std::string, std::string>>& outputs);

}  // namespace carom
