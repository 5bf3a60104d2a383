#include "carom/record/certificate_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/record/part_names.h"
#include "carom/stepper/absent_numbers.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json energy_object(const RunCertificate& certificate) {
  const EnergyLedger& energy = certificate.energy;
  // The parts that were added up carry the round-off of every step: judge the sum by the largest energy.
  const double sum = -energy.damping + energy.drive_work + energy.joint_friction + energy.contact_work +
                     energy.constraint_work + energy.opposed_work + energy.push_out + energy.projection +
                     energy.free_motion_error;
  return {{"kinetic", json_number(energy.kinetic)},
          {"potential", json_number(energy.potential)},
          {"kinetic_change", json_number(energy.kinetic_change)},
          {"potential_change", json_number(energy.potential_change)},
          {"damping", json_number(energy.damping)},
          {"drive_work", json_number(energy.drive_work)},
          {"joint_friction", json_number(energy.joint_friction)},
          {"contact_work", json_number(energy.contact_work)},
          {"constraint_work", json_number(energy.constraint_work)},
          {"opposed_work", json_number(energy.opposed_work)},
          {"push_out", json_number(energy.push_out)},
          {"projection", json_number(energy.projection)},
          {"free_motion_error", json_number(energy.free_motion_error)},
          {"imbalance", json_number(energy.kinetic_change + energy.potential_change - sum)},
          {"largest_energy", json_number(certificate.largest_energy)},
          {"contact_work_gain", json_number(certificate.contact_work_gain)},
          {"contact_work_gain_step",
           certificate.contact_work_gain_step < 0 ? Json() : Json(certificate.contact_work_gain_step)}};
}

/// The worst of each number over the impacts.
Json impacts_object(const Record& record, Json& reasons) {
  if (!has_impacts(record.scene.method)) {
    reasons["impacts"] = record.scene.method.stepper == StepperKind::compliant
                             ? "this run integrates through impacts; it has none that are instants"
                             : "the impact law of this run is part of its steps; it has no impacts of their own";
    return Json();
  }
  const RunCertificate& certificate = record.certificate;
  const ImpactCertificate& impact = certificate.impact;
  Json object{{"count", certificate.impacts},
              {"unresolved", certificate.unresolved_impacts},
              {"approach", json_number(impact.approach)},
              {"bilateral", json_number(impact.bilateral)},
              {"pull", json_number(impact.pull)},
              {"cone_violation", json_number(impact.cone_violation)}};
  const auto known = [&](const char* name, const std::optional<double>& value) {
    object[name] = value ? json_number(*value) : Json();
    if (value) return;
    reasons[std::string("impacts.") + name] =
        certificate.impacts == 0 ? "nothing struck" : "the impact law of this run does not tell the path of an impact";
  };
  known("dissipation_residual", impact.dissipation_residual);
  known("path_residual", impact.path_residual);
  object["energy_gain"] = json_number(impact.energy_gain);
  object["driving_work"] = json_number(impact.driving_work);
  return object;
}

}  // namespace

Json json_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json state_json(const Model& model, const State& state) {
  const auto numbers = [](const VectorX& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(json_number(value));
    return list;
  };
  return {{"q", numbers(state.q)},
          {"q_names", position_names(model)},
          {"v", numbers(state.v)},
          {"v_names", velocity_names(model)}};
}

Json certificate_object(const Record& record) {
  const RunCertificate& certificate = record.certificate;
  Json reasons = Json::object();
  const Method& method = record.scene.method;
  Json object{
      {"status", status_name(certificate.worst_status)},
      {"steps", certificate.steps},
      {"unsolved_steps", certificate.unsolved_steps},
      {"first_unsolved_step", certificate.first_unsolved_step < 0 ? Json() : Json(certificate.first_unsolved_step)}};
  for (const JudgedNumber& number : judged_numbers) {
    if (number.verdict == JudgedNumber::Verdict::recorded) continue;
    const std::string why_not = why_absent(number.name, method);
    object[number.name] = why_not.empty() ? json_number(number.value(certificate, certificate.contact)) : Json();
    if (!why_not.empty()) reasons[number.name] = why_not;
  }
  object["impacts"] = impacts_object(record, reasons);
  object["energy"] = energy_object(certificate);
  if (record.scene.method.accuracy > 0) {
    object["parts"] = certificate.parts;
    object["trials"] = certificate.trials;
    object["shortest_part"] = json_number(certificate.shortest_part);
  }
  object["largest_lcp"] = certificate.largest_lcp;
  object["largest_contact_count"] = certificate.largest_contact_count;
  object["slow_steps"] = certificate.slow_steps;
  object["most_iterations"] = certificate.most_iterations;
  const bool iterates = certificate.most_iterations_step >= 0;
  object["most_iterations_step"] = iterates ? Json(certificate.most_iterations_step) : Json();
  if (!iterates) reasons["most_iterations_step"] = "no step's solve took sweeps or Newton steps";
  object["unique"] = Json();
  reasons["unique"] = "told for impact laws with a set of outcomes; time stepping gives one";
  if (certificate.first_unsolved_step < 0) reasons["first_unsolved_step"] = "every step was solved";
  if (certificate.contact_work_gain_step < 0)
    reasons["energy.contact_work_gain_step"] = "no step's contacts gave energy";
  object["reasons"] = std::move(reasons);
  return object;
}

}  // namespace carom
