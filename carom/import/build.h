#pragma once

#include "carom/import/imported_model.h"

namespace carom {

/// A builder of the imported mechanism: gravity (none if the file says nothing), materials, links, joints, shapes,
/// constraints, drives, sensors and exclusions. Numbers of bodies and materials are those of the imported model. A
/// shape without a material gets one without friction or restitution, which is then the last. The state at the start is
/// not included.
ModelBuilder builder_of(const ImportedModel& imported);

}  // namespace carom
