#pragma once

#include "carom/stepper/step_report.h"

namespace carom {

/// Calls visit(name, field) for every number of a run's certificate but the status: one list for writing and reading.
template <class Certificate, class Visit>
void visit_fields(Certificate&& certificate, Visit&& visit) {
  visit("steps", certificate.steps);
  visit("unsolved_steps", certificate.unsolved_steps);
  visit("first_unsolved_step", certificate.first_unsolved_step);
  visit("momentum_residual", certificate.momentum_residual);
  visit("normal_complementarity", certificate.contact.normal_complementarity);
  visit("cone_violation", certificate.contact.cone_violation);
  visit("dissipation_residual", certificate.contact.dissipation_residual);
  visit("polyhedral_error", certificate.contact.polyhedral_error);
  visit("natural_map", certificate.contact.natural_map);
  visit("largest_contact_work", certificate.contact.contact_work);
  visit("largest_push_out", certificate.contact.push_out);
  visit("worst_work", certificate.contact.worst_work);
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
  visit("held", certificate.energy.held);
  visit("push_out", certificate.energy.push_out);
  visit("projection", certificate.energy.projection);
  visit("free_motion_error", certificate.energy.free_motion_error);
  visit("largest_energy", certificate.largest_energy);
  visit("contact_work_gain", certificate.contact_work_gain);
  visit("contact_work_gain_step", certificate.contact_work_gain_step);
  visit("penetration", certificate.penetration);
  visit("constraint_drift", certificate.constraint_drift);
  visit("largest_lcp", certificate.largest_lcp);
  visit("largest_contact_count", certificate.largest_contact_count);
}

}  // namespace carom
