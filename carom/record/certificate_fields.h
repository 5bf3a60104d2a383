#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "carom/stepper/step_report.h"

namespace carom {

/// A quantity that may be unknown, as files hold it: not a number.
inline double number_or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}
inline std::optional<double> known_number(double value) {
  return std::isnan(value) ? std::nullopt : std::optional<double>(value);
}

/// Calls visit(name, field) for every number of a run's certificate but the status: one list for writing and reading.
/// A field is a whole number, a double, or an optional double.
template <class Certificate, class Visit>
void visit_fields(Certificate&& certificate, Visit&& visit) {
  visit("steps", certificate.steps);
  visit("unsolved_steps", certificate.unsolved_steps);
  visit("first_unsolved_step", certificate.first_unsolved_step);
  for (const JudgedNumber& number : judged_numbers) {
    if constexpr (std::is_const_v<std::remove_reference_t<Certificate>>) {
      visit(number.name, number.value(certificate, certificate.contact));
    } else {
      visit(number.name, number.of(certificate, certificate.contact));
    }
  }
  visit("largest_contact_work", certificate.contact.contact_work);
  visit("largest_push_out", certificate.contact.push_out);
  visit("worst_block", certificate.contact.worst_block);
  visit("kinetic", certificate.energy.kinetic);
  visit("potential", certificate.energy.potential);
  visit("kinetic_change", certificate.energy.kinetic_change);
  visit("potential_change", certificate.energy.potential_change);
  visit("damping", certificate.energy.damping);
  visit("drive_work", certificate.energy.drive_work);
  visit("joint_friction", certificate.energy.joint_friction);
  visit("contact_work", certificate.energy.contact_work);
  visit("constraint_work", certificate.energy.constraint_work);
  visit("opposed_work", certificate.energy.opposed_work);
  visit("push_out", certificate.energy.push_out);
  visit("projection", certificate.energy.projection);
  visit("free_motion_error", certificate.energy.free_motion_error);
  visit("largest_energy", certificate.largest_energy);
  visit("contact_work_gain", certificate.contact_work_gain);
  visit("contact_work_gain_step", certificate.contact_work_gain_step);
  visit("parts", certificate.parts);
  visit("trials", certificate.trials);
  visit("shortest_part", certificate.shortest_part);
  visit("largest_lcp", certificate.largest_lcp);
  visit("largest_contact_count", certificate.largest_contact_count);
  visit("slow_steps", certificate.slow_steps);
  visit("most_iterations", certificate.most_iterations);
  visit("most_iterations_step", certificate.most_iterations_step);
  visit("impacts", certificate.impacts);
  visit("unresolved_impacts", certificate.unresolved_impacts);
  visit("impact_momentum_residual", certificate.impact.momentum_residual);
  visit("impact_approach", certificate.impact.approach);
  visit("impact_bilateral", certificate.impact.bilateral);
  visit("impact_pull", certificate.impact.pull);
  visit("impact_cone_violation", certificate.impact.cone_violation);
  visit("impact_dissipation_residual", certificate.impact.dissipation_residual);
  visit("impact_path_residual", certificate.impact.path_residual);
  visit("impact_energy_change", certificate.impact.energy_change);
  visit("impact_energy_gain", certificate.impact.energy_gain);
  visit("impact_driving_work", certificate.impact.driving_work);
}

}  // namespace carom
