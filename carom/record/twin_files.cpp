#include "carom/record/twin_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "carom/output_error.h"
#include "carom/record/copied_file.h"

namespace carom {
namespace {

void rename_over(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw OutputError(to + ": can't give the record its name", std::strerror(errno));
  }
}

bool exchange(const std::string& a, const std::string& b) {
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

}  // namespace

TwinFiles::TwinFiles(const std::string& path, Prepare open) : path_(path), open_(std::move(open)) {
  // A file that a killed writer left may go; one that a living writer has may not.
  if (!std::filesystem::exists(part())) return;
  FileLock stale;
  if (!stale.take(part(), FileLock::Kind::exclusive))
    throw Error(path + ": another program is writing this record; give this run another file");
  std::filesystem::remove(part());
}

TwinFiles TwinFiles::create(const std::string& path, const Prepare& fill, Prepare open) {
  TwinFiles files(path, std::move(open));
  try {
    files.make_hidden(fill);
  } catch (...) {
    files.discard();
    throw;
  }
  return files;
}

TwinFiles TwinFiles::resume(const std::string& path, Prepare open) {
  TwinFiles files(path, std::move(open));
  try {
    files.copy_hidden();
  } catch (...) {
    files.discard();
    throw;
  }
  files.published_ = 1;
  return files;
}

TwinFiles::Other TwinFiles::publish() {
  hidden().flush();
  const bool first = published_ == 0;
  if (first) put_aside();
  const bool exchanged = !first && exchange(part(), path_);
  if (!exchanged) rename_over(part(), path_);
  ++published_;
  twins_[turn_].lock.release();
  turn_ = 1 - turn_;
  if (exchanged && twins_[turn_].lock.take(part(), FileLock::Kind::exclusive)) {
    if (!twins_[turn_].file) open_hidden();
    return Other::behind;
  }
  twins_[turn_] = Twin();
  if (exchanged) std::filesystem::remove(part());
  copy_hidden();
  return Other::copied;
}

void TwinFiles::close() {
  // Closing is what may still write to a file, so it comes before the name.
  hidden().close();
  if (!is_published()) put_aside();
  rename_over(part(), path_);
  settle();
  twins_[1 - turn_] = Twin();
  twins_[turn_] = Twin();
}

void TwinFiles::discard() noexcept {
  // Without an open file the part may be another program's.
  const bool ours = twins_[turn_].file.has_value();
  twins_[0] = Twin();
  twins_[1] = Twin();
  std::error_code ignored;
  if (ours) std::filesystem::remove(part(), ignored);
  if (!replaces_) return;
  std::filesystem::rename(replaced_name(path_), path_, ignored);
  replaces_ = false;
}

void TwinFiles::settle() noexcept {
  std::error_code ignored;
  std::filesystem::remove(replaced_name(path_), ignored);
  replaces_ = false;
}

/// A second name for the file under PATH, which must not be without one at any instant.
void TwinFiles::put_aside() {
  const std::string aside = replaced_name(path_);
  std::error_code ignored;
  if (!std::filesystem::exists(aside, ignored)) {
    if (!std::filesystem::exists(path_, ignored)) return;
    // Some file systems know one name of a file alone.
    if (::link(path_.c_str(), aside.c_str()) != 0) rename_over(path_, aside);
  }
  replaces_ = true;
}

void TwinFiles::make_hidden(const Prepare& fill) {
  std::error_code ignored;
  const bool another_has_it = std::filesystem::exists(part(), ignored);
  try {
    twins_[turn_].file = Hdf5File::create(part());
  } catch (...) {
    if (!another_has_it) std::filesystem::remove(part(), ignored);  // a file that was only begun
    throw;
  }
  lock_hidden();
  fill(hidden());
}

void TwinFiles::lock_hidden() {
  if (!twins_[turn_].lock.take(part(), FileLock::Kind::exclusive)) {
    throw Error(part() + ": can't lock the file: another program has opened it");
  }
}

void TwinFiles::open_hidden() {
  twins_[turn_].file = Hdf5File::open_for_writing(part());
  open_(hidden());
}

void TwinFiles::copy_hidden() {
  const std::string error = copy_bytes(path_, part());
  if (!error.empty()) {
    std::error_code ignored;
    std::filesystem::remove(part(), ignored);
    throw OutputError(part() + ": can't copy the record", error);
  }
  lock_hidden();
  open_hidden();
}

}  // namespace carom
