#include "carom/study/design_study.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <utility>

#include "carom/scene/expression.h"
#include "carom/scene/scene_text.h"
#include "carom/scene/values.h"
#include "carom/study/study_fields.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;
using About = DesignCondition::Quantity;
using Relation = DesignCondition::Relation;

/// |cosine| of normals that count as independent: 8 degrees apart.
constexpr double most_parallel = 0.99;

class Reader {
 public:
  Reader(const YamlNode& root, DesignStudy& study, Diagnostics& diagnostics)
      : root_(root), study_(study), diagnostics_(diagnostics) {}

  void read() {
    Fields fields(root_, "a study", {"scene", "unknowns", "dependent", "contacts", "conditions", "minimise"},
                  diagnostics_);
    if (!fields.is_map()) return;
    if (const YamlNode* node = fields.require("scene", "the path of a scene file, from the study's folder")) {
      study_.scene = beside_study(study_.file, read_text(*node, "scene", diagnostics_).value_or(""));
    }
    if (const YamlNode* node =
            fields.require("unknowns", "a map of what may change, as in {radius: {bounds: [0.05, 0.2]}}")) {
      for_each_entry(*node, "unknowns", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_unknown(key, item); });
    }
    if (const YamlNode* node = fields.find("dependent")) {
      for_each_entry(*node, "dependent", diagnostics_, [&](const YamlNode::Key& key, const YamlNode& item) {
        std::string formula = read_formula(item, key.text);
        study_.dependent.push_back({key.text, std::move(formula), key.place});
      });
    }
    if (const YamlNode* node =
            fields.require("contacts", "a map of pairs of shapes, as in {foot: [shin/foot, world/floor]}")) {
      for_each_entry(*node, "contacts", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_contact(key, item); });
    }
    if (const YamlNode* node = fields.require("conditions", "a list, as in [{closed: foot}]")) {
      const auto& list = read_list(*node, "conditions", "conditions", diagnostics_);
      for (const YamlNode& item : list) read_condition(item);
      if (node->kind == Kind::list && list.empty()) {
        diagnostics_.add(node->place,
                         "conditions is an empty list; write what the design is to meet, as in [{closed: foot}]");
      }
    }
    if (const YamlNode* node = fields.find("minimise")) read_minimise(*node);
  }

 private:
  void read_unknown(const YamlNode::Key& key, const YamlNode& node) {
    DesignUnknown unknown{.name = key.text, .path = key.text, .place = key.place};
    if (const std::string fault = name_fault(key.text); !fault.empty()) {
      diagnostics_.add(key.place, fault + "; the number it stands for goes under 'at'");
    }
    if (node.kind != Kind::null) {
      Fields fields(node, "an unknown", {"at", "bounds", "scale"}, diagnostics_);
      if (const YamlNode* at = fields.find("at")) unknown.path = read_text(*at, "at", diagnostics_).value_or(key.text);
      if (const YamlNode* bounds = fields.find("bounds")) read_bounds(*bounds, unknown);
      if (const YamlNode* scale = fields.find("scale")) {
        unknown.scale = read_number(*scale, "scale", unit_, Range::positive, diagnostics_).value_or(0);
      }
    }
    study_.unknowns.push_back(std::move(unknown));
  }

  void read_bounds(const YamlNode& node, DesignUnknown& unknown) {
    const auto bounds = read_numbers(node, "bounds", 2, {unit_}, Range::limit, diagnostics_);
    if (!bounds) return;
    unknown.lower = (*bounds)[0];
    unknown.upper = (*bounds)[1];
    if (!(unknown.lower < unknown.upper)) {
      diagnostics_.add(node.place, "the lower bound of " + unknown.name + " must be below the upper one");
    }
  }

  void read_contact(const YamlNode::Key& key, const YamlNode& node) {
    DesignContact contact{.name = key.text, .a = {}, .b = {}, .place = key.place};
    if (node.kind != Kind::list || node.items.size() != 2) {
      diagnostics_.add(node.place,
                       "a contact must be two shapes, as in [shin/foot, world/floor], but is " + describe(node));
    } else {
      contact.a = read_text(node.items[0], "shape", diagnostics_).value_or("");
      contact.b = read_text(node.items[1], "shape", diagnostics_).value_or("");
    }
    study_.contacts.push_back(std::move(contact));
  }

  std::string read_formula(const YamlNode& node, const std::string& label) {
    std::string formula = read_text(node, label, diagnostics_).value_or("0");
    if (formula.starts_with('=')) formula.erase(0, 1);
    try {
      static_cast<void>(names_in(formula));
    } catch (const ExpressionFault& fault) {
      diagnostics_.add(node.place, fault.message);
    }
    return formula;
  }

  /// Number of a contact by its name. If there is none, reports it and returns −1.
  int contact_of(const YamlNode& node) {
    const std::string name = read_text(node, "contact", diagnostics_).value_or("");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < study_.contacts.size(); ++i) {
      if (study_.contacts[i].name == name) return static_cast<int>(i);
      names.push_back(study_.contacts[i].name);
    }
    if (!names.empty()) {
      diagnostics_.add(node.place,
                       "there is no contact " + in_quotes(name) + suggestion(name, names, "the contacts are"));
    }
    return -1;
  }

  void read_condition(const YamlNode& node) {
    Fields fields(node, "a condition",
                  {"closed", "gap", "velocity", "normals", "are", "cosine", "value", "equals", "at_least", "at_most"},
                  diagnostics_);
    if (!fields.is_map()) return;
    const std::vector<std::string> subjects{"closed", "gap", "velocity", "normals", "cosine", "value"};
    std::string subject;
    for (const std::string& each : subjects) {
      if (!fields.find(each)) continue;
      if (!subject.empty()) {
        diagnostics_.add(fields.place(each),
                         "a condition is about one thing; this one is about " + subject + " and " + each);
        return;
      }
      subject = each;
    }
    if (subject.empty()) {
      diagnostics_.add(node.place, "a condition lacks what it is about: one of " + listed(subjects));
      return;
    }
    const bool pair = subject == "normals", compared = !pair && subject != "closed";
    for (const char* key : {"are", "equals", "at_least", "at_most"}) {
      const bool fits = std::string(key) == "are" ? pair : compared;
      if (fits || !fields.find(key)) continue;
      diagnostics_.add(fields.place(key), in_quotes(key) + " says nothing of " + in_quotes(subject) + "; remove it");
    }
    read_about(subject, fields);
  }

  void read_about(const std::string& subject, Fields& fields) {
    const YamlNode& about = *fields.find(subject);
    if (subject == "normals" || subject == "cosine") {
      const std::vector<int> contacts = several(about, subject);
      for (std::size_t i = 0; i < contacts.size(); ++i) {
        for (std::size_t j = i + 1; j < contacts.size(); ++j) add_pair(subject, contacts[i], contacts[j], fields);
      }
      return;
    }
    DesignCondition condition;
    if (subject == "value") {
      condition.quantity = About::value;
      condition.formula = read_formula(about, "value");
      condition.told = condition.formula;
    } else {
      condition.quantity = subject == "velocity" ? About::velocity : About::gap;
      condition.first = contact_of(about);
      if (condition.first < 0) return;
      condition.told = (subject == "velocity" ? "velocity of " : "gap of ") + study_.contacts[condition.first].name;
    }
    if (subject == "closed") {
      add(condition, Relation::equals, 0);
    } else {
      add_relations(condition, fields);
    }
  }

  std::vector<int> several(const YamlNode& node, const std::string& label) {
    std::vector<int> contacts;
    std::set<int> seen;
    for (const YamlNode& item : read_list(node, label, "contacts", diagnostics_)) {
      const int contact = contact_of(item);
      if (contact < 0) return {};
      contacts.push_back(contact);
      seen.insert(contact);
    }
    if (contacts.size() < 2 || seen.size() != contacts.size()) {
      diagnostics_.add(node.place, label + " needs two or more contacts, each once, as in [tail, foot]");
      return {};
    }
    return contacts;
  }

  void add_pair(const std::string& subject, int first, int second, Fields& fields) {
    DesignCondition condition;
    condition.quantity = About::cosine;
    condition.first = first;
    condition.second = second;
    condition.told = "cosine of " + study_.contacts[first].name + " and " + study_.contacts[second].name;
    if (subject == "cosine") {
      add_relations(condition, fields);
      return;
    }
    const YamlNode* node = fields.require("are", "orthogonal, independent, or pi/3 with any whole number from 2 on");
    if (!node) return;
    std::string word = read_text(*node, "are", diagnostics_).value_or("orthogonal");
    std::erase(word, ' ');
    if (word == "independent") {
      add(condition, Relation::at_most, most_parallel);
      add(condition, Relation::at_least, -most_parallel);
      return;
    }
    int m = word == "orthogonal" ? 2 : 0;
    if (word.starts_with("pi/")) {
      const auto [stop, error] = std::from_chars(word.data() + 3, word.data() + word.size(), m);
      if (error != std::errc() || stop != word.data() + word.size() || m > 1000) m = 0;
    }
    if (m < 2) {
      diagnostics_.add(node->place,
                       "normals are orthogonal, independent, or pi/m apart with a whole number m from 2 to 1000, as "
                       "in pi/3, but not " +
                           describe(*node));
      return;
    }
    add(condition, Relation::equals, m == 2 ? 0 : -std::cos(std::numbers::pi / m));
  }

  void add_relations(const DesignCondition& condition, Fields& fields) {
    bool any = false;
    const auto read = [&](const char* key, Relation relation) {
      const YamlNode* node = fields.find(key);
      if (!node) return;
      any = true;
      const auto target = read_number(*node, key, unit_, Range::any, diagnostics_);
      if (target) add(condition, relation, *target);
    };
    read("equals", Relation::equals);
    read("at_least", Relation::at_least);
    read("at_most", Relation::at_most);
    if (!any) fields.require("equals", "the number that it is to be; or at_least, at_most");
  }

  void add(DesignCondition condition, Relation relation, double target) {
    condition.relation = relation;
    condition.target = target;
    const char* sign = relation == Relation::equals ? " = " : relation == Relation::at_least ? " >= " : " <= ";
    const char* unit = condition.quantity == About::gap ? " m" : condition.quantity == About::velocity ? " m/s" : "";
    condition.told += sign + number_text(target) + unit;
    study_.conditions.push_back(std::move(condition));
  }

  void read_minimise(const YamlNode& node) {
    const std::string word = read_text(node, "minimise", diagnostics_).value_or("change");
    if (word == "change") return;
    if (word == "indeterminacy") {
      study_.minimise = DesignStudy::Minimise::indeterminacy;
    } else if (word.starts_with('=')) {
      study_.minimise = DesignStudy::Minimise::formula;
      study_.formula = read_formula(node, "minimise");
    } else {
      diagnostics_.add(node.place, "minimise is change, indeterminacy, or a formula that begins with '=', but not " +
                                       describe(node));
    }
  }

  static constexpr Quantity unit_{"SI units", Quantity::Degrees::angle};
  const YamlNode& root_;
  DesignStudy& study_;
  Diagnostics& diagnostics_;
};

}  // namespace

DesignStudy load_design_study(const std::string& path) {
  return parse_design_study(read_scene_text(path, study_file), path);
}

DesignStudy parse_design_study(const std::string& text, const std::string& file) {
  Diagnostics diagnostics(file, text);
  const auto root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_any();
  if (!root) throw Error(file + ": the file is empty; a study begins with 'scene:' and the path of a scene");
  DesignStudy study;
  study.file = file;
  Reader(*root, study, diagnostics).read();
  diagnostics.throw_if_any();
  return study;
}

}  // namespace carom
