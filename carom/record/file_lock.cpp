#include "carom/record/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace carom {

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::take(const std::string& path, Kind kind) {
  if (descriptor_ < 0) descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) return false;
  const int operation = kind == Kind::shared ? LOCK_SH : LOCK_EX;
  return ::flock(descriptor_, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void FileLock::release() {
  if (descriptor_ >= 0) ::flock(descriptor_, LOCK_UN);
}

bool FileLock::holds(const std::string& path) const {
  struct stat held {
  }, named{};
  return descriptor_ >= 0 && ::fstat(descriptor_, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

}  // namespace carom
