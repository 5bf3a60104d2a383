#include "carom/scene/scene_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "carom/scene/expression.h"
#include "carom/scene/include.h"
#include "carom/scene/parameters.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;

[[noreturn]] void refuse(const std::string& file, const std::string& message) {
  throw SceneError({{file, 0, 0, message}});
}

std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> steps{""};
  for (const char c : path) {
    if (c == '/') {
      steps.emplace_back();
    } else {
      steps.back() += c;
    }
  }
  return steps;
}

std::string name_of(const YamlNode& item) {
  const YamlNode* name = item.kind == Kind::map ? peek(item, "name") : nullptr;
  return name != nullptr ? name->text : "";
}

std::optional<std::size_t> index_in(const std::string& step, std::size_t size) {
  std::size_t index = 0;
  const char* end = step.data() + step.size();
  const auto [stop, error] = std::from_chars(step.data(), end, index);
  if (error != std::errc() || stop != end || index >= size) return {};
  return index;
}

/// The value one step further down, or null; `there` is then what the step could have been.
const YamlNode* go(const YamlNode& from, const std::string& step, std::vector<std::string>& there) {
  there.clear();
  if (from.kind == Kind::map) {
    for (const YamlNode::Key& key : from.keys) there.push_back(key.text);
    return peek(from, step);
  }
  if (from.kind != Kind::list) return nullptr;
  for (const YamlNode& item : from.items) {
    if (!name_of(item).empty() && name_of(item) == step) return &item;
  }
  if (const auto index = index_in(step, from.items.size())) return &from.items[*index];
  for (std::size_t i = 0; i < from.items.size(); ++i) {
    const std::string name = name_of(from.items[i]);
    there.push_back(name.empty() ? std::to_string(i) : name);
  }
  return nullptr;
}

/// Lists of three numbers that a scene may leave out, and what they are then.
struct DefaultVector {
  const char* key;
  std::array<const char*, 3> numbers = {"0", "0", "0"};
};
constexpr std::array default_vectors = {DefaultVector{"position"},
                                        DefaultVector{"velocity"},
                                        DefaultVector{"angular_velocity"},
                                        DefaultVector{"point"},
                                        DefaultVector{"center"},
                                        DefaultVector{"force"},
                                        DefaultVector{"torque"},
                                        DefaultVector{"normal", {"0", "0", "1"}},
                                        DefaultVector{"axis", {"0", "0", "1"}}};

/// An addition to a map: a number or word, or a map or list of more.
struct Addition {
  std::optional<std::string> value;
  std::map<std::string, Addition> parts;
};

/// `{lower: 1}`, `[0, 0, 3]`; nothing where a list would need numbers that are not known.
std::optional<std::string> written(const std::string& key, const Addition& addition) {
  if (addition.value) return addition.value;
  if (index_in(addition.parts.begin()->first, 3)) {
    const auto* known = std::find_if(default_vectors.begin(), default_vectors.end(),
                                     [&](const DefaultVector& vector) { return vector.key == key; });
    if (known == default_vectors.end()) return {};
    std::array<std::string, 3> numbers{known->numbers[0], known->numbers[1], known->numbers[2]};
    for (const auto& [step, part] : addition.parts) {
      const auto index = index_in(step, 3);
      if (!index || !part.value) return {};
      numbers[*index] = *part.value;
    }
    return "[" + numbers[0] + ", " + numbers[1] + ", " + numbers[2] + "]";
  }
  std::string map;
  for (const auto& [step, part] : addition.parts) {
    const auto inside = written(step, part);
    if (!inside) return {};
    map += (map.empty() ? "" : ", ") + step + ": " + *inside;
  }
  return "{" + map + "}";
}

/// Parameters in the formulas of a part of the tree, but for those that are replaced.
void list_used(const YamlNode& node, const std::set<std::pair<int, int>>& replaced, FormulaReader& reader,
               std::set<std::string>& used) {
  for (const YamlNode& item : node.items) list_used(item, replaced, reader, used);
  if (!is_formula(node) || replaced.contains({node.place.line, node.place.column})) return;
  try {
    for (std::string& name : reader.names_in(node.text.substr(1))) used.insert(std::move(name));
  } catch (const ExpressionFault&) {
    // Told where the scene is read.
  }
}

/// A text as YAML's double quotes hold it.
std::string in_double_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// A word as methods and options have: it stands in YAML without quotes.
bool is_word(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), fits);
}

std::vector<std::pair<std::string, std::string>> written_numbers(
    const std::vector<std::pair<std::string, double>>& values, const std::string& file) {
  std::vector<std::pair<std::string, std::string>> written;
  written.reserve(values.size());
  for (const auto& [path, value] : values) {
    if (!std::isfinite(value)) {
      throw Error(file + ": " + in_quotes(path) + " can't become a number that is not finite");
    }
    written.emplace_back(path, number_text(value));
  }
  return written;
}

/// Gives scalars of a copy other texts, without quotes; `values` has them by the nodes of the original.
void put_values(const YamlNode& original, const std::map<const YamlNode*, std::string>& values, YamlNode& copy) {
  const auto value = original.kind == Kind::scalar ? values.find(&original) : values.end();
  if (value != values.end()) {
    copy.text = value->second;
    copy.quoted = false;
  }
  for (std::size_t i = 0; i < copy.items.size(); ++i) put_values(original.items[i], values, copy.items[i]);
}

constexpr const char* not_included =
    "; a path reaches what this file itself says, not the parts that it includes: make the number a parameter there, "
    "and set that";

void count_places(const YamlNode& node, std::map<std::pair<int, int>, int>& uses) {
  if (node.kind == Kind::scalar) ++uses[{node.place.line, node.place.column}];
  for (const YamlNode& item : node.items) count_places(item, uses);
}

}  // namespace

std::optional<double> written_number(const std::string& text) {
  YamlNode node;
  node.kind = Kind::scalar;
  node.text = text;
  Diagnostics diagnostics("", "");
  return read_number(node, "", quantity_of(node, ""), Range::any, diagnostics);
}

std::string read_scene_text(const std::string& path, const std::string& wanted) {
  std::error_code unused;
  if (std::filesystem::is_directory(path, unused)) refuse(path, "this is a folder; give the path of " + wanted);
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse(path, "there is no such file, or it may not be read; give the path of " + wanted);
  std::string text, block(64u << 10, '\0');
  while (stream && text.size() <= largest_scene_text) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
  }
  if (text.starts_with("\x89HDF")) {
    refuse(path, "this is an HDF5 file, as records of runs are; give the path of " + wanted);
  }
  if (stream.bad()) refuse(path, "the file could not be read to its end");
  if (text.size() > largest_scene_text) refuse(path, "the file is larger than 16 MiB; a scene file is not that large");
  return text;
}

SceneText::SceneText(std::string text, std::string file) : text_(std::move(text)), file_(std::move(file)) {
  Diagnostics diagnostics(file_, text_);
  auto root = parse_yaml(text_, diagnostics);
  if (!root && diagnostics.empty()) refuse(file_, "the file is empty; a scene starts with the line 'carom: 1'");
  diagnostics.throw_if_any();
  root_ = std::move(*root);
  count_places(root_, uses_);
}

/// The keys, names and numbers of a path. A single word is a parameter, or else a number among the scene's own keys.
std::vector<std::string> SceneText::way_along(const std::string& path) const {
  std::vector<std::string> steps = steps_of(path);
  if (steps.size() > 1) return steps;
  const YamlNode* parameters = peek(root_, "parameters");
  const YamlNode* own = peek(root_, path);
  const bool is_parameter =
      parameters != nullptr && parameters->kind == Kind::map && peek(*parameters, path) != nullptr;
  const bool is_own = own != nullptr ? own->kind == Kind::scalar : path == "duration";
  if (is_parameter || !is_own) steps.insert(steps.begin(), "parameters");
  return steps;
}

const YamlNode& SceneText::find(const std::string& path) const {
  const YamlNode* node = &root_;
  std::string way;
  std::vector<std::string> there;
  const std::vector<std::string> steps = way_along(path);
  for (const std::string& step : steps) {
    const YamlNode* next = go(*node, step, there);
    if (next == nullptr) {
      const bool parameter = steps[0] == "parameters" && steps.size() == 2;
      const std::string what = parameter     ? "no parameter " + in_quotes(steps[1])
                               : way.empty() ? "nothing at " + in_quotes(step)
                                             : "no " + in_quotes(step) + " in " + in_quotes(way);
      const std::string otherwise = parameter && way.empty() ? "; it has no map 'parameters'"
                                    : there.empty()          ? "; that is a single value"
                                                             : suggestion(step, there, "there are");
      const bool elsewhere = steps[0] != "parameters" && peek(root_, "include") != nullptr;
      throw Error(file_ + ": there is " + what + otherwise + (elsewhere ? not_included : ""));
    }
    way += (way.empty() ? "" : "/") + step;
    node = next;
  }
  if (node->kind == Kind::scalar) return *node;
  throw Error(file_ + ": " + in_quotes(path) + " is " + describe(*node) +
              ", not a number; go on with '/' and a key, a name or a number from 0");
}

double SceneText::number(const std::string& path) const {
  const YamlNode& node = find(path);
  if (is_formula(node)) {
    throw Error(file_ + ": " + in_quotes(path) + " is computed (" + in_quotes(node.text) +
                "); choose what it is computed of, or put a number there");
  }
  Diagnostics diagnostics(file_, text_);
  const Quantity rate_or_angle = node.text.ends_with("deg/s") ? quantity::angular_rate : quantity::angle;
  const auto value = read_number(node, in_quotes(path), rate_or_angle, Range::any, diagnostics);
  diagnostics.throw_if_any();
  return *value;
}

bool SceneText::is_computed(const std::string& path) const { return is_formula(find(path)); }

/// A map of the file, and the steps of a path that it lacks.
struct SceneText::Missing {
  const YamlNode* map;
  std::vector<std::string> steps;
};

/// Nothing where the path leads somewhere, or breaks off elsewhere than in a map.
std::optional<SceneText::Missing> SceneText::missing(const std::string& path) const {
  const std::vector<std::string> steps = way_along(path);
  // A parameter of a file that is included gets its value here.
  if (steps[0] == "parameters" && peek(root_, "include") == nullptr) return {};
  const YamlNode* node = &root_;
  std::vector<std::string> there;
  for (auto step = steps.begin(); step != steps.end(); ++step) {
    const YamlNode* next = go(*node, *step, there);
    if (next == nullptr && node->kind == Kind::map) return Missing{node, {step, steps.end()}};
    if (next == nullptr) return {};
    node = next;
  }
  return {};
}

std::size_t SceneText::offset(Place place) const {
  std::size_t at = 0;
  for (int line = 1; line < place.line; ++line) at = text_.find('\n', at) + 1;
  return at + static_cast<std::size_t>(place.column) - 1;
}

/// Puts "key: value" before the first key of the map.
SceneText::Edit SceneText::addition(const YamlNode& map, const std::string& path, const std::string& entry) const {
  for (const YamlNode& item : map.items) check_one_use(item, path);
  const std::size_t first = offset(map.keys.empty() ? map.place : map.keys.front().place);
  if (map.keys.empty()) {
    if (text_[first] == '{') return {first + 1, 0, entry};
  } else {
    const std::size_t before = first == 0 ? std::string::npos : text_.find_last_not_of(" \t\r\n", first - 1);
    if (before != std::string::npos && text_[before] == '{') return {first, 0, entry + ", "};
    const std::size_t line = first == 0 ? std::string::npos : text_.rfind('\n', first - 1);
    const std::size_t start = line == std::string::npos ? 0 : line + 1;
    const bool indented = text_.find_first_not_of(" -", start) == first;
    if (indented) return {first, 0, entry + "\n" + std::string(first - start, ' ')};
  }
  throw Error(file_ + ": line " + std::to_string(map.place.line) + ": " + in_quotes(path) +
              " can't be added to what stands there; write it into the file");
}

void SceneText::check_one_use(const YamlNode& node, const std::string& path) const {
  if (node.kind != Kind::scalar || uses_.at({node.place.line, node.place.column}) <= 1) return;
  throw Error(file_ + ": line " + std::to_string(node.place.line) + ": aliases (*) share the value of " +
              in_quotes(path) + "; make it a parameter, and write its name with '=' where it stands");
}

/// Parameters that no formula would use any more without this one; they are in `used` then.
std::vector<std::string> SceneText::losing_their_use(const YamlNode& formula, std::set<std::string>& used) const {
  std::vector<std::string> names;
  const YamlNode* map = peek(root_, "parameters");
  if (map == nullptr) return names;
  try {
    for (const std::string& name : names_in(formula.text.substr(1))) {
      if (peek(*map, name) != nullptr && used.insert(name).second) names.push_back(name);
    }
  } catch (const ExpressionFault&) {
    // The formula goes, and its fault with it.
  }
  return names;
}

/// First byte and length of a value's text.
std::pair<std::size_t, std::size_t> SceneText::span(const YamlNode& node, const std::string& path) const {
  const std::size_t at = offset(node.place);
  if (!node.quoted) {
    if (text_.compare(at, node.text.size(), node.text) == 0) return {at, node.text.size()};
  } else if (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) {
    const std::size_t end = text_.find(text_[at], at + 1);
    if (end != std::string::npos && text_.compare(at + 1, end - at - 1, node.text) == 0) return {at, end + 1 - at};
  }
  throw Error(file_ + ": line " + std::to_string(node.place.line) + ": the value of " + in_quotes(path) +
              " is not written in one piece; write it in one line");
}

std::string SceneText::with(const std::vector<std::pair<std::string, double>>& values) const {
  return with_written(written_numbers(values, file_));
}

std::string SceneText::with_written(const std::vector<std::pair<std::string, std::string>>& values) const {
  return edited(edits_for(values));
}

SceneText::Changed SceneText::changed(const std::vector<std::pair<std::string, double>>& values) const {
  const Edits edits = edits_for(written_numbers(values, file_));
  if (edits.add) return {edited(edits), nullptr};
  const auto tree = std::make_shared<YamlNode>(root_);
  put_values(root_, edits.values, *tree);
  return {edited(edits), tree};
}

std::string SceneText::edited(const Edits& edits) const {
  std::string text = text_;
  for (const Edit& edit : edits.list) text.replace(edit.at, edit.length, edit.text);
  return text;
}

/// Gives the edits of formulas the parameters that nothing else uses, in terms that are zero.
void SceneText::keep_uses(const std::vector<std::pair<const YamlNode*, std::size_t>>& formulas,
                          const std::set<std::pair<int, int>>& replaced, std::vector<Edit>& edits) const {
  std::set<std::string> used;
  FormulaReader reader;
  list_used(root_, replaced, reader, used);
  for (const auto& [node, edit] : formulas) {
    for (const std::string& name : losing_their_use(*node, used)) {
      std::string& text = edits[edit].text;
      // A formula knows no units.
      text = (text.starts_with('=') ? text : "=" + number_text(*written_number(text))) + " + 0*" + name;
    }
  }
}

SceneText::Edits SceneText::edits_for(const std::vector<std::pair<std::string, std::string>>& values) const {
  std::vector<Edit> edits;
  std::vector<std::pair<const YamlNode*, std::size_t>> nodes;  // and the number of their edit
  std::set<std::size_t> taken;
  const auto twice = [&](const std::string& path) {
    return Error(file_ + ": " + in_quotes(path) + " is given two values; give it one");
  };
  std::map<std::pair<const YamlNode*, std::string>, std::pair<std::string, Addition>> added;
  std::vector<std::pair<const YamlNode*, std::size_t>> replaced_formulas;  // and the number of their edit
  std::set<std::pair<int, int>> replaced;                                  // places
  for (const auto& [path, value] : values) {
    const bool is_number = written_number(value).has_value();
    if (!is_number && !is_word(value)) {
      throw Error(file_ + ": " + in_quotes(path) + " can't become " + in_quotes(value) +
                  ", which is neither a number nor a word");
    }
    if (const auto lacks = missing(path)) {
      const bool of_list = std::any_of(lacks->steps.begin(), lacks->steps.end() - 1, holds_parts);
      if (of_list && peek(root_, "include") != nullptr) static_cast<void>(find(path));  // which throws
      auto& [whole, addition] = added[{lacks->map, lacks->steps.front()}];
      whole = path;
      Addition* at = &addition;
      for (std::size_t i = 1; i < lacks->steps.size() && !at->value; ++i) at = &at->parts[lacks->steps[i]];
      if (at->value || !at->parts.empty()) throw twice(path);
      at->value = value;
      continue;
    }
    const YamlNode& node = find(path);
    if (!is_number && (is_formula(node) || written_number(node.text))) {
      throw Error(file_ + ": " + in_quotes(path) + " is a number, " + in_quotes(node.text) + ", and can't become " +
                  in_quotes(value));
    }
    if (is_number && !is_formula(node)) static_cast<void>(number(path));
    check_one_use(node, path);
    const auto [at, length] = span(node, path);
    if (!taken.insert(at).second) throw twice(path);
    if (is_formula(node)) replaced_formulas.emplace_back(&node, edits.size());
    replaced.insert({node.place.line, node.place.column});
    nodes.emplace_back(&node, edits.size());
    edits.push_back({at, length, value});
  }
  if (!replaced_formulas.empty()) keep_uses(replaced_formulas, replaced, edits);
  Edits all;
  all.add = !added.empty();
  for (const auto& [node, edit] : nodes) all.values[node] = edits[edit].text;
  for (const auto& [where, what] : added) {
    const auto text = written(where.second, what.second);
    if (!text) static_cast<void>(find(what.first));  // which throws
    edits.push_back(addition(*where.first, what.first, where.second + ": " + *text));
  }
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.at > b.at; });
  all.list = std::move(edits);
  return all;
}

std::string SceneText::with_texts(const std::string& key,
                                  const std::vector<std::pair<std::string, std::string>>& values) const {
  const YamlNode* map = peek(root_, key);
  std::set<std::string> seen;
  std::vector<std::string> entries;
  for (const auto& [name, value] : values) {
    const bool there = map != nullptr && map->kind == Kind::map && peek(*map, name) != nullptr;
    if (there || !seen.insert(name).second) {
      throw Error(file_ + ": there is " + in_quotes(key + "/" + name) + " already; choose another name");
    }
    entries.push_back(name + ": " + in_double_quotes(value));
  }
  std::string text = text_;
  const auto put = [&](const YamlNode& into, const std::string& entry) {
    const Edit edit = addition(into, key, entry);
    text.replace(edit.at, edit.length, edit.text);
  };
  if (map != nullptr) {
    std::reverse(entries.begin(), entries.end());  // each is put before the others
    for (const std::string& entry : entries) put(*map, entry);
    return text;
  }
  std::string all;
  for (const std::string& entry : entries) all += (all.empty() ? "" : ", ") + entry;
  put(root_, key + ": {" + all + "}");
  return text;
}

std::map<std::string, double> SceneText::plain_parameters() const {
  std::map<std::string, double> values;
  const YamlNode* map = peek(root_, "parameters");
  if (map == nullptr || map->kind != Kind::map) return values;
  for (std::size_t i = 0; i < map->keys.size(); ++i) {
    if (!is_formula(map->items[i])) values[map->keys[i].text] = number("parameters/" + map->keys[i].text);
  }
  return values;
}

}  // namespace carom
