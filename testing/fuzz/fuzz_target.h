#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/error.h"

namespace carom::fuzz {

/// Lets a reader have one input. An Error is the proper answer to what cannot be read. Any other exception is a defect,
/// and so is anything that the sanitizers or the limits of time and memory end.
template <class Read>
int read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const Error&) {
  }
  return 0;
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A path of this process's own, whose file is gone when the process ends well.
class TemporaryPath {
 public:
  explicit TemporaryPath(const std::string& ending)
      : path_(
            (std::filesystem::temp_directory_path() / ("carom_fuzz_" + std::to_string(::getpid()) + ending)).string()) {
  }
  ~TemporaryPath() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;

  const std::string& name() const { return path_; }
  void write(const std::uint8_t* data, std::size_t size) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  }

 private:
  std::string path_;
};

}  // namespace carom::fuzz
