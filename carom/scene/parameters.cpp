#include "carom/scene/parameters.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/scene/expression.h"
#include "carom/scene/named_formula.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;

class Parameters {
 public:
  Parameters(const YamlNode* map, Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    if (map == nullptr) return;
    if (map->kind != Kind::map) {
      diagnostics_.add(map->place,
                       "parameters must be a map of names and numbers, as in {radius: 0.1}, but is " + describe(*map));
      return;
    }
    for (std::size_t i = 0; i < map->keys.size(); ++i) {
      const YamlNode::Key& key = map->keys[i];
      if (const std::string fault = name_fault(key.text); !fault.empty()) diagnostics_.add(key.place, fault);
      entries_[key.text] = {.key = &key, .node = &map->items[i], .needs = {}};
    }
    for (const auto& [name, entry] : entries_) compute(name);
  }

  /// Numbers for the formulas in a part of the tree.
  void replace(YamlNode& node) {
    for (YamlNode& item : node.items) replace(item);
    if (!is_formula(node)) return;
    const std::optional<double> value = value_of(node);
    if (!value) return;
    node.text = number_text(*value);
    node.quoted = false;
  }

  /// Parameters in a part of the tree that is not computed here count as used.
  void note_uses(const YamlNode& node) {
    for (const YamlNode& item : node.items) note_uses(item);
    if (node.kind != Kind::scalar) return;
    for (const std::string& word : plain_words(node.text)) {
      if (entries_.contains(word)) used_.insert(word);
    }
  }

  /// Numbers in place of what the map says.
  void write_values(YamlNode& map) const {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
      const auto value = values_.find(map.keys[i].text);
      if (value == values_.end()) continue;
      map.items[i].text = number_text(value->second);
      map.items[i].quoted = false;
    }
  }

  bool complete() const { return complete_; }

  /// A file that is included may give more than this scene uses. Not to be asked for if a formula could not be read: it
  /// may be the one that uses them.
  void tell_unused() {
    for (const auto& [name, entry] : entries_) {
      if (used_.contains(name) || entry.key->place.file > 0) continue;
      diagnostics_.add(entry.key->place, "nothing uses the parameter " + in_quotes(name) + "; write '=" + name +
                                             "' where its number stands, or remove it");
    }
  }

 private:
  enum class State { untouched, open, done };
  struct Entry {
    const YamlNode::Key* key = nullptr;
    const YamlNode* node = nullptr;
    std::vector<std::string> needs;  ///< parameters in its formula
    std::size_t next = 0;            ///< of these, the first that was not looked at
    std::size_t depth = 0;           ///< in open_
    State state = State::untouched;
  };

  /// Gives values to all parameters that this one needs, and then to this one. It keeps a list of its own instead of
  /// calling itself, as chains may be as long as a file.
  void compute(const std::string& name) {
    if (entries_.at(name).state != State::untouched) return;
    open(name);
    while (!open_.empty()) {
      const std::string top = open_.back();
      Entry& entry = entries_.at(top);
      if (entry.next == entry.needs.size()) {
        close(top, entry);
        open_.pop_back();
        continue;
      }
      const std::string& need = entry.needs[entry.next++];
      const Entry& below = entries_.at(need);
      if (below.state == State::open) tell_circle(need, below);
      if (below.state == State::untouched) open(need);
    }
  }

  void open(const std::string& name) {
    Entry& entry = entries_.at(name);
    entry.state = State::open;
    entry.depth = open_.size();
    if (is_formula(*entry.node)) entry.needs = parameters_in(*entry.node);
    open_.push_back(name);
  }

  /// The value of a parameter whose needs are known goes into values_, or its fault is told.
  void close(const std::string& name, Entry& entry) {
    const std::optional<double> value =
        is_formula(*entry.node) ? value_of(*entry.node)
                                : read_number(*entry.node, "parameter " + name,
                                              quantity_of(*entry.node, "in SI units, or a formula as in =2*radius"),
                                              Range::any, diagnostics_);
    if (value) values_[name] = *value;
    entry.state = State::done;
  }

  /// None of a formula that can't be read, which value_of tells.
  std::vector<std::string> parameters_in(const YamlNode& node) {
    try {
      std::vector<std::string> names = reader_.names_in(node.text.substr(1));
      std::erase_if(names, [this](const std::string& name) { return !entries_.contains(name); });
      return names;
    } catch (const ExpressionFault&) {
      return {};
    }
  }

  /// Value of a formula whose parameters were looked at.
  std::optional<double> value_of(const YamlNode& node) {
    const std::string formula = node.text.substr(1);
    try {
      bool known = true, all_parameters = true;
      std::map<std::string, double> values;
      for (const std::string& name : reader_.names_in(formula)) {
        if (!entries_.contains(name)) {
          all_parameters = false;
          continue;
        }
        used_.insert(name);
        const auto value = values_.find(name);
        known = known && value != values_.end();
        if (known) values.insert(*value);
      }
      if (known) return reader_.evaluate(formula, all_parameters ? values : all_names());
      // The fault is that parameter's, and told.
    } catch (const ExpressionFault& fault) {
      Place place = node.place;
      if (fault.offset >= 0) place.column += fault.offset + (node.quoted ? 2 : 1);
      diagnostics_.add(place, fault.message);
    }
    complete_ = false;
    return {};
  }

  /// For a sentence about an unknown name: what could have been meant, parameters without a value included.
  const std::map<std::string, double>& all_names() {
    if (names_.empty()) {
      for (const auto& [name, entry] : entries_) names_.emplace(name, 0);
    }
    return names_;
  }

  void tell_circle(const std::string& name, const Entry& entry) {
    constexpr std::size_t most_listed = 20;
    std::string way;
    for (std::size_t i = entry.depth; i < open_.size(); ++i) {
      if (i >= entry.depth + most_listed && i + 1 < open_.size()) {
        way += "… -> ";
        i = open_.size() - 1;
      }
      way += open_[i] + " -> ";
    }
    diagnostics_.add(entry.key->place,
                     "the parameters " + way + name + " depend on each other in a circle; give one of them a number");
  }

  Diagnostics& diagnostics_;
  FormulaReader reader_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, double> values_, names_;
  std::set<std::string> used_;
  std::vector<std::string> open_;
  bool complete_ = true;
};

void replace_in_drive(YamlNode& drive, Parameters& parameters) {
  const YamlNode* type = drive.kind == Kind::map ? peek(drive, "type") : nullptr;
  const bool feedback = type != nullptr && type->text == "feedback";
  for (std::size_t i = 0; i < drive.items.size(); ++i) {
    const bool stays = feedback && i < drive.keys.size() && drive.keys[i].text == "force";
    stays ? parameters.note_uses(drive.items[i]) : parameters.replace(drive.items[i]);
  }
}

}  // namespace

bool is_formula(const YamlNode& node) { return node.kind == Kind::scalar && node.text.starts_with('='); }

bool resolve_parameters(YamlNode& root, Diagnostics& diagnostics) {
  const YamlNode* map = peek(root, "parameters");
  Parameters parameters(map, diagnostics);
  for (std::size_t i = 0; i < root.items.size(); ++i) {
    YamlNode& item = root.items[i];
    const std::string key = i < root.keys.size() ? root.keys[i].text : "";
    if (&item == map) continue;
    if (key == "outputs") {
      parameters.note_uses(item);
    } else if (key == "drives") {
      for (YamlNode& drive : item.items) replace_in_drive(drive, parameters);
    } else {
      parameters.replace(item);
    }
  }
  if (parameters.complete()) parameters.tell_unused();
  if (map != nullptr) parameters.write_values(root.items[static_cast<std::size_t>(map - root.items.data())]);
  return parameters.complete();
}

std::map<std::string, double> parameter_values(const YamlNode& root) {
  std::map<std::string, double> values;
  const YamlNode* map = peek(root, "parameters");
  if (map == nullptr) return values;
  for (std::size_t i = 0; i < map->keys.size(); ++i) {
    values[map->keys[i].text] = std::strtod(map->items[i].text.c_str(), nullptr);
  }
  return values;
}

}  // namespace carom
