#pragma once

#include <pybind11/pybind11.h>

#include "scene_source.h"

namespace carom::python {

/// From keywords. Throws TypeError for one that is none.
SceneSettings settings_of(const pybind11::kwargs& keywords);

}  // namespace carom::python
