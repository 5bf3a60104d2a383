#include "carom/scene/fingerprint.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace carom {

std::string name_from_scene(const std::string& name, const Diagnostics& diagnostics, Place place) {
  using Path = std::filesystem::path;
  const bool relative = !Path(name).is_absolute() && name.find("://") == std::string::npos;
  if (place.file == 0 || !relative) return name;
  const Path from = Path(diagnostics.file({})).parent_path(), to = Path(diagnostics.file(place)).parent_path() / name;
  return to.lexically_normal().lexically_proximate(from.empty() ? Path(".") : from.lexically_normal()).string();
}

std::string fingerprint(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::uint64_t hash = 14695981039346656037u;
  for (std::istreambuf_iterator<char> byte(stream), end; byte != end; ++byte) {
    hash = (hash ^ static_cast<unsigned char>(*byte)) * 1099511628211u;
  }
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << hash;
  return text.str();
}

}  // namespace carom
