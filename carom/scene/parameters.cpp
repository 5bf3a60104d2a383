#include "carom/scene/parameters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/scene/expression.h"
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
      entries_[key.text] = {&key, &map->items[i], State::untouched};
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

  bool complete() const { return complete_; }

  /// Not to be asked for if a formula could not be read: it may be the one that uses them.
  void tell_unused() {
    for (const auto& [name, entry] : entries_) {
      if (used_.contains(name)) continue;
      diagnostics_.add(entry.key->place, "nothing uses the parameter " + in_quotes(name) + "; write '=" + name +
                                             "' where its number stands, or remove it");
    }
  }

 private:
  enum class State { untouched, open, done };
  struct Entry {
    const YamlNode::Key* key = nullptr;
    const YamlNode* node = nullptr;
    State state = State::untouched;
  };

  /// The value of a parameter goes into values_, or its fault is told.
  void compute(const std::string& name) {
    Entry& entry = entries_.at(name);
    if (entry.state == State::done) return;
    if (entry.state == State::open) {
      tell_circle(name);
      return;
    }
    entry.state = State::open;
    open_.push_back(name);
    const std::optional<double> value =
        is_formula(*entry.node) ? value_of(*entry.node)
                                : read_number(*entry.node, "parameter " + name,
                                              {"in SI units, or a formula as in =2*radius"}, Range::any, diagnostics_);
    if (value) values_[name] = *value;
    open_.pop_back();
    entry.state = State::done;
  }

  std::optional<double> value_of(const YamlNode& node) {
    const std::string formula = node.text.substr(1);
    try {
      bool known = true;
      for (const std::string& name : reader_.names_in(formula)) {
        if (!entries_.contains(name)) continue;
        used_.insert(name);
        compute(name);
        known = known && values_.contains(name);
      }
      if (known) return known_value(formula);
      // The fault is that parameter's, and told.
    } catch (const ExpressionFault& fault) {
      Place place = node.place;
      if (fault.offset > 0) place.column += fault.offset + (node.quoted ? 2 : 1);
      diagnostics_.add(place, fault.message);
    }
    complete_ = false;
    return {};
  }

  /// With the names of all parameters in a sentence about an unknown one, those without a value included.
  double known_value(const std::string& formula) {
    if (values_.size() == entries_.size()) return reader_.evaluate(formula, values_);
    std::map<std::string, double> values = values_;
    for (const auto& [name, entry] : entries_) values.emplace(name, 0);
    return reader_.evaluate(formula, values);
  }

  void tell_circle(const std::string& name) {
    std::string way;
    for (auto it = std::find(open_.begin(), open_.end(), name); it != open_.end(); ++it) way += *it + " -> ";
    diagnostics_.add(entries_.at(name).key->place,
                     "the parameters " + way + name + " depend on each other in a circle; give one of them a number");
  }

  Diagnostics& diagnostics_;
  FormulaReader reader_;
  std::map<std::string, Entry> entries_;
  std::map<std::string, double> values_;
  std::set<std::string> used_;
  std::vector<std::string> open_;
  bool complete_ = true;
};

}  // namespace

bool is_formula(const YamlNode& node) { return node.kind == Kind::scalar && node.text.starts_with('='); }

bool resolve_parameters(YamlNode& root, Diagnostics& diagnostics) {
  const YamlNode* map = peek(root, "parameters");
  Parameters parameters(map, diagnostics);
  for (YamlNode& item : root.items) {
    if (&item != map) parameters.replace(item);
  }
  if (parameters.complete()) parameters.tell_unused();
  return parameters.complete();
}

}  // namespace carom
