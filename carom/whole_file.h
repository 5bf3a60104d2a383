#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "carom/output_error.h"

namespace carom {

/// Writes a file of this text. An existing regular file at `path` stays until the new one is complete. Throws Error if
/// no file can be made there, OutputError if it can't be written; `what` names it in the sentence, as in "the page".
inline void write_whole_file(const std::string& path, const std::string& text, const std::string& what) {
  const std::string part = path + ".part", trouble = path + ": can't write " + what;
  std::error_code failed, ignored;
  // A symbolic link or a device is written to in place.
  const bool in_place = std::filesystem::exists(path, ignored) && (!std::filesystem::is_regular_file(path, ignored) ||
                                                                   std::filesystem::is_symlink(path, ignored));
  errno = 0;
  std::ofstream file(in_place ? path : part, std::ios::binary);
  if (!file) throw Error(trouble + ": " + std::strerror(errno));
  errno = 0;
  file << text;
  if (file) file.close();
  if (!file) {
    const int error = errno;
    file.close();
    if (!in_place) std::filesystem::remove(part, ignored);
    throw OutputError(trouble, error != 0 ? std::strerror(error) : "no reason given");
  }
  if (in_place) return;
  std::filesystem::rename(part, path, failed);
  if (failed) throw Error(trouble + ": " + failed.message());
}

}  // namespace carom
