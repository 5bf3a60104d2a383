#include "carom/study/fit_study.h"

#include <cmath>
#include <set>

#include "carom/scene/scene_text.h"
#include "carom/scene/values.h"
#include "carom/study/study_fields.h"

namespace carom {
namespace {

using Kind = YamlNode::Kind;

const char* const unknown_example = "a map of what is fitted, as in {friction: {bounds: [0.05, 0.9]}}";
const char* const column_example = "a map from columns of the data to formulas, as in {z: ball.position.z}";

Quantity any_quantity(const YamlNode& node) { return quantity_of(node, "the unit that the scene has there"); }

class Reader {
 public:
  Reader(const YamlNode& root, FitStudy& study, Diagnostics& diagnostics)
      : root_(root), study_(study), diagnostics_(diagnostics) {}

  void read() {
    Fields fields(root_, "a fit",
                  {"scene", "data", "columns", "unknowns", "experiments", "methods", "folds", "loss", "starts", "seed",
                   "bootstrap", "resample", "runs", "smooth", "intervals"},
                  diagnostics_);
    if (!fields.is_map()) return;
    if (const YamlNode* node = fields.require("scene", "the path of a scene file, from the study's folder")) {
      study_.scene = beside_study(study_.file, read_text(*node, "scene", diagnostics_).value_or(""));
    }
    if (const YamlNode* node = fields.require("data", "the path of a CSV or HDF5 file, from the study's folder")) {
      study_.data = beside_study(study_.file, read_text(*node, "data", diagnostics_).value_or(""));
    }
    if (const YamlNode* node = fields.require("columns", column_example)) {
      for_each_entry(*node, "columns", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_column(key, item); });
    }
    if (const YamlNode* node = fields.require("unknowns", unknown_example)) {
      for_each_entry(*node, "unknowns", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_unknown(key, item); });
    }
    if (const YamlNode* node = fields.find("experiments")) {
      study_.experiments_place = fields.place("experiments");
      for_each_entry(*node, "experiments", diagnostics_,
                     [&](const YamlNode::Key& key, const YamlNode& item) { read_experiment(key, item); });
    }
    if (const YamlNode* node = fields.find("methods")) study_.methods = read_method_choices(*node, diagnostics_);
    study_.loss = static_cast<Loss>(read_word(fields, "loss", loss_names(), diagnostics_));
    study_.folds = static_cast<int>(read_count(fields, "folds", 0, 2, diagnostics_));
    study_.starts = static_cast<int>(read_count(fields, "starts", study_.starts, 1, diagnostics_));
    study_.runs = read_count(fields, "runs", 0, 1, diagnostics_);
    if (const YamlNode* smooth = fields.find("smooth")) {
      const auto word = read_choice(*smooth, "smooth", {"yes", "no", "true", "false"}, diagnostics_);
      if (word) study_.smooth = *word == 0 || *word == 2;
    }
    study_.intervals =
        static_cast<IntervalSource>(read_word(fields, "intervals", {"profile", "curvature", "none"}, diagnostics_));
    study_.bootstrap = static_cast<int>(read_count(fields, "bootstrap", 0, 20, diagnostics_));
    study_.resampled =
        static_cast<Resampled>(read_word(fields, "resample", {"residuals", "experiments"}, diagnostics_));
    study_.seed = static_cast<std::uint64_t>(read_count(fields, "seed", 0, 0, diagnostics_));
    if (fields.find("resample") != nullptr && study_.bootstrap == 0) {
      diagnostics_.add(fields.place("resample"), "resample says what a bootstrap draws; add 'bootstrap', how many");
    }
    check_paths();
  }

 private:
  void read_column(const YamlNode::Key& key, const YamlNode& node) {
    FitColumn column{.name = key.text, .formula = "", .noise = 0, .place = key.place};
    if (node.kind == Kind::map) {
      Fields fields(node, "a column", {"formula", "noise"}, diagnostics_);
      const YamlNode* formula = fields.require("formula", "what the column is in the scene, as ball.position.z");
      if (formula != nullptr) column.formula = read_text(*formula, "formula", diagnostics_).value_or("0");
      if (const YamlNode* noise = fields.find("noise")) {
        column.noise = read_number(*noise, "noise", any_quantity(*noise), Range::positive, diagnostics_).value_or(0);
      }
    } else {
      column.formula = read_text(node, key.text, diagnostics_).value_or("0");
    }
    if (column.formula.starts_with('=')) column.formula.erase(0, 1);
    study_.columns.push_back(std::move(column));
  }

  void read_unknown(const YamlNode::Key& key, const YamlNode& node) {
    FitUnknown unknown;
    unknown.name = unknown.path = key.text;
    unknown.place = key.place;
    Fields fields(node, "an unknown", {"at", "bounds", "scale", "per"}, diagnostics_);
    if (!fields.is_map()) return;
    if (const YamlNode* at = fields.find("at")) unknown.path = read_text(*at, "at", diagnostics_).value_or(key.text);
    if (const YamlNode* scale = fields.find("scale")) {
      unknown.log = read_choice(*scale, "scale", {"linear", "log"}, diagnostics_).value_or(0) == 1;
    }
    if (const YamlNode* per = fields.find("per")) {
      read_choice(*per, "per", {"experiment"}, diagnostics_);
      unknown.per_experiment = true;
    }
    if (const YamlNode* bounds = fields.require("bounds", "the least and the greatest value, [LEAST, GREATEST]")) {
      read_bounds(*bounds, unknown);
    }
    study_.unknowns.push_back(std::move(unknown));
  }

  void read_bounds(const YamlNode& node, FitUnknown& unknown) {
    if (node.kind != Kind::list || node.items.size() != 2) {
      diagnostics_.add(node.place, "bounds must be [LEAST, GREATEST], but is " + describe(node));
      return;
    }
    const auto bounds = read_numbers(node, "bounds", 2, {any_quantity(node.items[0])}, Range::any, diagnostics_);
    if (!bounds) return;
    unknown.lower = (*bounds)[0];
    unknown.upper = (*bounds)[1];
    if (!(unknown.lower < unknown.upper)) {
      diagnostics_.add(node.place, "the lower bound of " + unknown.name + " must be below the upper one");
    } else if (unknown.log && !(unknown.lower > 0)) {
      diagnostics_.add(node.place, "bounds of " + unknown.name + " on a log scale must be above 0");
    }
  }

  void read_experiment(const YamlNode::Key& key, const YamlNode& node) {
    auto& settings = study_.experiments[key.text];
    for_each_entry(node, "experiment " + key.text, diagnostics_, [&](const YamlNode::Key& path, const YamlNode& item) {
      const auto value = read_number(item, path.text, any_quantity(item), Range::any, diagnostics_);
      if (value) settings.emplace_back(path.text, *value);
    });
  }

  /// A number can't be an unknown twice, nor an unknown and known for an experiment.
  void check_paths() {
    std::set<std::string> paths;
    for (const FitUnknown& unknown : study_.unknowns) {
      if (!paths.insert(unknown.path).second) diagnostics_.add(unknown.place, unknown.path + " is an unknown already");
    }
    for (const auto& [name, settings] : study_.experiments) {
      for (const auto& [path, value] : settings) {
        if (paths.contains(path)) {
          diagnostics_.add(study_.experiments_place,
                           path + " is an unknown, and known for experiment " + name + "; leave one of the two");
        }
      }
    }
  }

  const YamlNode& root_;
  FitStudy& study_;
  Diagnostics& diagnostics_;
};

/// Both sides of the first '='.
std::pair<std::string, std::string> sides(const std::string& text, const std::string& option,
                                          const std::string& right) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Error(option + " " + text + ": write " + right);
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

FitStudy parse_fit_study(const std::string& text, const std::string& file) {
  FitStudy study;
  study.file = file;
  Diagnostics diagnostics(file, text);
  const auto root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_any();
  if (!root) throw Error(file + ": the study is empty; it needs scene, data, columns and unknowns");
  Reader(*root, study, diagnostics).read();
  diagnostics.throw_if_any();
  return study;
}

FitStudy load_fit_study(const std::string& path) { return parse_fit_study(read_scene_text(path, study_file), path); }

FitUnknown parse_fit_unknown(const std::string& text) {
  const std::string right = "NAME=LOW:HIGH, as in friction=0.05:0.9, where NAME may be a path of the scene";
  const auto [path, bounds] = sides(text, "--unknown", right);
  const std::size_t colon = bounds.find(':');
  const auto low = written_number(bounds.substr(0, colon));
  const auto high = written_number(colon == std::string::npos ? "" : bounds.substr(colon + 1));
  if (!low || !high) throw Error("--unknown " + text + ": write " + right);
  if (!(std::isfinite(*low) && std::isfinite(*high) && *low < *high)) {
    throw Error("--unknown " + text + ": the first bound must be below the second, and both must be numbers");
  }
  return {
      .name = path, .path = path, .lower = *low, .upper = *high, .log = false, .per_experiment = false, .place = {}};
}

FitColumn parse_fit_column(const std::string& text) {
  const auto [name, formula] = sides(text, "--column", "NAME=FORMULA, as in z=ball.position.z");
  return {.name = name, .formula = formula, .noise = 0, .place = {}};
}

}  // namespace carom
