#include "carom/record/summary.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "carom/counted.h"
#include "carom/record/body_motion.h"
#include "carom/record/certificate_json.h"

namespace carom {
namespace {

using Json = nlohmann::ordered_json;
constexpr double round_off = 1e-8;

template <class Vector>
Json json_vector(const Vector& vector) {
  Json list = Json::array();
  for (double value : vector) list.push_back(json_number(value));
  return list;
}

std::string body_name(const Model& model, int body) {
  return body < 0 ? "world" : model.bodies()[static_cast<std::size_t>(body)].name;
}

Json bodies_json(const Model& model, const State& state) {
  const std::vector<BodyMotion> motions = body_motions(model, state);
  Json bodies = Json::array();
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Quaternion& R = motions[i].orientation;
    bodies.push_back({{"name", model.bodies()[i].name},
                      {"position", json_vector(motions[i].position)},
                      {"orientation", json_vector(Eigen::Vector4d(R.w(), R.x(), R.y(), R.z()))},
                      {"velocity", json_vector(motions[i].velocity)},
                      {"angular_velocity", json_vector(motions[i].angular_velocity)}});
  }
  return bodies;
}

Json event_json(const Model& model, const Event& event) {
  Json object{{"time", json_number(event.time)}, {"step", event.step}, {"kind", event_name(event.kind)}};
  if (event.kind == EventKind::unsolved) {
    object["bodies"] = Json::array();
    return object;
  }
  object["bodies"] = {body_name(model, event.body_a), body_name(model, event.body_b)};
  if (event.id.is_limit()) {
    object[event.id.is_ratchet() ? "ratchet" : "limit"] = (event.id.feature == ContactId::lower     ? "lower"
                                                           : event.id.feature == ContactId::upper   ? "upper"
                                                           : event.id.feature == ContactId::forward ? "forward"
                                                                                                    : "backward");
    object["coordinate"] = event.id.b;
  } else if (event.id.is_rope()) {
    object["rope"] = model.constraints()[static_cast<std::size_t>(event.id.b)].name;
  } else {
    const auto& colliders = model.colliders();
    object["colliders"] = {colliders[static_cast<std::size_t>(event.id.a)].name,
                           colliders[static_cast<std::size_t>(event.id.b)].name};
    object["feature"] = event.id.feature;
  }
  return object;
}

std::string dump(const Json& json) {
  // Names come from the user's file and may hold bytes that are no UTF-8: they are replaced, not thrown at.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string dimensionless(double value) { return value == 0 ? "0" : fmt::format("{:.1e}", value); }

Verdict line(std::string name, std::string meaning, std::string value, bool good = true) {
  return {std::move(name), std::move(meaning), std::move(value), good, true};
}

/// A quantity that is told but not judged.
Verdict told(std::string name, std::string meaning, std::string value, double number) {
  return {std::move(name), std::move(meaning), std::move(value), std::isfinite(number), false};
}

Verdict small(std::string name, std::string meaning, double value) {
  return line(std::move(name), std::move(meaning), dimensionless(value), std::abs(value) <= round_off);
}

}  // namespace

std::string cone_text(const Method& method) {
  return method.cone == FrictionCone::exact ? "exact cone" : fmt::format("{} generators", method.directions);
}

std::string run_json(const Record& record, const std::string& report) {
  const Scene& scene = record.scene;
  const State& state = record.frames.back().state;
  Json events = Json::array();
  for (const Event& event : record.events) events.push_back(event_json(*scene.model, event));
  const bool exact = scene.method.cone == FrictionCone::exact;
  const Json object{{"scene", scene.file.empty() ? scene.name : scene.file},
                    {"name", scene.name},
                    {"version", record.version},
                    {"end", record.end},
                    {"stepper", stepper_name(scene.method.stepper)},
                    {"law", law_name(scene.method.law)},
                    {"dynamics", dynamics_name(scene.method.dynamics)},
                    {"cone", cone_name(scene.method.cone)},
                    {"directions", exact ? Json() : Json(scene.method.directions)},
                    {"step", scene.method.step},
                    {"steps", state.step},
                    {"time", json_number(state.time)},
                    {"wall_seconds", json_number(record.wall_seconds)},
                    {"state", {{"q", json_vector(state.q)}, {"v", json_vector(state.v)}}},
                    {"bodies", bodies_json(*scene.model, state)},
                    {"events", std::move(events)},
                    {"certificate", certificate_object(record)},
                    {"record", record.path},
                    {"report", report.empty() ? Json() : Json(report)}};
  return dump(object);
}

std::string certificate_json(const Record& record) { return dump(certificate_object(record)); }

std::vector<Verdict> verdicts(const Record& record) {
  const RunCertificate& certificate = record.certificate;
  const SolveCertificate& contact = certificate.contact;
  const double scale = certificate.largest_energy > 0 ? certificate.largest_energy : 1;
  std::vector<Verdict> lines;
  lines.push_back(line("status", "steps whose contact problem was not solved",
                       certificate.unsolved_steps == 0
                           ? fmt::format("0 of {}", certificate.steps)
                           : fmt::format("{} of {}, first step {} ({})", certificate.unsolved_steps, certificate.steps,
                                         certificate.first_unsolved_step, status_name(certificate.worst_status)),
                       certificate.unsolved_steps == 0));
  lines.push_back(small("momentum_residual", "change of momentum against all impulses", certificate.momentum_residual));
  lines.push_back(small("normal_complementarity", "contacts push, never pull, and only where they touch",
                        contact.normal_complementarity));
  lines.push_back(small("cone_violation", "friction beyond its limit", contact.cone_violation));
  const bool exact = record.scene.method.cone == FrictionCone::exact;
  lines.push_back(small("dissipation_residual",
                        exact ? "friction that does not oppose slip"
                              : "friction that does not oppose slip, beyond the polyhedral cone's error",
                        contact.dissipation_residual));
  lines.push_back(small("contact_work_gain", "energy that the contacts of one step gave, of the run's largest",
                        certificate.contact_work_gain / scale));
  if (exact) {
    lines.push_back(small("natural_map", "distance from Coulomb friction, exact cone", contact.natural_map));
  } else {
    lines.push_back(told("polyhedral_error",
                         fmt::format("friction's deviation from opposing slip, due to a cone of {} generators",
                                     record.scene.method.directions),
                         dimensionless(contact.polyhedral_error), contact.polyhedral_error));
  }
  if (!exact && record.scene.method.law == LawKind::none) {
    lines.push_back(told("natural_map", "distance from exact Coulomb friction, the polyhedral error included",
                         dimensionless(contact.natural_map), contact.natural_map));
  }
  lines.push_back(told("penetration", "largest overlap", fmt::format("{:.3g} m", certificate.penetration),
                       certificate.penetration));
  lines.push_back(told("constraint_drift", "largest violation of a joint limit, constraint or rope",
                       fmt::format("{:.3g} m or rad", certificate.constraint_drift), certificate.constraint_drift));
  lines.push_back(told("free_motion_error", "energy that the motion between contacts made (+) or lost (-) in the run",
                       fmt::format("{:+.3g} J of {:.3g} J", certificate.energy.free_motion_error, scale),
                       certificate.energy.free_motion_error));
  return lines;
}

std::string run_text(const Record& record, const std::string& report) {
  const Scene& scene = record.scene;
  const State& state = record.frames.back().state;
  const EnergyLedger& energy = record.certificate.energy;
  std::string text =
      fmt::format("{}: {} of {:g} s to {:g} s in {:.2f} s ({})\n", scene.name, counted(state.step, "step"),
                  scene.method.step, state.time, record.wall_seconds, record.end);
  text += fmt::format("method      {}, law {}, dynamics {}, {}\n", stepper_name(scene.method.stepper),
                      law_name(scene.method.law), dynamics_name(scene.method.dynamics), cone_text(scene.method));
  text += fmt::format("energy      kinetic {:.6g} J, potential {:.6g} J; contacts {:+.4g} J, dampers {:+.4g} J\n",
                      energy.kinetic, energy.potential, energy.contact_work, -energy.damping);
  text += fmt::format("events      {}\n", record.events.size());
  for (const Verdict& verdict : verdicts(record)) {
    text += fmt::format("{:<11} {:<24} {:<22} {}\n",
                        !verdict.good    ? "  LOOK HERE"
                        : verdict.judged ? "  ok"
                                         : "",
                        verdict.name, verdict.value, verdict.meaning);
  }
  text += fmt::format("record      {}\n", record.path);
  if (!report.empty()) text += fmt::format("report      {}\n", report);
  return text;
}

}  // namespace carom
