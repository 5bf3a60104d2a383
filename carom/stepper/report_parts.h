#pragma once

#include "carom/certificate/judge.h"
#include "carom/stepper/step_report.h"

namespace carom {

/// Makes the report of a step that consists of several parts and impacts.

/// Empties a report for a step that ends at `time`; buffers stay.
void clear(StepReport& report, std::int64_t step, double time);

/// An event at a contact, with its bodies.
Event event_of(const Model& model, EventKind kind, const ContactId& id, double time, std::int64_t step);

/// A contact of the latest part or impact; what it carried before in the step is added to its impulse.
void add_contact(const ContactReport& contact, StepReport& report);

/// The energies of a part.
void add_energy(const EnergyLedger& part, EnergyLedger& whole);

/// Adds the judge's verdict on a part of a step: the worst of each number stays.
void add_verdict(const Judge::Verdict& verdict, StepReport& report);

/// A part of a step: its contacts and events, sums of its energies and the worst of its residuals. Not its impacts, and
/// no impulses of joints, of which several parts have no sum about one place.
void add_part(const StepReport& part, StepReport& whole);

/// The impacts of a part, with their contacts and intervals. Their effects on contacts and energies are in the part's
/// own.
void add_impacts(const StepReport& part, StepReport& whole);

/// Adds the latest impact of report.impacts: its contacts' impulses, an event for each that has one, and its energies.
/// It changed the kinetic energy by `kinetic`, J.
void add_impact(double kinetic, StepReport& report);

/// Ends the report of a step that was integrated up to `end`, s, with the changes of the energies. Kinetic and
/// potential energy at its start are given, and those at its end are in the ledger. The error of the free motion is
/// what the ledger's other lines do not explain. A state that is not `finite` counts as inaccurate, and a step that is
/// not solved as an event.
void close_integrated(double kinetic, double potential, bool finite, double end, StepReport& report);

/// Memory of a contact after the step: its impulse there, none if it carried none.
ContactMemory memory_of(const ContactId& id, bool sliding, const StepReport& report);

}  // namespace carom
