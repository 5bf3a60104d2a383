#pragma once

#include <cstdint>
#include <string>

#include "carom/record/record.h"

namespace carom {

/// A step of a stepper whose problem holds its geometry (implicit-geometry, quasi-rigid), kept to be posed again. Such
/// a step is a function of the state that it begins with. So the scene is kept, with that state as its initial one and
/// a duration that ends with the step. The mixed complementarity problem then comes back bit for bit. The file is the
/// record of a run that has taken no step yet, and other readers of records read it.
///
/// Step `step` of a recorded run. Costs the steps between two recorded states. Throws Error if the record has no such
/// step, or was made by another stepper.
Scene step_of_run(const Record& record, std::int64_t step);

/// Throws Error if the file is no record, or that of a run that has steps. Throws Error if its stepper's steps are not
/// problems with their geometry.
Scene read_step(const std::string& path);
/// True if the file is a record: HDF5 with a scene in it. Never throws.
bool is_record(const std::string& path);

/// Outcome of taking the step.
struct StepOutcome {
  StepReport report;
  State end;
  double seconds = 0;  ///< wall-clock
};
/// By the method of the scene. Throws Error where its numbers make no sense.
StepOutcome take_step(const Scene& step);

/// A step to be taken, or with what came of it. Throws Error if no record can be made there.
void write_step(const std::string& path, const Scene& step);
void write_step(const std::string& path, const Scene& step, const StepOutcome& outcome);
/// True if write_step may have written the record: it says so, or has no steps.
bool is_kept_step(const Record& record);

/// The JSON object that `carom solve --json` prints of a kept step (docs/manual/json.md). `path`: of the step; `out`:
/// of the record written, empty for none.
std::string step_json(const std::string& path, const Scene& step, const StepOutcome& outcome, const std::string& out);
/// The same for a person at a terminal.
std::string step_text(const std::string& path, const Scene& step, const StepOutcome& outcome, const std::string& out);

}  // namespace carom
