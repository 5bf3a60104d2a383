#pragma once

#include <functional>
#include <optional>
#include <string>

#include "carom/record/file_lock.h"
#include "carom/record/hdf5_file.h"

namespace carom {

/// Two copies of one HDF5 file that take turns under its name, so that the file that bears the name is always complete.
///
/// PATH is never written to. Data are added to hidden(), which lies at PATH.part, and publish() lets the two change
/// names. This is one move of the file system (renameat2 with RENAME_EXCHANGE), which a program's death can't cut in
/// half. The other file is hidden then. It lacks what was added, and must be brought up to date before the next
/// publish().
///
/// The hidden file is locked (flock) and the visible one is not, so another program may read PATH at any time. If a
/// file still has a reader when its turn to be hidden comes, it is left to the reader. PATH is then copied to take its
/// place. The same is done if a file system can't exchange names. Either costs O(size) instead of O(1).
///
/// A file whose name a new one takes waits at PATH.replaced until the new one settles or closes: settle(), close(). If
/// a writer is killed it stays there, and the next writer keeps it on.
///
/// A function that throws OutputError or another error leaves the file under PATH complete. Only discard() may be
/// called after that.
class TwinFiles {
 public:
  using Prepare = std::function<void(Hdf5File&)>;

  /// A pair that does not exist yet; `fill` writes what an empty file holds, `open` opens its tables. PATH appears with
  /// the first publish(), in place of a file that may be there. Throws Error if another program is writing PATH.
  static TwinFiles create(const std::string& path, const Prepare& fill, Prepare open);
  /// The file at PATH and a copy of it.
  static TwinFiles resume(const std::string& path, Prepare open);

  TwinFiles(TwinFiles&&) noexcept = default;
  TwinFiles& operator=(TwinFiles&&) noexcept = default;

  Hdf5File& hidden() { return *twins_[turn_].file; }
  int turn() const { return turn_; }  ///< which of the two is hidden, 0 or 1

  enum class Other { behind, copied };
  /// Shows the hidden file's contents under PATH. Other::copied if the file that is hidden now holds the same already.
  [[nodiscard]] Other publish();
  /// True while an older file waits to see what becomes of this one.
  bool replaces() const { return replaces_; }
  bool is_published() const { return published_ > 0; }
  /// The file under PATH is worth more than the one that it replaced, which goes.
  void settle() noexcept;
  /// Shows the hidden file, closed in full, and removes the other; settles. Nothing may be called after it.
  void close();
  /// Removes the hidden file, whatever it holds, and gives PATH back to the file that it replaced. If there was none,
  /// PATH stays as it is. For a writer that failed. Nothing may be called after it.
  void discard() noexcept;

  static std::string hidden_name(const std::string& path) { return path + ".part"; }
  static std::string replaced_name(const std::string& path) { return path + ".replaced"; }

 private:
  struct Twin {
    std::optional<Hdf5File> file;
    FileLock lock;
  };

  TwinFiles(const std::string& path, Prepare open);
  std::string part() const { return hidden_name(path_); }
  void put_aside();
  void make_hidden(const Prepare& fill);
  void lock_hidden();
  void open_hidden();
  void copy_hidden();

  std::string path_;
  Prepare open_;
  int published_ = 0;
  bool replaces_ = false;
  int turn_ = 0;
  Twin twins_[2];
};

}  // namespace carom
