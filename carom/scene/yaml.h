#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/scene/diagnostics.h"

namespace carom {

/// One value of a YAML text, with the place where it stands. Aliases are written out: the tree owns every value.
struct YamlNode {
  enum class Kind { null, scalar, list, map };
  struct Key {
    std::string text;
    Place place;
  };

  Kind kind = Kind::null;
  Place place;                  ///< of a value left empty: that of its key
  std::string text;             ///< of a scalar
  bool quoted = false;          ///< a scalar written in quotes or as a block: a text, whatever it looks like
  std::vector<Key> keys;        ///< of a map, in the file's order; items holds their values
  std::vector<YamlNode> items;  ///< of a list or a map
};

/// "'its text'", "a list of 3", "a map", "empty": for sentences.
std::string describe(const YamlNode& node);

/// Limits that keep a hostile or mistaken text from exhausting memory or stack.
constexpr int largest_yaml_depth = 64;
constexpr int largest_yaml_size = 1'000'000;  ///< values, aliases written out

/// Reads YAML 1.2 of one document in UTF-8. Faults go to `diagnostics`. The tree is empty if the syntax broke down. If
/// only single keys were at fault, it is present as far as it makes sense (a key given twice keeps its first value).
/// Tags, keys that are not words, several documents and aliases inside their own anchor are refused. `file` is the
/// text's number in `diagnostics`.
std::optional<YamlNode> parse_yaml(const std::string& text, Diagnostics& diagnostics, int file = 0);

}  // namespace carom
