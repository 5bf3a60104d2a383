#pragma once

#include <pybind11/pybind11.h>

#include "scene_source.h"

namespace carom::python {

/// From keywords. Throws TypeError for one that is none, or has a value of another type.
SceneSettings settings_of(const pybind11::dict& keywords);

}  // namespace carom::python
