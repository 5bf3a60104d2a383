#include "carom/scene/outputs.h"

#include <algorithm>

#include "carom/scene/expression.h"
#include "carom/scene/parameters.h"
#include "carom/scene/scene_text.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

/// Empty if the word can be the name of an output.
std::string output_name_fault(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool fit = !name.empty() && letter(name[0]) && name.back() != '.' &&
                   std::all_of(name.begin(), name.end(),
                               [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.'; });
  if (!fit) return in_quotes(name) + " is no name for an output; use letters, digits, '_' and '.', a letter first";
  if (name == "t" || name == "time") return in_quotes(name) + " is the time; choose another name for the output";
  return formula_word(name) == FormulaWord::none
             ? ""
             : in_quotes(name) + " is a function or constant of formulas already; choose another name";
}

}  // namespace

SceneOutputs read_outputs(const YamlNode& scene, Diagnostics& diagnostics) {
  SceneOutputs outputs;
  const YamlNode* map = peek(scene, "outputs");
  if (map == nullptr) return outputs;
  if (map->kind != YamlNode::Kind::map) {
    diagnostics.add(
        map->place,
        "outputs must be a map of names and formulas, as in {height: ball.position.z}, but is " + describe(*map));
    return outputs;
  }
  outputs.parameters = parameter_values(scene);
  for (std::size_t i = 0; i < map->keys.size(); ++i) {
    const YamlNode::Key& key = map->keys[i];
    const YamlNode& node = map->items[i];
    if (const std::string fault = output_name_fault(key.text); !fault.empty()) {
      diagnostics.add(key.place, fault);
    } else if (node.kind != YamlNode::Kind::scalar || node.text.find_first_not_of(" =") == std::string::npos) {
      diagnostics.add(node.place, "output " + in_quotes(key.text) +
                                      " must be a formula, as in ball.position.z - 0.1, but is " + describe(node));
    } else {
      outputs.list.push_back({key.text, is_formula(node) ? node.text.substr(1) : node.text, node.place});
    }
  }
  return outputs;
}

std::string with_outputs(const std::string& text, const std::string& file,
                         const std::vector<std::pair<std::string, std::string>>& outputs) {
  for (const auto& [name, formula] : outputs) {
    if (const std::string fault = output_name_fault(name); !fault.empty()) throw Error("--output: " + fault);
  }
  return SceneText(text, file).with_texts("outputs", outputs);
}

}  // namespace carom
