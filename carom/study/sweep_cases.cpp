#include "carom/study/sweep_cases.h"

#include <algorithm>
#include <sstream>

#include "carom/scene/outputs.h"
#include "carom/study/sweep_draws.h"
#include "carom/version.h"

namespace carom {
namespace {

constexpr double most_cases = 1e7;
const char* const components[] = {".w", ".x", ".y", ".z"};

class Hash {
 public:
  void add(const std::string& text) {
    add(text.data(), text.size());
    add("", 1);  // so that a border between two texts counts
  }
  void add(double number) { add(&number, sizeof number); }
  std::string digits() const {
    std::string text(16, '0');
    for (std::size_t i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[(hash_ >> (60 - 4 * i)) & 15];
    return text;
  }

 private:
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash_ = (hash_ ^ bytes[i]) * 1099511628211u;  // FNV-1a
  }
  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace

SweepCases::SweepCases(const SweepStudy& study, const std::string& text)
    : study_(study), scene_(with_outputs(text, study.scene, study.outputs), study.scene) {
  int dimensions = 0;
  const auto times = [this](std::size_t more) {
    if (static_cast<double>(count_) * static_cast<double>(more) > most_cases) {
      throw Error(study_.file + ": the study has more than " + std::to_string(static_cast<int>(most_cases)) +
                  " cases; vary fewer numbers at a time, or draw them");
    }
    count_ *= static_cast<std::int64_t>(more);
  };
  for (const SweepVariable& variable : study.variables) {
    if (variable.is_drawn()) dimensions += variable.dimensions();
    if (!variable.is_drawn()) times(variable.values.size());
    for (int i = 0; i < variable.numbers(); ++i) {
      names_.push_back(variable.numbers() == 1 ? variable.name : variable.name + components[i]);
    }
  }
  names_.insert(names_.end(), study.table.paths.begin(), study.table.paths.end());
  if (!study.table.rows.empty()) times(study.table.rows.size());
  if (!study.methods.empty()) times(study.methods.size());
  times(static_cast<std::size_t>(study.runs));

  for (const std::vector<double>& point : unit_points(study.sampling, study.seed, study.runs, dimensions)) {
    std::vector<double> values;
    const double* unit = point.data();
    for (const SweepVariable& variable : study.variables) {
      if (!variable.is_drawn()) continue;
      const std::vector<double> value = drawn(variable, unit);
      values.insert(values.end(), value.begin(), value.end());
      unit += variable.dimensions();
    }
    draws_.push_back(std::move(values));
  }
  static_cast<void>(scene_.with(at(0).settings));

  ground_ = std::string(CAROM_VERSION) + "\n" + scene_.text() + "\n" + std::to_string(study.iterations);
  // The scene's reader writes down what is in the models and meshes beside it.
  std::istringstream lines(first_sound_scene().text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# fingerprint of ")) ground_ += "\n" + line;
  }
}

Scene SweepCases::first_sound_scene() const {
  constexpr std::int64_t most = 100;
  const auto read_anew = [this](std::int64_t number) {
    SceneSource from_text = source(at(number));
    from_text.tree = nullptr;  // so that faults of the outputs, found later, have their places
    return from_text.scene();
  };
  for (std::int64_t number = 1; number < std::min(count_, most); ++number) {
    try {
      return read_anew(number - 1);
    } catch (const Error&) {
      continue;
    }
  }
  return read_anew(std::min(count_, most) - 1);
}

SweepCase SweepCases::at(std::int64_t number) const {
  SweepCase sweep_case;
  sweep_case.number = number;
  std::int64_t rest = number;
  const auto digit = [&rest](std::size_t base) {
    const auto place = static_cast<std::size_t>(rest % static_cast<std::int64_t>(base));
    rest /= static_cast<std::int64_t>(base);
    return place;
  };
  const std::vector<double>& draws = draws_[digit(draws_.size())];
  const std::vector<double> row =
      study_.table.rows.empty() ? std::vector<double>() : study_.table.rows[digit(study_.table.rows.size())];
  // The last variable of a list changes fastest.
  std::vector<double> chosen(study_.variables.size());
  for (std::size_t i = study_.variables.size(); i-- > 0;) {
    const SweepVariable& variable = study_.variables[i];
    if (!variable.is_drawn()) chosen[i] = variable.values[digit(variable.values.size())];
  }
  if (!study_.methods.empty()) sweep_case.method = study_.methods[digit(study_.methods.size())];

  const auto set = [&](const std::string& path, double value) {
    sweep_case.settings.emplace_back(path, value);
    sweep_case.values.push_back(value);
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < study_.variables.size(); ++i) {
    const SweepVariable& variable = study_.variables[i];
    if (!variable.is_drawn()) {
      set(variable.path, chosen[i]);
    } else if (variable.numbers() == 1) {
      set(variable.path, draws[next++]);
    } else {
      for (int k = 0; k < variable.numbers(); ++k) set(variable.path + "/" + std::to_string(k), draws[next++]);
    }
  }
  for (std::size_t i = 0; i < row.size(); ++i) set(study_.table.paths[i], row[i]);
  return sweep_case;
}

SceneSource SweepCases::source(const SweepCase& sweep_case) const {
  SceneSource source = source_of(scene_, sweep_case.settings);
  if (sweep_case.method) {
    source.overrides.stepper = sweep_case.method->stepper;
    source.overrides.law = sweep_case.method->law;
  }
  return source;
}

std::string SweepCases::key(const SweepCase& sweep_case) const {
  Hash hash;
  hash.add(ground_);
  for (const auto& [path, value] : sweep_case.settings) {
    hash.add(path);
    hash.add(value);
  }
  hash.add(sweep_case.method ? sweep_case.method->name() : "");
  return hash.digits();
}

}  // namespace carom
