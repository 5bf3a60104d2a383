// The JSON file of laws and what was fitted for them.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "carom/error.h"
#include "carom/validation/planar_fits.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of(const PlanarLaw& law) {
  std::vector<std::string> names;
  for (const PlanarParameter& parameter : law.parameters) names.push_back(parameter.name);
  return names;
}

/// The key of a JSON object; `of` says what the object is.
const Json& member(const Json& object, const std::string& key, const std::string& of) {
  if (!object.is_object()) throw Error(of + " must be a JSON object; it is " + object.dump());
  const auto found = object.find(key);
  if (found == object.end()) throw Error(fmt::format("{} has no key '{}'", of, key));
  return *found;
}

double number(const Json& value, const std::string& of) {
  if (!value.is_number()) throw Error(fmt::format("{} must be a number; it is {}", of, value.dump()));
  return value.get<double>();
}

std::string word(const Json& object, const std::string& key, const std::string& of) {
  const Json& value = member(object, key, of);
  if (!value.is_string()) throw Error(fmt::format("the {} of {} must be a string; it is {}", key, of, value.dump()));
  return value.get<std::string>();
}

PlanarParameter parameter_of(const std::string& name, const Json& value, const std::string& law) {
  const std::string of = fmt::format("parameter '{}' of {}", name, law);
  const Json& between = member(value, "between", of);
  if (!between.is_array() || between.size() != 2) {
    throw Error(fmt::format("'between' of {} must be two numbers, the least and the largest value", of));
  }
  PlanarParameter parameter{name, number(member(value, "start", of), "'start' of " + of),
                            number(between[0], "'between' of " + of), number(between[1], "'between' of " + of)};
  if (!(parameter.lower < parameter.upper && parameter.lower <= parameter.start &&
        parameter.start <= parameter.upper)) {
    throw Error(
        fmt::format("{} starts at {} and is sought between {} and {}; the least value must come first, and the "
                    "start lie between the two",
                    of, parameter.start, parameter.lower, parameter.upper));
  }
  return parameter;
}

FittedValues values_of(const PlanarLaw& law, const Json& object, const std::string& of) {
  for (const PlanarParameter& parameter : law.parameters) {
    const double value = number(member(object, parameter.name, of), fmt::format("'{}' of {}", parameter.name, of));
    if (parameter.lower <= value && value <= parameter.upper) continue;
    throw Error(fmt::format("'{}' of {} is {}, and is sought between {} and {}", parameter.name, of, value,
                            parameter.lower, parameter.upper));
  }
  for (const char* key : {"objective", "evaluations"}) {
    number(member(object, key, of), fmt::format("'{}' of {}", key, of));
  }
  if (object.size() != law.parameters.size() + 2) {
    throw Error(of + " have more keys than the law's parameters, objective and evaluations");
  }
  return fitted_of(names_of(law), object);
}

PlanarLaw law_of(const Json& object, std::size_t number_of_law) {
  PlanarLaw law;
  const std::string place = fmt::format("law {}", number_of_law);
  law.name = word(object, "name", place);
  if (law.name.empty() || law.name.find_first_of("/\\") != std::string::npos) {
    throw Error(
        fmt::format("{} has the name '{}', which names a file of its results: it must not be empty, nor have a "
                    "slash",
                    place, law.name));
  }
  const std::string of = "law '" + law.name + "'";
  law.title = word(object, "title", of);
  law.method.stepper = parse_stepper(word(object, "stepper", of));
  law.method.law = parse_law(word(object, "law", of));
  if (object.contains("variant")) law.variant = word(object, "variant", of);
  if (object.contains("fixed")) {
    for (const auto& [name, value] : member(object, "fixed", of).items()) {
      law.fixed.emplace_back(name, number(value, fmt::format("the fixed '{}' of {}", name, of)));
    }
  }
  for (const auto& [name, value] : member(object, "fitted", of).items()) {
    law.parameters.push_back(parameter_of(name, value, of));
  }
  if (object.contains("published")) {
    for (const auto& [body, value] : object.at("published").items()) {
      law.published[body] = number(value, fmt::format("what is published of {} and the {}", of, body));
    }
  }
  if (!object.contains("values")) return law;
  for (const auto& [body, values] : object.at("values").items()) {
    PlanarBodyFit& fit = law.fits[body];
    const std::string those = fmt::format("values of {} for the {}", of, body);
    fit.all = values_of(law, member(values, "all", those), those + ", fitted to all,");
    for (const Json& fold : member(values, "folds", those)) {
      fit.folds.push_back(values_of(law, fold, fmt::format("{} without fold {}", those, fit.folds.size() + 1)));
    }
  }
  return law;
}

Json json_of(const PlanarLaw& law) {
  Json object;
  object["name"] = law.name;
  object["title"] = law.title;
  object["stepper"] = stepper_name(law.method.stepper);
  object["law"] = law_name(law.method.law);
  if (!law.variant.empty()) object["variant"] = law.variant;
  for (const auto& [name, value] : law.fixed) object["fixed"][name] = value;
  object["fitted"] = Json::object();
  for (const PlanarParameter& parameter : law.parameters) {
    object["fitted"][parameter.name] = {{"start", parameter.start}, {"between", {parameter.lower, parameter.upper}}};
  }
  if (!law.published.empty()) object["published"] = law.published;
  const std::vector<std::string> names = names_of(law);
  for (const auto& [body, fit] : law.fits) {
    Json& values = object["values"][body];
    values["all"] = json_of(names, fit.all);
    for (const FittedValues& fold : fit.folds) values["folds"].push_back(json_of(names, fold));
  }
  return object;
}

void check(const PlanarFits& fits, const std::string& path) {
  std::set<std::string> names;
  for (const PlanarLaw& law : fits.laws) {
    if (!names.insert(law.name).second) throw Error(fmt::format("{}: two laws are named '{}'", path, law.name));
    for (const auto& [body, fit] : law.fits) {
      const auto folds = fits.folds.find(body);
      if (folds != fits.folds.end() && folds->second.size() == fit.folds.size()) continue;
      throw Error(fmt::format("{}: law {} has values for {} folds of the {}; there are {}", path, law.name,
                              fit.folds.size(), body, folds == fits.folds.end() ? 0 : folds->second.size()));
    }
  }
}

}  // namespace

PlanarFits read_planar_fits(const std::string& path) {
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) {
    throw Error(path + ": can't be read; it must be a file of laws and what was fitted for them");
  }
  PlanarFits fits;
  try {
    const Json object = Json::parse(file);
    if (object.contains("folds")) fits.folds = object.at("folds").get<decltype(fits.folds)>();
    for (const Json& law : member(object, "laws", "the file")) fits.laws.push_back(law_of(law, fits.laws.size() + 1));
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": this is no JSON file of laws and fitted values: " + error.what());
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
  check(fits, path);
  return fits;
}

void write_planar_fits(const PlanarFits& fits, const std::string& path) {
  Json object;
  object["laws"] = Json::array();
  for (const PlanarLaw& law : fits.laws) object["laws"].push_back(json_of(law));
  if (!fits.folds.empty()) object["folds"] = fits.folds;
  std::ofstream file(path);
  file << object.dump(1) << "\n";
  if (!file.flush()) throw Error(path + ": can't be written");
}

PlanarFits planar_fits_for(const std::string& path, const std::string& shipped, bool fit) {
  if (!fit || std::filesystem::exists(path)) return read_planar_fits(path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(path + ": can't be written, as there is no folder " + folder.string());
  }
  PlanarFits fits = read_planar_fits(shipped);
  for (PlanarLaw& law : fits.laws) law.fits.clear();
  fits.folds.clear();
  return fits;
}

}  // namespace carom
