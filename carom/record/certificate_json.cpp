#include "carom/record/certificate_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace carom {
namespace {

using Json = nlohmann::ordered_json;

Json energy_object(const RunCertificate& certificate) {
  const EnergyLedger& energy = certificate.energy;
  // The parts that were added up carry the round-off of every step: judge the sum by the largest energy.
  const double sum = -energy.damping + energy.drive_work + energy.joint_friction + energy.contact_work +
                     energy.constraint_work + energy.held + energy.push_out + energy.projection +
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
          {"held", json_number(energy.held)},
          {"push_out", json_number(energy.push_out)},
          {"projection", json_number(energy.projection)},
          {"free_motion_error", json_number(energy.free_motion_error)},
          {"imbalance", json_number(energy.kinetic_change + energy.potential_change - sum)},
          {"largest_energy", json_number(certificate.largest_energy)},
          {"contact_work_gain", json_number(certificate.contact_work_gain)},
          {"contact_work_gain_step",
           certificate.contact_work_gain_step < 0 ? Json() : Json(certificate.contact_work_gain_step)}};
}

}  // namespace

Json json_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json certificate_object(const Record& record) {
  const RunCertificate& certificate = record.certificate;
  Json reasons = Json::object();
  Json object{
      {"status", status_name(certificate.worst_status)},
      {"steps", certificate.steps},
      {"unsolved_steps", certificate.unsolved_steps},
      {"first_unsolved_step", certificate.first_unsolved_step < 0 ? Json() : Json(certificate.first_unsolved_step)},
      {"momentum_residual", json_number(certificate.momentum_residual)},
      {"normal_complementarity", json_number(certificate.contact.normal_complementarity)},
      {"cone_violation", json_number(certificate.contact.cone_violation)},
      {"dissipation_residual", json_number(certificate.contact.dissipation_residual)}};
  const Method& method = record.scene.method;
  const bool exact = method.cone == FrictionCone::exact;
  object["polyhedral_error"] = exact ? Json() : json_number(certificate.contact.polyhedral_error);
  if (exact) reasons["polyhedral_error"] = "this run's friction cone is exact";
  if (exact || method.law == LawKind::none) {
    object["natural_map"] = json_number(certificate.contact.natural_map);
  } else {
    object["natural_map"] = Json();
    reasons["natural_map"] =
        "defined for end-of-step Coulomb contact; this run has a polyhedral cone and a restitution law";
  }
  object["energy"] = energy_object(certificate);
  object["penetration"] = json_number(certificate.penetration);
  object["constraint_drift"] = json_number(certificate.constraint_drift);
  object["largest_lcp"] = certificate.largest_lcp;
  object["largest_contact_count"] = certificate.largest_contact_count;
  object["unique"] = Json();
  reasons["unique"] = "told for impact laws with a set of outcomes; time stepping gives one";
  if (certificate.first_unsolved_step < 0) reasons["first_unsolved_step"] = "every step was solved";
  if (certificate.contact_work_gain_step < 0)
    reasons["energy.contact_work_gain_step"] = "no step's contacts gave energy";
  object["reasons"] = std::move(reasons);
  return object;
}

}  // namespace carom
