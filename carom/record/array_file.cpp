#include "carom/record/array_file.h"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <numeric>

#include "carom/error.h"
#include "carom/record/hdf5_driver.h"
#include "carom/record/hdf5_handles.h"

namespace carom {

using hdf5::fail;
using hdf5::fail_to_write;
using hdf5::Id;
using hdf5::Quiet;

namespace {

/// Elements that a dataset claims to have. The library's own count of them wraps around.
double claimed_elements(const Id& space) {
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!extents.empty()) H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  return std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
}

}  // namespace

struct ArrayFile::Handles {
  std::string path;
  std::unique_ptr<hdf5::WriteFault> fault;  ///< of a writer
  Id file;

  void write(const std::string& name, const std::vector<int>& extent, hid_t type, const void* values) const {
    std::vector<hsize_t> size(extent.begin(), extent.end());
    const Id space(H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr), H5Sclose);
    const Id made(H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    const bool empty = std::find(extent.begin(), extent.end(), 0) != extent.end();
    if (made < 0 || (!empty && H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)) {
      fail_to_write(path, "can't write " + name);
    }
  }

  Id open_dataset(const std::string& name) const {
    if (!hdf5::exists(file, name)) throw Error(path + ": there is no dataset " + name);
    Id dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (dataset < 0) fail(path, "can't open " + name + " as a dataset");
    return dataset;
  }

  H5T_class_t kind(const std::string& name) const {
    const Id dataset = open_dataset(name);
    const Id stored(H5Dget_type(dataset), H5Tclose);
    return H5Tget_class(stored);
  }

  /// Reads all elements of a dataset of one of two classes of numbers.
  template <class Number>
  std::vector<Number> read(const std::string& name, H5T_class_t a, H5T_class_t b, const char* kind, hid_t type) const {
    const Id dataset = open_dataset(name);
    const Id stored(H5Dget_type(dataset), H5Tclose);
    const H5T_class_t found = H5Tget_class(stored);
    if (found != a && found != b) throw Error(path + ": dataset " + name + " must hold " + kind);
    const Id space(H5Dget_space(dataset), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const hsize_t stored_bytes = H5Dget_storage_size(dataset);
    if (count > 0 && stored_bytes == 0) throw Error(path + ": dataset " + name + " is there, but was never filled");
    if (!hdf5::is_credible(claimed_elements(space), H5Tget_size(stored), stored_bytes)) {
      throw Error(path + ": dataset " + name + " claims " + fmt::format("{}", claimed_elements(space)) +
                  " elements, but the file holds no such number of them");
    }
    if (count < 0) fail(path, "can't tell the size of " + name);
    std::vector<Number> values(static_cast<std::size_t>(count));
    if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
      fail(path, "can't read " + name);
    }
    return values;
  }
};

ArrayFile::ArrayFile(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
ArrayFile::ArrayFile(ArrayFile&&) noexcept = default;

ArrayFile& ArrayFile::operator=(ArrayFile&& other) noexcept {
  std::swap(handles_, other.handles_);
  return *this;
}

ArrayFile::~ArrayFile() {
  const Quiet quiet;
  handles_.reset();
}

ArrayFile ArrayFile::create(const std::string& path) {
  const Quiet quiet;
  const Id access = hdf5::file_access();  // closing it would forget why the file can't be opened
  auto fault = std::make_unique<hdf5::WriteFault>();
  hdf5::keep_unwritten(access, *fault);
  Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
  if (file < 0) fail_to_write(path, "can't make the file");
  return ArrayFile(std::make_unique<Handles>(Handles{path, std::move(fault), std::move(file)}));
}

ArrayFile ArrayFile::open(const std::string& path) {
  const Quiet quiet;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) throw Error(path + ": there is no such file");
  if (!std::filesystem::is_regular_file(path, ignored)) throw Error(path + " is no ordinary file");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw Error(path + " is no HDF5 file, or its beginning is damaged");
  const Id access = hdf5::file_access();  // closing it would forget why the file can't be opened
  H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);  // what others wrote may be newer
  Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (file < 0) fail(path, "can't open the file; it is damaged or incomplete");
  return ArrayFile(std::make_unique<Handles>(Handles{path, nullptr, std::move(file)}));
}

bool ArrayFile::is_hdf5(const std::string& path) {
  const Quiet quiet;
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && H5Fis_hdf5(path.c_str()) > 0;
}

const std::string& ArrayFile::path() const { return handles_->path; }

bool ArrayFile::has(const std::string& object) const {
  const Quiet quiet;
  return hdf5::exists(handles_->file, object);
}

bool ArrayFile::is_filled(const std::string& dataset) const {
  const Quiet quiet;
  if (!hdf5::exists(handles_->file, dataset)) return false;
  return H5Dget_storage_size(handles_->open_dataset(dataset)) > 0;
}

bool ArrayFile::is_group(const std::string& object) const {
  const Quiet quiet;
  const Id group(H5Gopen2(handles_->file, object.c_str(), H5P_DEFAULT), H5Gclose);
  return group >= 0;
}

std::vector<std::string> ArrayFile::names(const std::string& group) const {
  const Quiet quiet;
  const Id opened(H5Gopen2(handles_->file, group.c_str(), H5P_DEFAULT), H5Gclose);
  if (opened < 0) fail(path(), "can't open " + group + " as a group");
  std::vector<std::string> links;
  const auto gather = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  if (H5Literate(opened, H5_INDEX_NAME, H5_ITER_INC, nullptr, gather, &links) < 0) fail(path(), "can't list " + group);
  std::vector<std::string> names;
  for (const std::string& link : links) {
    const Id object(H5Oopen(opened, link.c_str(), H5P_DEFAULT), H5Oclose);
    const H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
    if (type == H5I_GROUP || type == H5I_DATASET) names.push_back(link);
  }
  return names;
}

std::vector<std::size_t> ArrayFile::extents(const std::string& dataset) const {
  const Quiet quiet;
  const Id opened = handles_->open_dataset(dataset);
  const Id space(H5Dget_space(opened), H5Sclose);
  const int axes = H5Sget_simple_extent_ndims(space);
  if (axes < 0) fail(path(), "can't tell the size of " + dataset);
  std::vector<hsize_t> found(static_cast<std::size_t>(axes));
  if (axes > 0) H5Sget_simple_extent_dims(space, found.data(), nullptr);
  return {found.begin(), found.end()};
}

bool ArrayFile::holds_numbers(const std::string& dataset) const {
  const Quiet quiet;
  const H5T_class_t kind = handles_->kind(dataset);
  return kind == H5T_FLOAT || kind == H5T_INTEGER;
}

bool ArrayFile::holds_texts(const std::string& dataset) const {
  const Quiet quiet;
  return handles_->kind(dataset) == H5T_STRING;
}

bool ArrayFile::has_attribute(const std::string& object, const std::string& name) const {
  const Quiet quiet;
  return H5Aexists_by_name(handles_->file, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

void ArrayFile::make_group(const std::string& group) {
  const Quiet quiet;
  const Id made(H5Gcreate2(handles_->file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (made < 0) fail_to_write(path(), "can't make group " + group);
}

void ArrayFile::write_reals(const std::string& dataset, const std::vector<int>& extent, const double* values) {
  const Quiet quiet;
  handles_->write(dataset, extent, H5T_NATIVE_DOUBLE, values);
}

void ArrayFile::write_integers(const std::string& dataset, const std::vector<int>& extent, const int* values) {
  const Quiet quiet;
  handles_->write(dataset, extent, H5T_NATIVE_INT, values);
}

void ArrayFile::write_text(const std::string& dataset, const std::string& text) {
  const Quiet quiet;
  // Text has a fixed length, which readers written in C expect, and at least one byte.
  const Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
  H5Tset_size(type, text.size() + 1);
  const Id made(H5Dcreate2(handles_->file, dataset.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                H5Dclose);
  if (made < 0 || H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) < 0) {
    fail_to_write(path(), "can't write " + dataset);
  }
}

std::vector<double> ArrayFile::reals(const std::string& dataset) const {
  const Quiet quiet;
  return handles_->read<double>(dataset, H5T_FLOAT, H5T_INTEGER, "numbers", H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> ArrayFile::integers(const std::string& dataset) const {
  const Quiet quiet;
  return handles_->read<std::int64_t>(dataset, H5T_INTEGER, H5T_INTEGER, "integers", H5T_NATIVE_INT64);
}

std::string ArrayFile::text(const std::string& dataset) const {
  std::vector<std::string> found = texts(dataset);
  if (found.size() != 1) throw Error(path() + ": dataset " + dataset + " must be one text");
  return std::move(found.front());
}

std::vector<std::string> ArrayFile::texts(const std::string& dataset) const {
  const Quiet quiet;
  const Id opened = handles_->open_dataset(dataset);
  const Id stored(H5Dget_type(opened), H5Tclose), space(H5Dget_space(opened), H5Sclose);
  const hssize_t points = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(stored) != H5T_STRING || points < 0) throw Error(path() + ": dataset " + dataset + " must be text");
  const std::size_t size = H5Tget_size(stored), bytes = H5Dget_storage_size(opened);
  const auto count = static_cast<std::size_t>(points);
  if (!hdf5::is_credible(claimed_elements(space), size, bytes)) {
    throw Error(path() + ": text " + dataset + " is cut off");
  }
  std::vector<std::string> values(count);
  if (count == 0) return values;
  if (H5Tis_variable_str(stored) > 0) {
    std::vector<char*> pointers(count, nullptr);
    if (H5Dread(opened, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(pointers.data())) < 0) {
      fail(path(), "can't read " + dataset);
    }
    for (std::size_t i = 0; i < count; ++i) values[i] = pointers[i] != nullptr ? pointers[i] : "";
    H5Dvlen_reclaim(stored, space, H5P_DEFAULT, static_cast<void*>(pointers.data()));
    return values;
  }
  std::string all(count * size, '\0');
  if (H5Dread(opened, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()) < 0) fail(path(), "can't read " + dataset);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = all.substr(i * size, size);
    values[i].resize(std::min(values[i].size(), values[i].find('\0')));
  }
  return values;
}

void ArrayFile::finish() {
  const Quiet quiet;
  if (H5Fflush(handles_->file, H5F_SCOPE_LOCAL) < 0) fail_to_write(path(), "can't write the file");
  if (!handles_->file.close()) fail_to_write(path(), "can't close the file");
  if (handles_->fault) hdf5::check_written(path(), *handles_->fault);
}

}  // namespace carom
