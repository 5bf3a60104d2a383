#include "carom/scene/run_settings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "carom/scene/law_settings.h"

namespace carom {
namespace {

/// Reads a word that `parse` knows, as the parse_… functions of the method do. Returns false if it is another. If the
/// caller `asked` for a kind in its place, any word will do. So a file with a gap to fill in can be run.
template <class Kind, class Parse>
bool read_kind(const Fields& fields, const std::string& key, const Parse& parse, Kind& kind, Diagnostics& diagnostics,
               const std::optional<Kind>& asked = {}) {
  const YamlNode* node = fields.find(key);
  if (!node) return true;
  const auto word = read_text(*node, key, diagnostics);
  if (!word) return false;
  try {
    kind = parse(*word);
    return true;
  } catch (const Error& error) {
    if (asked) kind = *asked;
    if (!asked) diagnostics.add(node->place, error.what());
    return asked.has_value();
  }
}

void read_numbers_of_method(const Fields& fields, Method& method, Diagnostics& diagnostics) {
  if (const YamlNode* node = fields.find("directions")) {
    method.directions = read_integer(*node, "directions", diagnostics).value_or(method.directions);
  }
  if (const YamlNode* node = fields.find("contact_tolerance")) {
    const auto value = read_number(*node, "contact_tolerance", quantity::ratio, Range::positive, diagnostics);
    method.contact_tolerance = value.value_or(method.contact_tolerance);
  }
  if (const YamlNode* node = fields.find("accuracy")) {
    const auto value = read_number(*node, "accuracy", quantity::ratio, Range::positive, diagnostics);
    method.accuracy = value.value_or(method.accuracy);
  }
  if (const YamlNode* node = fields.find("restitution_speed")) {
    const auto value = read_number(*node, "restitution_speed", quantity::speed, Range::not_negative, diagnostics);
    method.restitution_speed = value.value_or(method.restitution_speed);
  }
  if (const YamlNode* node = fields.find("nonlinear_iterations")) {
    method.nonlinear_iterations =
        read_integer(*node, "nonlinear_iterations", diagnostics).value_or(method.nonlinear_iterations);
  }
  if (const YamlNode* node = fields.find("nonlinear_tolerance")) {
    const auto value = read_number(*node, "nonlinear_tolerance", quantity::ratio, Range::positive, diagnostics);
    method.nonlinear_tolerance = value.value_or(method.nonlinear_tolerance);
  }
}

/// A sentence of method_faults starts with the field that it concerns, "step" or "plus.direction_change".
Place place_of_fault(const Fields& fields, const std::string& sentence) {
  return fields.place(sentence.substr(0, sentence.find_first_of(" .")));
}

/// "; remove it, or set stepper to one of those that read the key", where there are any.
std::string or_choose(const std::string& key, const Catalogue& catalogue) {
  const auto names = catalogue.steppers_that([&](const StepperEntry& stepper) {
    // The stepper alone would not do where only some laws make impacts.
    const bool has_impacts = stepper.has_impacts != nullptr && stepper.has_impacts(Method{});
    return reads(stepper, key) && (key != "proximity" || has_impacts);
  });
  return "; remove it" + (names.empty() ? "" : ", or set stepper to " + in_words(names, "or"));
}

/// Why a key does nothing under the method, and what to do about it.
std::string without_effect(const std::string& key, const Method& method, const Catalogue& catalogue) {
  const std::string start = key + " has no effect ", stepper = "with stepper " + stepper_name(method.stepper);
  const bool is_read = reads(method.stepper, key), inelastic = method.law->restitution == RestitutionUse::none;
  if (key == "restitution_speed") return start + "under law none; remove it, or set another law";
  if (key == "directions" && is_read) return start + "with cone exact; remove it, or set cone to polyhedral";
  if (key == "cone" || key == "directions") return start + stepper + ", which has no polyhedral cone; remove it";
  if (key == "gyroscopic") return start + stepper + ", which integrates the turning of bodies; remove it";
  if (key == "accuracy") return start + stepper + ", which controls its own error; remove it, or give a tolerance";
  if (key == "tolerance") return start + stepper + ", whose steps have one length" + or_choose(key, catalogue);
  if (key == "proximity" && is_read && !inelastic) {
    return start + "with rebound next-step, whose impacts are steps; remove it, or set rebound to located";
  }
  if (key == "proximity") {
    return start + stepper + ", which has no impacts that are instants of their own" + or_choose(key, catalogue);
  }
  if (key == "rebound" && is_read) return start + "under law none; remove it, or set law to newton";
  if (key == "overlap")
    return start + stepper + ", whose steps leave overlap in their own way" + or_choose(key, catalogue);
  return start + stepper + or_choose(key, catalogue);
}

/// Keys that the caller asks for and that do nothing, told.
void tell_what_was_asked_in_vain(const SceneOverrides& overrides, const Method& method, const Catalogue& catalogue,
                                 RunSettings& settings) {
  std::vector<std::string> asked;
  if (overrides.accuracy) asked.emplace_back("accuracy");
  if (overrides.contact_tolerance) asked.emplace_back("contact_tolerance");
  if (overrides.cone == FrictionCone::polyhedral) asked.emplace_back("cone");
  if (overrides.smooth) asked.emplace_back("smooth");
  const std::vector<std::string> in_vain = fields_without_effect(method);
  for (const std::string& key : asked) {
    if (std::find(in_vain.begin(), in_vain.end(), key) == in_vain.end()) continue;
    const std::string sentence = without_effect(key, method, catalogue);
    settings.warnings.push_back("what was asked for is in vain: " + sentence.substr(0, sentence.find(';')));
  }
}

/// Keys that do nothing: refused where the file's own choices make them so, told where those of the caller do.
void check_effects(const Fields& fields, const Method& of_file, const Method& method, const Catalogue& catalogue,
                   RunSettings& settings, Diagnostics& diagnostics) {
  const std::vector<std::string> here = fields_without_effect(of_file);
  for (const std::string& key : fields_without_effect(method)) {
    if (fields.find(key) == nullptr || (key == "restitution_speed" && method.restitution_speed == 0)) continue;
    if (std::find(here.begin(), here.end(), key) != here.end()) {
      diagnostics.add(fields.place(key), without_effect(key, method, catalogue));
    } else {
      settings.warnings.push_back(key + " of the file has no effect with what was asked for in place of the file's: " +
                                  (method.stepper != of_file.stepper ? "stepper " + stepper_name(method.stepper)
                                   : method.law != of_file.law       ? "law " + law_name(method.law)
                                                                     : "cone " + cone_name(method.cone)));
    }
  }
}

/// Replaces what the caller chose in place of the file.
void take_what_was_asked(const SceneOverrides& overrides, Method& method) {
  method.stepper = overrides.stepper.value_or(method.stepper);
  method.law = overrides.law.value_or(method.law);
  method.dynamics = overrides.dynamics.value_or(method.dynamics);
  method.step = overrides.step.value_or(method.step);
  method.accuracy = overrides.accuracy.value_or(method.accuracy);
  method.cone = overrides.cone.value_or(method.cone);
  method.smooth = overrides.smooth.value_or(method.smooth);
  method.contact_tolerance = overrides.contact_tolerance.value_or(method.contact_tolerance);
}

std::vector<std::string> keys_of_method() {
  std::vector<std::string> keys = {"stepper",
                                   "law",
                                   "dynamics",
                                   "form",
                                   "cone",
                                   "gyroscopic",
                                   "smooth",
                                   "step",
                                   "accuracy",
                                   "directions",
                                   "contact_tolerance",
                                   "restitution_speed",
                                   "nonlinear_iterations",
                                   "nonlinear_tolerance",
                                   "rebound",
                                   "overlap"};
  keys.insert(keys.end(), law_keys().begin(), law_keys().end());
  return keys;
}

/// Returns true if the step length is known and sound, so that the duration can be checked against it.
bool read_method(const YamlNode& scene, const SceneOverrides& overrides, bool rebounds, RunSettings& settings,
                 Diagnostics& diagnostics) {
  Method& method = settings.method;
  const Catalogue& catalogue = *overrides.catalogue;
  const YamlNode* node = peek(scene, "method");
  if (!node) return false;
  Fields fields(*node, "method", keys_of_method(), diagnostics);
  const bool has_stepper = read_kind(
      fields, "stepper", [&](const std::string& name) { return catalogue.stepper(name); }, method.stepper, diagnostics,
      overrides.stepper);
  const bool has_law = read_kind(
      fields, "law", [&](const std::string& name) { return catalogue.law(name); }, method.law, diagnostics,
      overrides.law);
  read_kind(fields, "dynamics", parse_dynamics, method.dynamics, diagnostics, overrides.dynamics);
  read_kind(fields, "form", parse_form, method.form, diagnostics);
  // Generators, and forms that are linear, say which cone is meant.
  if (fields.find("directions") != nullptr || method.form != ContactForm::pure) method.cone = FrictionCone::polyhedral;
  read_kind(fields, "cone", parse_cone, method.cone, diagnostics, overrides.cone);
  read_kind(fields, "gyroscopic", parse_gyroscopic, method.gyroscopic, diagnostics);
  read_kind(fields, "smooth", parse_smooth, method.smooth, diagnostics, overrides.smooth);
  read_kind(fields, "rebound", parse_rebound, method.rebound, diagnostics);
  read_kind(fields, "overlap", parse_overlap, method.overlap, diagnostics);
  read_numbers_of_method(fields, method, diagnostics);
  read_law_settings(fields, method.law, method, diagnostics);
  bool has_step = false;
  if (const YamlNode* step = fields.require("step", "the time step, s")) {
    const auto value = read_number(*step, "step", quantity::time, Range::positive, diagnostics);
    has_step = value.has_value();
    method.step = value.value_or(method.step);
  }
  const Method of_file = method;
  take_what_was_asked(overrides, method);
  if (overrides.stepper && !overrides.law && !rebounds && has_impacts(method) && method.law->make == nullptr) {
    method.law = LawKind::plastic;
    settings.warnings.push_back("stepper " + stepper_name(method.stepper) +
                                " needs a law of impacts, and the file has none: law plastic is taken, for nothing "
                                "rebounds here");
  }
  settings.method_read = (has_stepper || overrides.stepper) && (has_law || overrides.law);
  if (!settings.method_read) return false;
  tell_what_was_asked_in_vain(overrides, method, catalogue, settings);
  check_effects(fields, of_file, method, catalogue, settings, diagnostics);
  for (const std::string& fault : method_faults(method, catalogue))
    diagnostics.add(place_of_fault(fields, fault), fault);
  return (has_step || overrides.step) && std::isfinite(method.step) && method.step > 0;
}

/// The run ends after a whole number of steps, within a thousandth of a step of the duration.
void check_duration(Place place, double duration, double step, Diagnostics& diagnostics) {
  constexpr double most_steps = 1e12;
  const double steps = duration / step;
  std::ostringstream sentence;
  sentence.precision(10);
  if (!(steps <= most_steps)) {
    sentence << "the duration of " << duration << " s takes more than " << most_steps << " steps of " << step
             << " s; shorten it or take a larger step";
  } else if (std::round(steps) < 1) {
    sentence << "the duration of " << duration << " s is shorter than one step of " << step
             << " s; take at least one step";
  } else if (std::abs(steps - std::round(steps)) > 1e-3) {
    sentence << "the duration of " << duration << " s is " << steps << " steps of " << step
             << " s; it must be a whole number of steps, for example " << std::round(steps) * step << " s";
  } else {
    return;
  }
  diagnostics.add(place, sentence.str());
}

RecordOptions read_record(const YamlNode& node, Diagnostics& diagnostics) {
  RecordOptions record;
  Fields fields(node, "record", {"every", "contacts", "columns", "traces"}, diagnostics);
  if (const YamlNode* every = fields.find("every")) {
    record.every = read_integer(*every, "every", diagnostics).value_or(record.every);
    if (record.every < 1) {
      diagnostics.add(every->place, "every is " + every->text + "; a frame is recorded every 1 or more steps");
    }
  }
  if (const YamlNode* contacts = fields.find("contacts")) {
    record.contacts = read_boolean(*contacts, "contacts", diagnostics).value_or(record.contacts);
  }
  if (const YamlNode* columns = fields.find("columns")) {
    if (columns->text != "least" && columns->text != "all") {
      diagnostics.add(columns->place, "columns is '" + columns->text +
                                          "'; it is all, or least, which leaves out what follows from positions, "
                                          "velocities and contacts: world poses, mass centres, forces by collider");
    }
    record.outputs = columns->text != "least";
  }
  if (const YamlNode* traces = fields.find("traces")) {
    record.traces = read_boolean(*traces, "traces", diagnostics).value_or(record.traces);
  }
  return record;
}

}  // namespace

RunSettings read_run_settings(const YamlNode& scene, const SceneOverrides& overrides, bool rebounds,
                              Diagnostics& diagnostics) {
  RunSettings settings;
  const bool has_step = read_method(scene, overrides, rebounds, settings, diagnostics);
  const YamlNode* node = peek(scene, "duration");
  std::optional<double> duration = overrides.duration;
  if (node) {
    const auto value = read_number(*node, "duration", quantity::time, Range::positive, diagnostics);
    if (!duration) duration = value;
  }
  if (duration) settings.duration = *duration;
  if (duration && has_step) check_duration(node ? node->place : Place(), *duration, settings.method.step, diagnostics);
  if (const YamlNode* record = peek(scene, "record")) settings.record = read_record(*record, diagnostics);
  return settings;
}

}  // namespace carom
