#include "carom/stepper/report_parts.h"

#include <algorithm>

#include "carom/complementarity/worse_of.h"
#include "carom/stepper/step_loads.h"

namespace carom {

void clear(StepReport& report, std::int64_t step, double time) {
  report.step = step;
  report.time = time;
  report.status = SolveStatus::solved;
  report.solver = SolverKind::none;
  report.contacts_considered = report.lcp_size = report.iterations = report.resolves = 0;
  report.contacts.clear();
  report.events.clear();
  report.impacts.clear();
  report.struck.clear();
  report.intervals.clear();
  report.interval_contacts.clear();
  report.energy = {};
  report.contact_certificate = {};
  static_cast<Judged&>(report) = {};
  report.solve_residual = 0;
  report.parts = report.trials = 1;
  report.shortest_part = 0;
  report.loads.setZero();
  report.joint_impulses.clear();
  report.constraint_impulses.clear();
  report.redundant_rows.clear();
  report.stages = {};
}

Event event_of(const Model& model, EventKind kind, const ContactId& id, double time, std::int64_t step) {
  Event event{.time = time, .step = step, .kind = kind, .id = id};
  if (id.is_surface()) {
    event.body_a = model.colliders()[id.a].body;
    event.body_b = model.colliders()[id.b].body;
  } else if (id.is_limit()) {
    event.body_a = model.coordinate_body(id.b);
    event.body_b = model.joints()[event.body_a].parent;
  } else if (id.is_tendon()) {
    event.body_a = model.constraints()[id.b].shares.front().body;
    event.body_b = model.constraints()[id.b].shares.back().body;
    if (event.body_b == event.body_a) event.body_b = -1;
  } else {
    event.body_a = model.constraints()[id.b].body_a;
    event.body_b = model.constraints()[id.b].body_b;
  }
  return event;
}

void add_contact(const ContactReport& contact, StepReport& report) {
  const auto place = std::lower_bound(report.contacts.begin(), report.contacts.end(), contact.id,
                                      [](const ContactReport& c, const ContactId& id) { return c.id < id; });
  if (place == report.contacts.end() || place->id != contact.id) {
    report.contacts.insert(place, contact);
    return;
  }
  const Vec3 carried =
      contact.id.is_surface() ? Vec3(contact.R_WC.transpose() * (place->R_WC * place->impulse)) : place->impulse;
  *place = contact;
  place->impulse += carried;
}

void add_energy(const EnergyLedger& part, EnergyLedger& whole) {
  whole.kinetic = part.kinetic;
  whole.potential = part.potential;
  whole.kinetic_change += part.kinetic_change;
  whole.potential_change += part.potential_change;
  whole.damping += part.damping;
  whole.drive_work += part.drive_work;
  whole.joint_friction += part.joint_friction;
  whole.contact_work += part.contact_work;
  whole.constraint_work += part.constraint_work;
  whole.opposed_work += part.opposed_work;
  whole.push_out += part.push_out;
  whole.projection += part.projection;
  whole.free_motion_error += part.free_motion_error;
}

void add_verdict(const Judge::Verdict& verdict, StepReport& report) {
  report.momentum_residual = worse_of(report.momentum_residual, verdict.momentum_residual);
  report.kinematic_residual = worse_of(report.kinematic_residual, verdict.kinematic_residual);
  keep_worst(verdict.conditions, report.contact_certificate);
}

void add_part(const StepReport& part, StepReport& whole) {
  for (ContactReport& contact : whole.contacts) contact.mode = ContactMode::separating;
  for (const ContactReport& contact : part.contacts) add_contact(contact, whole);
  for (Event event : part.events) {
    event.step = whole.step;
    whole.events.push_back(event);
  }
  whole.status = worse_status(whole.status, part.status);
  whole.solve_residual = worse_of(whole.solve_residual, part.solve_residual);
  whole.contacts_considered = std::max(whole.contacts_considered, part.contacts_considered);
  whole.lcp_size = std::max(whole.lcp_size, part.lcp_size);
  whole.iterations += part.iterations;
  whole.solver = part.solver;
  whole.resolves += part.resolves;
  add_energy(part.energy, whole.energy);
  add_loads(part.loads, whole.loads);
  keep_worst(part.contact_certificate, whole.contact_certificate);
  keep_worst(part, part.contact_certificate, whole, whole.contact_certificate);
  whole.redundant_rows = part.redundant_rows;
}

void add_impacts(const StepReport& part, StepReport& whole) {
  const std::size_t struck = whole.struck.size(), intervals = whole.intervals.size();
  const std::size_t interval_contacts = whole.interval_contacts.size();
  whole.struck.insert(whole.struck.end(), part.struck.begin(), part.struck.end());
  for (ImpactReport impact : part.impacts) {
    impact.step = whole.step;
    impact.first_contact += struck;
    impact.first_interval += intervals;
    whole.impacts.push_back(impact);
  }
  for (ImpactInterval interval : part.intervals) {
    interval.first_contact += interval_contacts;
    whole.intervals.push_back(interval);
  }
  for (IntervalContact contact : part.interval_contacts) {
    contact.contact += struck;
    whole.interval_contacts.push_back(contact);
  }
}

void add_impact(double kinetic, StepReport& report) {
  const ImpactReport& impact = report.impacts.back();
  for (std::size_t i = 0; i < impact.contacts; ++i) {
    const ImpactContact& struck = report.struck[impact.first_contact + i];
    if (!(struck.impulse[2] > 0)) continue;
    ContactReport contact;
    contact.id = struck.id;
    contact.body_a = struck.body_a;
    contact.body_b = struck.body_b;
    contact.position = struck.position;
    contact.R_WC = struck.R_WC;
    contact.gap = struck.gap;
    contact.impulse = struck.impulse;
    contact.velocity = struck.after;
    add_contact(contact, report);
    report.events.push_back({.time = impact.time,
                             .step = report.step,
                             .kind = EventKind::impact,
                             .id = struck.id,
                             .body_a = struck.body_a,
                             .body_b = struck.body_b});
  }
  EnergyLedger& energy = report.energy;
  energy.contact_work += impact.contact_work;
  energy.constraint_work += impact.constraint_work;
  energy.drive_work += impact.drive_work;
  energy.kinetic_change += kinetic;
  energy.free_motion_error += kinetic - impact.contact_work - impact.constraint_work - impact.drive_work;
  report.momentum_residual = worse_of(report.momentum_residual, impact.momentum_residual);
}

void close_integrated(double kinetic, double potential, bool finite, double end, StepReport& report) {
  EnergyLedger& energy = report.energy;
  energy.kinetic_change = energy.kinetic - kinetic;
  energy.potential_change = energy.potential - potential;
  energy.free_motion_error = energy.kinetic_change + energy.potential_change + energy.damping - energy.drive_work -
                             energy.joint_friction - energy.contact_work - energy.constraint_work;
  if (!finite) report.status = SolveStatus::inaccurate;
  if (report.status != SolveStatus::solved) {
    report.events.push_back({.time = end, .step = report.step, .kind = EventKind::unsolved, .id = {}});
  }
}

ContactMemory memory_of(const ContactId& id, bool sliding, const StepReport& report) {
  const auto place = std::find_if(report.contacts.begin(), report.contacts.end(),
                                  [&](const ContactReport& contact) { return contact.id == id; });
  if (place == report.contacts.end()) return {id, Vec3::Zero(), sliding};
  return {id, id.is_surface() ? Vec3(place->R_WC * place->impulse) : place->impulse, sliding};
}

}  // namespace carom
