#pragma once

/// The version, "major.minor.patch" by semantic versioning: of these headers where a program is compiled, of the
/// library where Carom was. CMakeLists.txt reads it here.
#define CAROM_VERSION "0.1.0"

namespace carom {

inline constexpr const char* version = CAROM_VERSION;

}  // namespace carom
