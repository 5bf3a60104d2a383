#pragma once

#include <cstdint>
#include <string>
#include <utility>

// Handles that the sources which call HDF5's C interface share. Its header is not included: hid_t is a 64-bit integer.
namespace carom::hdf5 {

/// Keeps the library from printing its errors; they go into the sentence of an Error.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  int (*function_)(std::int64_t, void*) = nullptr;
  void* data_ = nullptr;
};

/// An identifier of the library, closed at the end of its scope.
class Id {
 public:
  using Close = int (*)(std::int64_t);
  Id(std::int64_t id, Close close) : id_(id), close_(close) {}
  Id(Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Id& operator=(Id&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Id() {
    if (id_ >= 0) close_(id_);
  }
  /// Closes it now. False if the library can't.
  bool close() {
    const std::int64_t id = std::exchange(id_, -1);
    return id < 0 || close_(id) >= 0;
  }
  operator std::int64_t() const { return id_; }  // NOLINT(google-explicit-constructor): it stands for the identifier

 private:
  std::int64_t id_;
  Close close_;
};

/// Throws the Error that the file's name, `what` and the library's own reason make.
[[noreturn]] void fail(const std::string& file, const std::string& what);
/// Throws an Error that says why a file could not be opened for reading: there is none, it is no HDF5 file, or it is
/// cut short; else the library's own reason.
[[noreturn]] void fail_to_open(const std::string& file);
/// The same as fail for a write. Throws std::bad_alloc if the library could get no memory for it, after the program's
/// handler for that (std::set_new_handler) had its turn. Reads are not treated so: a damaged file may ask for any
/// amount.
[[noreturn]] void fail_to_write(const std::string& file, const std::string& what);
/// Throws std::bad_alloc unless there is memory for the library to open a file and to add to it. Memory that it does
/// not get within a call can crash it.
void ask_for_memory();

/// Texts of any length, UTF-8.
Id text_type();

/// Access to a file in the oldest format that holds it, without HDF5's own locks. Those would last as long as a writer
/// has the file open, visible or hidden. Readers and TwinFiles take finer ones.
Id file_access();

/// True if `stored_bytes` in the file can hold a dataset of `count` elements of `element_bytes` each. Deflate, the
/// strongest filter in use, shortens at most 1032 times. Ask this before taking memory for a claim of a damaged file.
bool is_credible(double count, std::uint64_t element_bytes, std::uint64_t stored_bytes);

/// True if every link of an absolute path is there.
bool exists(const Id& file, const std::string& object);

}  // namespace carom::hdf5
