#pragma once

#include "carom/record/record.h"

namespace carom {

/// The scene run to its end, as far as a check of its accuracy reads a record: without a file, loads and contacts.
/// Throws Error as Simulation does, and where a step leaves no numbers.
Record run_in_memory(const Scene& scene);

}  // namespace carom
