#include "carom/scene/fingerprint.h"

#include <cstdint>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>

namespace carom {

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
