#pragma once

#include <string>

#include "testing/models/random_tree.h"

namespace carom::test {

struct MjcfOptions {
  int bodies = 8;
  bool geoms = true;      ///< inertia of shapes; else every body has an <inertial> in its principal axes
  bool composite = true;  ///< several geoms in a body
};

/// A random mechanism in MJCF that uses only what both readers know. It may have joints of all types and several in one
/// body, bodies without joints, and ref. All ways to tell a rotation, default classes, and inertia of all shapes occur.
/// Bodies are called b0, b1, …
std::string random_mjcf(Random& random, const MjcfOptions& options);

}  // namespace carom::test
