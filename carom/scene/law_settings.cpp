#include "carom/scene/law_settings.h"

namespace carom {
namespace {

void read_real(const Fields& fields, const std::string& key, Quantity quantity, Range range, double& value,
               Diagnostics& diagnostics) {
  if (const YamlNode* node = fields.find(key)) {
    value = read_number(*node, key, quantity, range, diagnostics).value_or(value);
  }
}

void read_flag(const Fields& fields, const std::string& key, bool& value, Diagnostics& diagnostics) {
  if (const YamlNode* node = fields.find(key)) value = read_boolean(*node, key, diagnostics).value_or(value);
}

void read_plus(const YamlNode& node, PlusOptions& plus, Diagnostics& diagnostics) {
  const Fields fields(node, "plus",
                      {"intervals", "transition_speed", "direction_change", "shortest_interval", "path_tolerance",
                       "energy_limit", "round_budget", "compress_observers", "exhaustive", "weigh_by_stiffness"},
                      diagnostics);
  if (const YamlNode* intervals = fields.find("intervals")) {
    const auto choice = read_choice(*intervals, "intervals", {"second-order", "direction-change"}, diagnostics);
    if (choice) plus.intervals = *choice == 0 ? PlusIntervals::second_order : PlusIntervals::direction_change;
  }
  read_real(fields, "transition_speed", quantity::speed, Range::not_negative, plus.transition_speed, diagnostics);
  read_real(fields, "direction_change", quantity::angle, Range::positive, plus.direction_change, diagnostics);
  read_real(fields, "shortest_interval", quantity::ratio, Range::positive, plus.shortest_interval, diagnostics);
  read_real(fields, "path_tolerance", quantity::ratio, Range::positive, plus.path_tolerance, diagnostics);
  read_flag(fields, "energy_limit", plus.energy_limit, diagnostics);
  read_flag(fields, "compress_observers", plus.compress_observers, diagnostics);
  read_flag(fields, "exhaustive", plus.exhaustive, diagnostics);
  read_flag(fields, "weigh_by_stiffness", plus.weigh_by_stiffness, diagnostics);
  if (const YamlNode* budget = fields.find("round_budget")) {
    plus.round_budget = read_integer(*budget, "round_budget", diagnostics).value_or(plus.round_budget);
  }
  const bool by_direction = plus.intervals == PlusIntervals::direction_change;
  for (const char* key : {"direction_change", "shortest_interval"}) {
    if (by_direction || !fields.find(key)) continue;
    diagnostics.add(fields.place(key),
                    std::string(key) + " belongs to intervals: direction-change; set that, or remove it");
  }
  if (by_direction && fields.find("path_tolerance")) {
    diagnostics.add(fields.place("path_tolerance"),
                    "path_tolerance belongs to intervals: second-order; set that, or remove it");
  }
}

void read_propagative(const YamlNode& node, LawKind law, PropagativeOptions& propagative, Diagnostics& diagnostics) {
  const Fields fields(node, "propagative", {"order", "most_resets", "plastic", "restitution"}, diagnostics);
  if (const YamlNode* order = fields.find("order")) {
    const auto choice = read_choice(*order, "order", {"deepest", "first", "last", "in-turn"}, diagnostics);
    if (choice) propagative.order = static_cast<ResetOrder>(*choice);
  }
  if (const YamlNode* limit = fields.find("most_resets")) {
    propagative.most_resets = read_integer(*limit, "most_resets", diagnostics).value_or(propagative.most_resets);
  }
  if (const YamlNode* plastic = fields.find("plastic")) {
    const auto choice = read_choice(*plastic, "plastic", {"cone", "span"}, diagnostics);
    if (choice) propagative.plastic = *choice == 0 ? PlasticKind::cone : PlasticKind::span;
  }
  if (const YamlNode* restitution = fields.find("restitution")) {
    const auto choice = read_choice(*restitution, "restitution", {"speeds", "energies"}, diagnostics);
    if (choice) propagative.reading = *choice == 0 ? EnergyReading::speeds : EnergyReading::energies;
  }
  for (const char* key : {"plastic", "restitution"}) {
    if (law->restitution == RestitutionUse::blend || !fields.find(key)) continue;
    diagnostics.add(fields.place(key), std::string(key) +
                                           " belongs to law energy-blend, which lies between a plastic "
                                           "and the elastic outcome; set law to it, or remove " +
                                           key);
  }
}

void read_compliant(const YamlNode& node, CompliantSettings& compliant, Diagnostics& diagnostics) {
  const Fields fields(node, "compliant", {"transition_speed", "limit_stiffness", "limit_dissipation", "most_steps"},
                      diagnostics);
  read_real(fields, "transition_speed", quantity::speed, Range::positive, compliant.transition_speed, diagnostics);
  read_real(fields, "limit_stiffness", quantity::stiffness, Range::positive, compliant.limit_stiffness, diagnostics);
  read_real(fields, "limit_dissipation", Quantity{"s/rad or s/m"}, Range::not_negative, compliant.limit_dissipation,
            diagnostics);
  if (const YamlNode* steps = fields.find("most_steps")) {
    compliant.most_steps = read_integer(*steps, "most_steps", diagnostics).value_or(compliant.most_steps);
  }
}

void read_quasi_rigid(const YamlNode& node, QuasiRigidSettings& settings, Diagnostics& diagnostics) {
  const Fields fields(node, "quasi_rigid", {"slip", "deflection", "tolerance", "iterations", "halvings"}, diagnostics);
  if (const YamlNode* slip = fields.find("slip")) {
    constexpr SlipKinematics kinds[] = {SlipKinematics::of_bodies, SlipKinematics::of_layers};
    const auto choice = read_choice(*slip, "slip", {slip_name(kinds[0]), slip_name(kinds[1])}, diagnostics);
    if (choice) settings.slip = kinds[*choice];
  }
  if (const YamlNode* deflection = fields.find("deflection")) {
    constexpr DeflectionMeasure kinds[] = {DeflectionMeasure::distance, DeflectionMeasure::euclidean,
                                           DeflectionMeasure::algebraic};
    std::vector<std::string> names;
    for (const DeflectionMeasure kind : kinds) names.push_back(deflection_name(kind));
    const auto choice = read_choice(*deflection, "deflection", names, diagnostics);
    if (choice) settings.deflection = kinds[*choice];
  }
  read_real(fields, "tolerance", quantity::ratio, Range::positive, settings.tolerance, diagnostics);
  if (const YamlNode* iterations = fields.find("iterations")) {
    settings.iterations = read_integer(*iterations, "iterations", diagnostics).value_or(settings.iterations);
  }
  if (const YamlNode* halvings = fields.find("halvings")) {
    settings.halvings = read_integer(*halvings, "halvings", diagnostics).value_or(settings.halvings);
  }
}

}  // namespace

const std::vector<std::string>& law_keys() {
  static const std::vector<std::string> keys = {"tolerance",   "proximity", "plus",       "lzb",
                                                "propagative", "compliant", "quasi_rigid"};
  return keys;
}

void read_law_settings(const Fields& fields, LawKind law, Method& method, Diagnostics& diagnostics) {
  const auto refuse_other = [&](const std::string& key) {
    if (law->options == key) return;
    diagnostics.add(fields.place(key),
                    key + " has no effect under law " + law_name(law) + "; remove it, or set law to " + key);
  };
  if (const YamlNode* node = fields.find("plus")) {
    refuse_other("plus");
    read_plus(*node, method.plus, diagnostics);
  }
  if (const YamlNode* node = fields.find("lzb")) {
    refuse_other("lzb");
    const Fields settings(*node, "lzb", {"accuracy"}, diagnostics);
    read_real(settings, "accuracy", quantity::ratio, Range::positive, method.lzb_accuracy, diagnostics);
  }
  if (const YamlNode* node = fields.find("propagative")) {
    refuse_other("propagative");
    read_propagative(*node, law, method.propagative, diagnostics);
  }
  read_real(fields, "tolerance", quantity::ratio, Range::positive, method.tolerance, diagnostics);
  read_real(fields, "proximity", quantity::length, Range::positive, method.proximity, diagnostics);
  if (const YamlNode* node = fields.find("compliant")) read_compliant(*node, method.compliant, diagnostics);
  if (const YamlNode* node = fields.find("quasi_rigid")) read_quasi_rigid(*node, method.quasi_rigid, diagnostics);
}

}  // namespace carom
