#include "carom/study/study_fields.h"

#include <algorithm>
#include <filesystem>

namespace carom {

std::string beside_study(const std::string& study, const std::string& path) {
  if (std::filesystem::path(path).is_absolute()) return path;
  return (std::filesystem::path(study).parent_path() / path).lexically_normal().string();
}

std::int64_t read_count(const Fields& fields, const std::string& key, int otherwise, int least,
                        Diagnostics& diagnostics) {
  const YamlNode* node = fields.find(key);
  if (node == nullptr) return otherwise;
  const auto count = read_integer(*node, key, diagnostics);
  if (count && *count < least) {
    diagnostics.add(node->place, key + " must be " + std::to_string(least) + " or more, but is " + describe(*node));
  }
  return count.value_or(otherwise);
}

int read_word(const Fields& fields, const std::string& key, const std::vector<std::string>& words,
              Diagnostics& diagnostics) {
  const YamlNode* node = fields.find(key);
  return node == nullptr ? 0 : read_choice(*node, key, words, diagnostics).value_or(0);
}

std::vector<MethodChoice> read_method_choices(const YamlNode& node, Diagnostics& diagnostics) {
  std::vector<MethodChoice> methods;
  for (const YamlNode& item : read_list(node, "methods", "methods, as in semi-explicit/plus", diagnostics)) {
    const auto text = read_text(item, "method", diagnostics);
    if (!text) continue;
    try {
      const MethodChoice choice = parse_method_choice(*text);
      const bool twice = std::find(methods.begin(), methods.end(), choice) != methods.end();
      if (twice) diagnostics.add(item.place, choice.name() + " is there twice");
      methods.push_back(choice);
    } catch (const Error& error) {
      diagnostics.add(item.place, error.what());
    }
  }
  if (node.kind == YamlNode::Kind::list && node.items.empty()) {
    diagnostics.add(node.place, "methods is an empty list");
  }
  return methods;
}

}  // namespace carom
