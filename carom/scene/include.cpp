#include "carom/scene/include.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "carom/import/mesh_file.h"
#include "carom/scene/fingerprint.h"
#include "carom/scene/scene_text.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;

/// Files in the order in which each includes the next.
using Chain = std::vector<std::string>;

std::string real_path(const std::string& path) {
  std::error_code unused;
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, unused);
  return real.empty() ? path : real.string();
}

/// Joins what a file includes to what it says itself under a key.
void join(YamlNode included, YamlNode& own, const std::string& key = "") {
  if (included.kind == Kind::list && own.kind == Kind::list && holds_parts(key)) {
    included.items.insert(included.items.end(), std::make_move_iterator(own.items.begin()),
                          std::make_move_iterator(own.items.end()));
    own.items = std::move(included.items);
  } else if (included.kind == Kind::map && own.kind == Kind::map) {
    for (std::size_t i = 0; i < included.keys.size(); ++i) {
      const auto same = std::find_if(own.keys.begin(), own.keys.end(),
                                     [&](const YamlNode::Key& key) { return key.text == included.keys[i].text; });
      if (same != own.keys.end()) {
        join(std::move(included.items[i]), own.items[static_cast<std::size_t>(same - own.keys.begin())], same->text);
      } else {
        own.keys.push_back(std::move(included.keys[i]));
        own.items.push_back(std::move(included.items[i]));
      }
    }
  } else if (own.kind == Kind::null) {
    own = std::move(included);
  }
}

std::optional<YamlNode> take(YamlNode& map, const std::string& name) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i].text != name) continue;
    YamlNode node = std::move(map.items[i]);
    map.keys.erase(map.keys.begin() + static_cast<std::ptrdiff_t>(i));
    map.items.erase(map.items.begin() + static_cast<std::ptrdiff_t>(i));
    return node;
  }
  return {};
}

class Includer {
 public:
  explicit Includer(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  std::vector<std::pair<std::string, std::string>> fingerprints;

  void resolve(YamlNode& root, const Chain& chain) {
    const auto include = take(root, "include");
    if (!include) return;
    std::vector<YamlNode> names;
    if (include->kind == Kind::list) {
      names = include->items;
    } else {
      names.push_back(*include);
    }
    YamlNode all;
    all.kind = Kind::map;
    for (const YamlNode& name : names) {
      auto file = read(name, chain);
      if (!file) continue;
      join(std::move(all), *file);
      all = std::move(*file);
    }
    join(std::move(all), root);
  }

 private:
  std::optional<YamlNode> read(const YamlNode& name, const Chain& chain) {
    const auto written = read_text(name, "include", diagnostics_);
    if (!written) return {};
    try {
      const std::string path = resolve_path(*written, diagnostics_.file(name.place), {});
      const std::string real = real_path(path);
      if (std::find(chain.begin(), chain.end(), real) != chain.end()) {
        diagnostics_.add(name.place,
                         in_quotes(*written) + " includes itself, by itself or through others; leave it out");
        return {};
      }
      if (!read_.insert(real).second) return {};
      const std::string text = read_scene_text(path);
      const int number = diagnostics_.add_file(path, text);
      auto tree = parse_yaml(text, diagnostics_, number);
      if (!tree || tree->kind != Kind::map) {
        if (tree || text.empty()) diagnostics_.add(name.place, in_quotes(*written) + " is no map of a scene's keys");
        return {};
      }
      fingerprints.emplace_back(name_from_scene(*written, diagnostics_, name.place), fingerprint(path));
      Chain longer = chain;
      longer.push_back(real);
      resolve(*tree, longer);
      if (const auto version = take(*tree, "carom")) check_version(*version, diagnostics_);
      for (const char* key : {"name", "duration", "record"}) take(*tree, key);
      return tree;
    } catch (const Error& error) {
      diagnostics_.add(name.place, in_quotes(*written) + ": " + error.what());
      return {};
    }
  }

  Diagnostics& diagnostics_;
  std::set<std::string> read_;  // a file that several include counts once
};

}  // namespace

bool holds_parts(const std::string& key) {
  static const std::set<std::string> keys{"materials",   "pairs",   "bodies",     "models",  "joints",
                                          "constraints", "drives",  "wrenches",   "sensors", "shapes",
                                          "groups",      "exclude", "with_parent"};
  return keys.contains(key);
}

void check_version(const YamlNode& version, Diagnostics& diagnostics) {
  const auto number = read_integer(version, "carom", diagnostics);
  if (number && *number != 1) {
    diagnostics.add(version.place, "carom is " + std::to_string(*number) +
                                       ", but this version of Carom reads scene format 1; write carom: 1");
  }
}

std::vector<std::pair<std::string, std::string>> include_files(YamlNode& root, Diagnostics& diagnostics) {
  Includer includer(diagnostics);
  if (peek(root, "include") != nullptr) includer.resolve(root, {real_path(diagnostics.file({}))});
  return std::move(includer.fingerprints);
}

}  // namespace carom
