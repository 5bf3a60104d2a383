#include "carom/scene/planes.h"

#include "carom/scene/values.h"

namespace carom {

std::optional<Mat3> read_plane(const YamlNode& node, Diagnostics& diagnostics) {
  const auto choice = read_choice(node, "plane", {"xy", "xz", "yz"}, diagnostics);
  if (!choice) return {};
  const Vec3 first = *choice == 2 ? Vec3::UnitY() : Vec3::UnitX(),
             second = *choice == 0 ? Vec3::UnitY() : Vec3::UnitZ();
  Mat3 axes;
  axes << first, second, first.cross(second);
  return axes;
}

}  // namespace carom
