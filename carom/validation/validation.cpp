#include "carom/validation/validation.h"

#include "carom/validation/accuracy_validation.h"
#include "carom/validation/bhalerao2009.h"
#include "carom/validation/cassie_jumps.h"
#include "carom/validation/chakraborty2007.h"
#include "carom/validation/cube_tosses.h"
#include "carom/validation/planar_impacts.h"
#include "carom/validation/seghete2014.h"
#include "carom/validation/sphere_impacts.h"
#include "carom/validation/square_drops.h"
#include "carom/validation/stewart2000.h"
#include "carom/validation/uchida2015.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace carom {
namespace {

ValidationEntry entry(std::string source, std::string figure, std::string quantity, double reference, double value,
                      double deviation, double tolerance, std::string note) {
  ValidationEntry result;
  result.source = std::move(source);
  result.figure = std::move(figure);
  result.quantity = std::move(quantity);
  result.reference = reference;
  result.value = value;
  result.deviation = deviation;
  result.tolerance = tolerance;
  result.pass = std::abs(deviation) <= tolerance;  // false for NaN
  result.note = std::move(note);
  return result;
}

}  // namespace

ValidationEntry relative_entry(std::string source, std::string figure, std::string quantity, double reference,
                               double value, double tolerance, std::string note) {
  return entry(std::move(source), std::move(figure), std::move(quantity), reference, value,
               (value - reference) / std::abs(reference), tolerance, std::move(note));
}

ValidationEntry absolute_entry(std::string source, std::string figure, std::string quantity, double reference,
                               double value, double tolerance, std::string note) {
  return entry(std::move(source), std::move(figure), std::move(quantity), reference, value, value - reference,
               tolerance, std::move(note));
}

ValidationEntry error_entry(std::string source, std::string figure, std::string quantity, double reference,
                            double value, double tolerance, std::string note) {
  ValidationEntry result = absolute_entry(std::move(source), std::move(figure), std::move(quantity), reference, value,
                                          tolerance, std::move(note));
  result.pass = result.deviation <= tolerance;  // false for NaN
  result.bound = true;
  return result;
}

std::string origin_name(Origin origin) {
  constexpr std::array names{"closed form", "printed", "own integrator", "Carom otherwise", "other program"};
  return names[static_cast<std::size_t>(origin)];
}

ValidationEntry from(Origin origin, ValidationEntry entry) {
  entry.origin = origin;
  return entry;
}

ValidationEntry explained(ValidationEntry entry, double most, std::string note) {
  entry.explained = true;
  entry.tolerance = most;
  entry.pass = std::abs(entry.deviation) <= most;  // false for NaN
  entry.note = std::move(note);
  return entry;
}

std::string verdict_of(const ValidationEntry& entry) {
  return !entry.pass ? "FAIL" : entry.explained ? "explained" : "pass";
}

ValidationCounts count_of(const std::vector<Validation>& validations) {
  ValidationCounts counts;
  for (const Validation& validation : validations) {
    for (const ValidationEntry& e : validation.entries) {
      ++(!e.pass ? counts.failed : e.explained ? counts.explained : counts.passed);
    }
  }
  return counts;
}

const std::vector<ValidationCase>& validation_cases() {
  static const std::vector<ValidationCase> cases{
      {"stewart2000", "Stewart and Trinkle 2000: falling rod, four balls", false, {}, validate_stewart2000},
      {"uchida2015",
       "Uchida, Sherman and Delp 2015: impacts by PLUS beside compliant contacts",
       false,
       {},
       validate_uchida2015},
      {"seghete2014",
       "Seghete and Murphey 2014: propagative impacts, every order, designed for one outcome",
       false,
       {},
       validate_seghete2014},
      {"chakraborty2007",
       "Chakraborty, Berard, Akella and Trinkle 2007: compliant layers on rigid cores",
       false,
       {},
       validate_chakraborty2007},
      {"bhalerao2009",
       "Bhalerao, Anderson and Trinkle 2009: a double pendulum in contact by divide and conquer",
       false,
       {},
       validate_bhalerao2009},
      {"accuracy",
       "verdicts on the accuracy of ten scenes' runs beside their true errors",
       false,
       {},
       validate_accuracy},
      {"cube_tosses",
       "measured tosses of a cube beside those of every law, fitted",
       true,
       {"--tosses", "--laws", "--predictions", "--fit", "--evaluations"},
       validate_cube_tosses},
      {"planar_impacts",
       "measured impacts of an ellipse and a square beside every law, fitted",
       true,
       {"--laws", "--fit", "--fits", "--evaluations"},
       validate_planar_impacts},
      {"square_drops",
       "measured drops of a square until rest beside those of every law, fitted",
       true,
       {"--tosses", "--laws", "--fit", "--fits", "--evaluations"},
       validate_square_drops},
      {"sphere_impacts",
       "oblique impacts of a sphere, published curves and an experiment, beside every law",
       true,
       {"--laws"},
       validate_sphere_impacts},
      {"cassie_jumps",
       "measured landings of the biped Cassie beside every law, springs and rotors fitted",
       true,
       {"--laws", "--fit", "--fits", "--evaluations"},
       validate_cassie_jumps},
  };
  return cases;
}

ValidationTexts texts_of(const ValidationEntry& entry, int digits) {
  const int few = digits / 2;
  if (entry.bound) return {fmt::format("≤ {:.{}g}", entry.reference + entry.tolerance, digits), "", ""};
  return {fmt::format("{:.{}g}", entry.reference, digits), fmt::format("{:.{}g}", entry.deviation, few),
          fmt::format("{:.{}g}", entry.tolerance, few)};
}

std::string validation_table(const std::vector<Validation>& validations) {
  std::string text;
  for (const Validation& validation : validations) {
    std::size_t width = 10, place = 14;
    for (const ValidationEntry& e : validation.entries) {
      width = std::max(width, e.quantity.size());
      place = std::max(place, e.figure.size());
    }
    text += fmt::format("{}  ({:.1f} s)\n", validation.name, validation.seconds);
    text += fmt::format("  {:<{}} {:<{}} {:<15} {:>12} {:>12} {:>11} {:>10}  {}\n", "where", place, "quantity", width,
                        "origin", "reference", "carom", "deviation", "tolerance", "verdict");
    for (const ValidationEntry& e : validation.entries) {
      const ValidationTexts texts = texts_of(e, 6);
      text += fmt::format("  {:<{}} {:<{}} {:<15} {:>12} {:>12.6g} {:>11} {:>10}  {}{}\n", e.figure, place, e.quantity,
                          width, origin_name(e.origin), texts.reference, e.value, texts.deviation, texts.tolerance,
                          verdict_of(e), e.note.empty() ? "" : "  (" + e.note + ")");
    }
    if (!validation.text.empty()) text += "\n" + validation.text;
    for (const std::string& file : validation.files) text += "  written: " + file + "\n";
    text += "\n";
  }
  const ValidationCounts counts = count_of(validations);
  text += fmt::format("{} passed, {} failed, {} explained\n", counts.passed, counts.failed, counts.explained);
  return text;
}

std::string validation_json(const std::vector<Validation>& validations) {
  const auto number = [](double x) -> nlohmann::ordered_json {
    if (std::isfinite(x)) return x;
    return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
  };
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Validation& validation : validations) {
    for (const ValidationEntry& e : validation.entries) {
      entries.push_back({{"source", e.source},
                         {"figure", e.figure},
                         {"quantity", e.quantity},
                         {"origin", origin_name(e.origin)},
                         {"reference", number(e.reference)},
                         {"value", number(e.value)},
                         {"deviation", number(e.deviation)},
                         {"tolerance", number(e.tolerance)},
                         {"pass", e.pass},
                         {"note", e.note}});
      if (e.bound) entries.back()["bound"] = true;
      if (e.explained) entries.back()["explained"] = true;
    }
    for (const std::string& file : validation.files) files.push_back(file);
  }
  const ValidationCounts counts = count_of(validations);
  const nlohmann::ordered_json object{{"entries", entries},
                                      {"passed", counts.passed},
                                      {"failed", counts.failed},
                                      {"explained", counts.explained},
                                      {"files", files}};
  return object.dump(2);
}

}  // namespace carom
