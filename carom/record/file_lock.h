#pragma once

#include <string>

namespace carom {

/// An advisory lock (flock) on a file, through a descriptor of its own. HDF5's readers, h5py among them, respect it. It
/// ends with the object and with the program. If a file system has no locks, every take succeeds.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  FileLock() = default;
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;
  ~FileLock();

  /// Locks the file that the first call of this object found at `path`. False if somebody else's lock forbids it or
  /// there is no such file; never waits.
  [[nodiscard]] bool take(const std::string& path, Kind kind);
  void release();
  /// True if the locked file is the one that has the name `path` now.
  bool holds(const std::string& path) const;

 private:
  int descriptor_ = -1;
};

}  // namespace carom
