#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "carom/scene/yaml.h"

namespace carom {

constexpr std::size_t largest_scene_text = 16u << 20;  ///< bytes

/// The text of a scene file. Throws SceneError if there is none, or it is larger than Carom reads (16 MiB). `wanted`
/// says in sentences what the file is to be.
std::string read_scene_text(const std::string& path, const std::string& wanted = "a scene file");

/// "0.12", "20 deg", "20deg" or "30 deg/s" in SI units; nothing if that is no finite number.
std::optional<double> written_number(const std::string& text);

/// The text of a scene, in which numbers can be found and replaced without touching anything else. Comments, order and
/// layout stay, so the file that is changed is the file that is run.
///
/// A *path* says which number it is. It may be the name of a parameter or, if there is none of that name, one of the
/// scene's own keys (`duration`). Or it lists keys from the top with '/' between them. An entry of a list is called by
/// its name or its number from 0. Examples are `bodies/tail/shapes/0/radius`, `joints/left hip/position`,
/// `bodies/ball/position/2`.
class SceneText {
 public:
  /// Throws SceneError if the text is no YAML. `file` names it in sentences.
  SceneText(std::string text, std::string file);

  const std::string& text() const { return text_; }
  const std::string& file() const { return file_; }
  /// The number at a path, as it stands ("30 deg" in rad). Throws Error if the path leads nowhere, or if there is no
  /// number. A formula counts as none. The Error says what is there instead.
  double number(const std::string& path) const;
  /// True if there is a formula at the path. Throws Error if the path leads nowhere.
  bool is_computed(const std::string& path) const;
  /// The text with other numbers at these paths, formulas replaced included. A key that a map of the file lacks is
  /// added to it: `bodies/ball/velocity/2` as `velocity: [0, 0, 3]`. The scene's reader judges whether the map has such
  /// a key. If a replaced formula was the only use of a parameter, that use is kept, in a term that is zero. Throws
  /// Error as `number` does, or if a value is not finite. It also throws if two paths lead to one place, or an alias
  /// shares the value with other places.
  std::string with(const std::vector<std::pair<std::string, double>>& values) const;
  /// A text with other numbers, and its tree.
  struct Changed {
    std::string text;
    /// As parse_yaml makes it of the text; but values after a changed one in its line have the columns that they had.
    /// Null where keys were added.
    std::shared_ptr<const YamlNode> tree;
  };
  /// The text that `with` gives, and its tree without reading it. Throws as `with` does. O(text).
  Changed changed(const std::vector<std::pair<std::string, double>>& values) const;
  /// The text with texts under a key at its top, `KEY: {NAME: "value"}`, beside what is there. Throws Error if a name
  /// is there already, or given twice.
  std::string with_texts(const std::string& key, const std::vector<std::pair<std::string, std::string>>& values) const;
  /// The same for written values. Numbers are as written_number reads them: "20 deg" stays, and the scene's reader
  /// refuses it where no angle belongs. Words, as `method/overlap` has, may stand only where no number stands.
  std::string with_written(const std::vector<std::pair<std::string, std::string>>& values) const;
  /// Numbers of the map `parameters` that are no formulas, by name.
  std::map<std::string, double> plain_parameters() const;

 private:
  struct Edit {
    std::size_t at, length;
    std::string text;
  };
  /// Edits from the text's end to its beginning. Those of values are also by node; not so those that add keys.
  struct Edits {
    std::vector<Edit> list;
    std::map<const YamlNode*, std::string> values;
    bool add = false;
  };
  struct Missing;
  std::vector<std::string> way_along(const std::string& path) const;
  const YamlNode& find(const std::string& path) const;
  std::optional<Missing> missing(const std::string& path) const;
  std::size_t offset(Place place) const;
  void keep_uses(const std::vector<std::pair<const YamlNode*, std::size_t>>& formulas,
                 const std::set<std::pair<int, int>>& replaced, std::vector<Edit>& edits) const;
  Edits edits_for(const std::vector<std::pair<std::string, std::string>>& values) const;
  std::string edited(const Edits& edits) const;
  Edit addition(const YamlNode& map, const std::string& path, const std::string& entry) const;
  void check_one_use(const YamlNode& node, const std::string& path) const;
  std::vector<std::string> losing_their_use(const YamlNode& formula, std::set<std::string>& used) const;
  std::pair<std::size_t, std::size_t> span(const YamlNode& node, const std::string& path) const;

  std::string text_, file_;
  YamlNode root_;
  std::map<std::pair<int, int>, int> uses_;  // of a place, by aliases
};

}  // namespace carom
