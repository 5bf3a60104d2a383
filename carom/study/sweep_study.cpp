#include "carom/study/sweep_study.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "carom/scene/scene_text.h"
#include "carom/scene/values.h"
#include "carom/study/csv_cells.h"
#include "carom/study/study_fields.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;
constexpr std::int64_t most_values = 1000000;

class Reader {
 public:
  Reader(const YamlNode& root, SweepStudy& study, Diagnostics& diagnostics)
      : root_(root), study_(study), diagnostics_(diagnostics) {}

  void read() {
    Fields fields(root_, "a study",
                  {"scene", "vary", "table", "methods", "outputs", "runs", "seed", "sampling", "keep", "iterations"},
                  diagnostics_);
    if (!fields.is_map()) return;
    if (const YamlNode* node = fields.require("scene", "the path of a scene file, from the study's folder")) {
      study_.scene = beside_study(study_.file, read_text(*node, "scene", diagnostics_).value_or(""));
      const std::string kind = std::filesystem::path(study_.scene).extension().string();
      if (!study_.scene.empty() && kind != ".yaml" && kind != ".yml") {
        diagnostics_.add(node->place, "scene must be a scene file (.yaml), but is " + describe(*node) +
                                          "; a robot's file goes into a scene, under the key models");
      }
    }
    if (const YamlNode* node = fields.find("vary")) {
      for_each_entry(*node, "vary", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_variable(key, item); });
    }
    if (const YamlNode* node = fields.find("table")) read_table(*node);
    if (const YamlNode* node = fields.find("methods")) study_.methods = read_method_choices(*node, diagnostics_);
    if (const YamlNode* node = fields.find("outputs")) {
      for_each_entry(*node, "outputs", diagnostics_, [&](const YamlNode::Key& key, const YamlNode& item) {
        study_.outputs.emplace_back(key.text, read_text(item, key.text, diagnostics_).value_or("0"));
      });
    }
    study_.runs = static_cast<int>(read_count(fields, "runs", 1, 1, diagnostics_));
    study_.seed = static_cast<std::uint64_t>(read_count(fields, "seed", 0, 0, diagnostics_));
    study_.iterations = read_count(fields, "iterations", 0, 1, diagnostics_);
    study_.sampling =
        static_cast<SweepSampling>(read_word(fields, "sampling", {"random", "latin", "sobol"}, diagnostics_));
    study_.keep = static_cast<KeptRecords>(read_word(fields, "keep", {"none", "not_ok", "all"}, diagnostics_));
    check_draws(fields);
  }

 private:
  static Quantity any_quantity(const YamlNode& node) { return quantity_of(node, "the unit that the scene has there"); }

  void read_variable(const YamlNode::Key& key, const YamlNode& node) {
    SweepVariable variable;
    variable.name = variable.path = key.text;
    variable.place = key.place;
    if (node.kind == Kind::list) {
      variable.values = read_list_of_numbers(node, key.text);
    } else {
      Fields fields(node, "what is varied",
                    {"at", "values", "from", "to", "count", "scale", "uniform", "normal", "rotation"}, diagnostics_);
      if (!fields.is_map()) return;
      if (const YamlNode* at = fields.find("at")) variable.path = read_text(*at, "at", diagnostics_).value_or(key.text);
      read_kind(fields, variable);
    }
    study_.variables.push_back(std::move(variable));
  }

  void read_kind(Fields& fields, SweepVariable& variable) {
    const std::vector<std::string> kinds{"values", "from", "uniform", "normal", "rotation"};
    std::string kind;
    for (const std::string& each : kinds) {
      if (fields.find(each) == nullptr) continue;
      if (!kind.empty()) {
        diagnostics_.add(fields.place(each), variable.name + " has both " + kind + " and " + each + "; leave one");
        return;
      }
      kind = each;
    }
    if (kind.empty()) {
      diagnostics_.add(variable.place, variable.name +
                                           " lacks its values: values: [1, 2], or from with to and count, uniform: "
                                           "[LEAST, MOST], normal: [MEAN, DEVIATION], rotation: uniform");
      return;
    }
    const YamlNode& node = *fields.find(kind);
    if (kind == "values") variable.values = read_list_of_numbers(node, "values");
    if (kind == "from") variable.values = read_grid(fields, variable);
    if (kind == "uniform" || kind == "normal") read_pair(node, kind, variable);
    if (kind == "rotation") {
      variable.kind = SweepVariable::Kind::rotation;
      read_choice(node, "rotation", {"uniform"}, diagnostics_);
    }
    for (const char* key : {"to", "count", "scale"}) {
      if (kind != "from" && fields.find(key) != nullptr) {
        diagnostics_.add(fields.place(key), std::string(key) + " belongs to from; remove it");
      }
    }
  }

  void read_pair(const YamlNode& node, const std::string& kind, SweepVariable& variable) {
    variable.kind = kind == "uniform" ? SweepVariable::Kind::uniform : SweepVariable::Kind::normal;
    if (node.kind != Kind::list || node.items.size() != 2) {
      diagnostics_.add(node.place, kind +
                                       (kind == "uniform" ? " must be [LEAST, MOST]" : " must be [MEAN, DEVIATION]") +
                                       ", but is " + describe(node));
      return;
    }
    const auto pair = read_numbers(node, kind, 2, {any_quantity(node.items[0])}, Range::any, diagnostics_);
    if (!pair) return;
    variable.a = (*pair)[0];
    variable.b = (*pair)[1];
    const bool sound = variable.kind == SweepVariable::Kind::uniform ? variable.a < variable.b : variable.b > 0;
    if (!sound) {
      diagnostics_.add(node.place, kind == "uniform" ? "the first number of uniform must be below the second"
                                                     : "the deviation must be above 0");
    }
  }

  std::vector<double> read_list_of_numbers(const YamlNode& node, const std::string& label) {
    std::vector<double> values;
    for (const YamlNode& item : read_list(node, label, "numbers", diagnostics_)) {
      const auto value = read_number(item, label, any_quantity(item), Range::any, diagnostics_);
      if (value) values.push_back(*value);
    }
    if (node.kind == Kind::list && node.items.empty()) diagnostics_.add(node.place, label + " is an empty list");
    return values;
  }

  std::vector<double> read_grid(Fields& fields, const SweepVariable& variable) {
    const YamlNode* from = fields.find("from");
    const YamlNode* to = fields.require("to", "the last value");
    const YamlNode* number = fields.require("count", "how many values there are, 2 or more");
    if (to == nullptr || number == nullptr) return {};
    const auto first = read_number(*from, "from", any_quantity(*from), Range::any, diagnostics_);
    const auto last = read_number(*to, "to", any_quantity(*to), Range::any, diagnostics_);
    const auto count = read_integer(*number, "count", diagnostics_);
    const YamlNode* scale = fields.find("scale");
    const bool log = scale != nullptr && read_choice(*scale, "scale", {"linear", "log"}, diagnostics_).value_or(0) == 1;
    if (!first || !last || !count) return {};
    if (*count < 2 || *count > most_values) {
      diagnostics_.add(number->place, "count must be from 2 to " + std::to_string(most_values));
      return {};
    }
    if (log && !(*first > 0 && *last > 0)) {
      diagnostics_.add(variable.place, "values of " + variable.name + " on a log scale must be above 0");
      return {};
    }
    std::vector<double> values;
    for (int i = 0; i < *count; ++i) {
      const double part = static_cast<double>(i) / (*count - 1);
      values.push_back(log ? *first * std::pow(*last / *first, part) : *first + part * (*last - *first));
    }
    values.back() = *last;
    return values;
  }

  void read_table(const YamlNode& node) {
    const auto name = read_text(node, "table", diagnostics_);
    if (!name) return;
    SweepTable& table = study_.table;
    table.file = beside_study(study_.file, *name);
    std::ifstream file(table.file);
    std::string line;
    if (!file || !std::getline(file, line)) {
      diagnostics_.add(node.place,
                       table.file + ": no table (CSV, its first line names of numbers of the scene) can be read here");
      return;
    }
    if (line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);  // how some programs begin UTF-8
    table.paths = csv_cells(line);
    for (int number = 2; std::getline(file, line); ++number) {
      if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
      const std::vector<std::string> cells = csv_cells(line);
      std::vector<double> row;
      row.reserve(cells.size());
      for (const std::string& cell : cells) row.push_back(written_number(cell).value_or(NAN));
      if (row.size() != table.paths.size() ||
          std::any_of(row.begin(), row.end(), [](double x) { return std::isnan(x); })) {
        diagnostics_.add(node.place, table.file + ": line " + std::to_string(number) + " must have " +
                                         std::to_string(table.paths.size()) + " numbers, as the first line has names");
        return;
      }
      table.rows.push_back(std::move(row));
    }
    if (table.rows.empty()) diagnostics_.add(node.place, table.file + ": the table has no line but its names");
  }

  void check_draws(Fields& fields) {
    if (study_.draws() && fields.find("runs") == nullptr) {
      diagnostics_.add(root_.place, "something is drawn, so the study needs 'runs': how many draws");
    }
    for (const char* key : {"runs", "seed", "sampling"}) {
      if (!study_.draws() && fields.find(key) != nullptr) {
        diagnostics_.add(fields.place(key),
                         std::string(key) + " is for numbers that are drawn, and none is; remove it");
      }
    }
    std::set<std::string> names, paths;
    const auto once = [&](const std::string& name, const std::string& path, Place place) {
      if (!names.insert(name).second) diagnostics_.add(place, name + " is varied twice");
      if (!paths.insert(path).second) diagnostics_.add(place, path + " is varied twice");
    };
    for (const SweepVariable& variable : study_.variables) once(variable.name, variable.path, variable.place);
    for (const std::string& path : study_.table.paths) once(path, path, fields.place("table"));
    if (study_.variables.empty() && study_.table.rows.empty() && study_.methods.empty() && diagnostics_.empty()) {
      diagnostics_.add(root_.place, "a study needs something that differs: vary, table or methods");
    }
  }

  const YamlNode& root_;
  SweepStudy& study_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool SweepStudy::draws() const {
  return std::any_of(variables.begin(), variables.end(), [](const SweepVariable& v) { return v.is_drawn(); });
}

SweepStudy parse_sweep_study(const std::string& text, const std::string& file) {
  SweepStudy study;
  study.file = file;
  Diagnostics diagnostics(file, text);
  if (const auto root = parse_yaml(text, diagnostics)) Reader(*root, study, diagnostics).read();
  diagnostics.throw_if_any();
  if (study.scene.empty()) throw Error(file + ": the study is empty; it needs 'scene' and something that differs");
  return study;
}

SweepStudy load_sweep_study(const std::string& path) {
  return parse_sweep_study(read_scene_text(path, study_file), path);
}

}  // namespace carom
