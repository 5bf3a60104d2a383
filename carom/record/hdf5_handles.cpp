#include "carom/record/hdf5_handles.h"

#include <hdf5.h>

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <type_traits>

#include "carom/error.h"

namespace carom::hdf5 {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>);

namespace {

herr_t deepest_description(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr) *static_cast<std::string*>(text) = error->desc;
  return 0;
}

/// The library's words on its last failure, from the place where it arose.
std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, deepest_description, &text);
  return text.empty() ? "no reason given" : text;
}

herr_t note_memory(unsigned, const H5E_error2_t* error, void* spent) {
  const bool no_space = error->min_num == H5E_NOSPACE && error->maj_num != H5E_OHDR;  // a header is full at 64 kB
  const bool is_memory = error->maj_num == H5E_RESOURCE || no_space || error->min_num == H5E_CANTALLOC;
  if (is_memory) *static_cast<bool*>(spent) = true;
  return 0;
}

/// True if the library's last failure was one to get memory.
bool is_memory_spent() {
  bool spent = false;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_memory, &spent);
  return spent;
}

/// The library's number for its last failure, where that arose.
herr_t deepest_number(unsigned, const H5E_error2_t* error, void* number) {
  *static_cast<hid_t*>(number) = error->min_num;
  return 0;
}

}  // namespace

Quiet::Quiet() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Quiet::~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

void fail(const std::string& file, const std::string& what) {
  throw Error(file + ": " + what + " (HDF5: " + reason() + ")");
}

void fail_to_open(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw Error(file + ": there is no such record");
  if (std::filesystem::is_directory(file, ignored)) throw Error(file + " is a folder, and no record of Carom");
  if (::access(file.c_str(), R_OK) != 0) throw Error(file + ": " + std::strerror(errno));
  hid_t number = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, deepest_number, &number);
  if (number == H5E_NOTHDF5) throw Error(file + " is no record of Carom: it is no HDF5 file");
  if (number == H5E_TRUNCATED) throw Error(file + ": the record is cut short, its end is missing");
  fail(file, "can't open the file");
}

void fail_to_write(const std::string& file, const std::string& what) {
  if (!is_memory_spent()) fail(file, what);
  // As operator new does, which the library's memory does not come from.
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

void ask_for_memory() {
  constexpr std::size_t enough = std::size_t{24} << 20;
  void* volatile there = ::operator new(enough);  // volatile: asked for in fact
  ::operator delete(there);
}

Id text_type() {
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Id file_access() {
  Id access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  H5Pset_file_locking(access, false, true);
  return access;
}

bool is_credible(double count, std::uint64_t element_bytes, std::uint64_t stored_bytes) {
  return count * static_cast<double>(element_bytes) <= 1100.0 * static_cast<double>(stored_bytes);
}

bool exists(const Id& file, const std::string& object) {
  for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
    if (H5Lexists(file, object.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

}  // namespace carom::hdf5
