#include "carom/import/parts_folder.h"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>
#include <thread>

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr const char* heading = "carom convex parts 1";  // another number where the same mesh gets other parts
constexpr std::size_t most_numbers = 10'000'000;

/// FNV-1a, of 64 bits from two starts: together as good as unique.
class Hash {
 public:
  template <typename Number>
  void add(Number number) {
    unsigned char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    for (const unsigned char byte : bytes) {
      one_ = (one_ ^ byte) * prime;
      other_ = (other_ ^ (byte + 1u)) * prime;
    }
  }
  std::string text() const {
    std::ostringstream words;
    words << std::hex << std::setfill('0') << std::setw(16) << one_ << std::setw(16) << other_;
    return words.str();
  }

 private:
  static constexpr std::uint64_t prime = 1099511628211u;
  std::uint64_t one_ = 14695981039346656037u, other_ = 9600629759793949339u;
};

/// A name that no other writer has at the time.
std::string writer() {
  std::ostringstream name;
  name << ::getpid() << '.' << std::this_thread::get_id();
  return name.str();
}

std::string folder_of_user() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache != '\0') return (fs::path(cache) / "carom").string();
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? (fs::path(home) / ".cache" / "carom").string() : "";
}

}  // namespace

PartsFolder::PartsFolder(const std::string& folder) : folder_(folder.empty() ? folder_of_user() : folder) {}

std::string PartsFolder::name_of(std::span<const Vec3> vertices, std::span<const std::uint32_t> triangles) {
  Hash hash;
  for (const Vec3& vertex : vertices) {
    for (int k = 0; k < 3; ++k) hash.add(vertex[k]);
  }
  for (const std::uint32_t corner : triangles) hash.add(corner);
  return hash.text() + ".parts";
}

std::optional<StoredParts> PartsFolder::read(const std::string& name) const {
  if (folder_.empty()) return {};
  std::ifstream file(fs::path(folder_) / name);
  std::string line;
  if (!std::getline(file, line) || line != heading) return {};
  StoredParts stored;
  std::size_t parts = 0, total = 0;
  if (!(file >> stored.excess >> parts) || !std::isfinite(stored.excess) || parts == 0) return {};
  for (std::size_t i = 0; i < parts; ++i) {
    std::size_t corners = 0;
    if (!(file >> corners) || corners < 4 || (total += corners) > most_numbers) return {};
    std::vector<Vec3>& part = stored.parts.emplace_back(corners);
    for (Vec3& corner : part) {
      if (!(file >> corner.x() >> corner.y() >> corner.z()) || !corner.allFinite()) return {};
    }
  }
  return stored;
}

bool PartsFolder::write(const std::string& name, const StoredParts& parts) const {
  if (folder_.empty()) return false;
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path whole = fs::path(folder_) / name, half = whole.string() + "." + writer();
  {
    std::ofstream file(half);
    file << heading << '\n' << std::setprecision(std::numeric_limits<double>::max_digits10);
    file << parts.excess << ' ' << parts.parts.size() << '\n';
    for (const std::vector<Vec3>& part : parts.parts) {
      file << part.size() << '\n';
      for (const Vec3& corner : part) file << corner.x() << ' ' << corner.y() << ' ' << corner.z() << '\n';
    }
    file.close();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) fs::rename(half, whole, error);
  if (!error) return true;
  fs::remove(half, error);
  return false;
}

}  // namespace carom
