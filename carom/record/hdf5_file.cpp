#include "carom/record/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <utility>

#include "carom/error.h"
#include "carom/record/file_lock.h"
#include "carom/record/hdf5_driver.h"
#include "carom/record/hdf5_handles.h"

namespace carom {
namespace {

using hdf5::fail;
using hdf5::fail_to_write;
using hdf5::Id;
using hdf5::Quiet;
using hdf5::text_type;

Id table_type(const TableShape& shape) {
  if (shape.scalar == Scalar::real) return Id(H5Tcopy(H5T_NATIVE_DOUBLE), H5Tclose);
  if (shape.scalar == Scalar::integer) return Id(H5Tcopy(H5T_NATIVE_INT64), H5Tclose);
  Id type(H5Tenum_create(H5T_NATIVE_INT64), H5Tclose);
  for (std::size_t i = 0; i < shape.choices.size(); ++i) {
    const auto value = static_cast<std::int64_t>(i);
    H5Tenum_insert(type, shape.choices[i].c_str(), &value);
  }
  return type;
}

/// Chunks of about 16 kB: small enough that the unfinished last chunk of every table costs little to write again.
hsize_t chunk_rows(const TableShape& shape) {
  constexpr int bytes = 16384;
  return std::clamp<hsize_t>(bytes / (8 * std::max(1, shape.width())), 4, 2048);
}

/// A dataset's header takes 64 kB for an attribute, 16 bytes for each text. Longer lists need the headers that came
/// with HDF5 1.8, which keep attributes outside.
constexpr std::size_t most_names_in_header = 4000;

/// Makes datasets without the time of day, so that equal numbers are equal files.
Id without_time() {
  Id creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  return creation;
}

}  // namespace

struct Hdf5File::Handles {
  struct OpenTable {
    Id dataset, type;
    std::vector<hsize_t> extent;  ///< of the dataset; the first is the number of rows
    std::string path;
  };

  std::string path;
  std::unique_ptr<hdf5::WriteFault> fault;  ///< of a writer
  FileLock lock;                            ///< of a reader
  Id file;
  std::vector<OpenTable> tables;

  /// Throws OutputError if the system refused a write.
  void check() const {
    if (fault) hdf5::check_written(path, *fault);
  }

  Id open_object(const std::string& name) const {
    Id object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
    if (object < 0) fail(path, "there is no object " + name);
    return object;
  }

  Id open_attribute(const std::string& object, const std::string& name) const {
    Id owner = open_object(object);
    Id attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (attribute < 0) fail(path, "object " + object + " has no attribute '" + name + "'");
    return attribute;
  }

  /// Creates the attribute unless it is there; a scalar of a fixed size is then overwritten in place.
  void set_scalar(const std::string& object, const std::string& name, hid_t type, const void* value) const {
    Id owner = open_object(object);
    if (H5Aexists(owner, name.c_str()) <= 0) {
      Id space(H5Screate(H5S_SCALAR), H5Sclose);
      Id made(H5Acreate2(owner, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      if (made < 0) fail_to_write(path, "can't make attribute '" + name + "' of " + object);
    }
    Id attribute(H5Aopen(owner, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (attribute < 0 || H5Awrite(attribute, type, value) < 0) {
      fail_to_write(path, "can't write attribute '" + name + "' of " + object);
    }
    check();
  }

  void write(int number, std::int64_t first, const void* data, std::int64_t count) {
    OpenTable& table = tables.at(number);
    std::vector<hsize_t> start(table.extent.size(), 0), block = table.extent;
    start[0] = static_cast<hsize_t>(first);
    block[0] = static_cast<hsize_t>(count);
    table.extent[0] = start[0] + block[0];
    if (H5Dset_extent(table.dataset, table.extent.data()) < 0) fail_to_write(path, "can't lengthen " + table.path);
    if (count == 0 || row_width(number) == 0) return;
    Id in_file(H5Dget_space(table.dataset), H5Sclose);
    Id in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
    if (H5Dwrite(table.dataset, table.type, in_memory, in_file, H5P_DEFAULT, data) < 0) {
      fail_to_write(path, "can't write " + table.path);
    }
    check();
  }

  void read(int number, std::int64_t first, std::int64_t count, void* data) const {
    const OpenTable& table = tables.at(number);
    if (count == 0 || row_width(number) == 0) return;
    std::vector<hsize_t> start(table.extent.size(), 0), block = table.extent;
    start[0] = static_cast<hsize_t>(first);
    block[0] = static_cast<hsize_t>(count);
    Id in_file(H5Dget_space(table.dataset), H5Sclose);
    Id in_memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) < 0 ||
        H5Dread(table.dataset, table.type, in_memory, in_file, H5P_DEFAULT, data) < 0) {
      fail(path, "can't read " + table.path);
    }
  }

  std::size_t row_width(int number) const {
    std::size_t width = 1;
    for (std::size_t i = 1; i < tables.at(number).extent.size(); ++i) width *= tables[number].extent[i];
    return width;
  }
};

Hdf5File::Hdf5File(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;

Hdf5File& Hdf5File::operator=(Hdf5File&& other) noexcept {
  std::swap(handles_, other.handles_);
  return *this;
}

Hdf5File::~Hdf5File() {
  const Quiet quiet;
  handles_.reset();
}

Hdf5File Hdf5File::create(const std::string& path) {
  hdf5::ask_for_memory();
  const Quiet quiet;
  Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_istore_k(creation, 16);          // half the size of an index node: most tables of most runs have few chunks
  const Id access = hdf5::file_access();  // closing it would forget why the file can't be opened
  auto fault = std::make_unique<hdf5::WriteFault>();
  hdf5::keep_unwritten(access, *fault);
  Id file(H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation, access), H5Fclose);
  if (file < 0) fail_to_write(path, "can't make the file");
  return Hdf5File(std::make_unique<Handles>(Handles{path, std::move(fault), FileLock(), std::move(file), {}}));
}

Hdf5File Hdf5File::open_for_writing(const std::string& path) {
  hdf5::ask_for_memory();
  const Quiet quiet;
  const Id access = hdf5::file_access();  // closing it would forget why the file can't be opened
  auto fault = std::make_unique<hdf5::WriteFault>();
  hdf5::keep_unwritten(access, *fault);
  Id file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), H5Fclose);
  if (file < 0) fail(path, "can't open the file for writing");
  return Hdf5File(std::make_unique<Handles>(Handles{path, std::move(fault), FileLock(), std::move(file), {}}));
}

Hdf5File Hdf5File::open_for_reading(const std::string& path) {
  const Quiet quiet;
  // A writer may give the name to its other file between the lock and the opening: then the lock is on the wrong one.
  for (;;) {
    FileLock lock;
    const bool locked = lock.take(path, FileLock::Kind::shared);
    const Id access = hdf5::file_access();  // closing it would forget why the file can't be opened
    Id file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    if (file < 0) hdf5::fail_to_open(path);
    if (locked && !lock.holds(path)) continue;
    if (!locked) throw Error(path + ": another program is writing this file");
    return Hdf5File(std::make_unique<Handles>(Handles{path, nullptr, std::move(lock), std::move(file), {}}));
  }
}

const std::string& Hdf5File::path() const { return handles_->path; }

bool Hdf5File::has(const std::string& object) const {
  const Quiet quiet;
  return hdf5::exists(handles_->file, object);
}

void Hdf5File::make_group(const std::string& group) {
  const Quiet quiet;
  Id made(H5Gcreate2(handles_->file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (made < 0) fail_to_write(path(), "can't make group " + group);
}

int Hdf5File::make_table(const TableShape& shape) {
  const Quiet quiet;
  std::vector<hsize_t> extent{0}, largest{H5S_UNLIMITED}, chunk{chunk_rows(shape)};
  for (int size : shape.row) {
    extent.push_back(static_cast<hsize_t>(size));
    largest.push_back(size > 0 ? static_cast<hsize_t>(size) : H5S_UNLIMITED);  // a chunk must fit the largest extent
    chunk.push_back(static_cast<hsize_t>(std::max(1, size)));
  }
  Id space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), largest.data()), H5Sclose);
  Id creation = without_time();
  H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  if (!shape.plain) {
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 2);
  }
  Id type = table_type(shape);
  const bool many = shape.columns.size() > most_names_in_header;
  if (many) H5Fset_libver_bounds(handles_->file, H5F_LIBVER_V18, H5F_LIBVER_V18);
  Id dataset(H5Dcreate2(handles_->file, shape.path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (many) H5Fset_libver_bounds(handles_->file, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
  if (dataset < 0) fail_to_write(path(), "can't make " + shape.path);
  handles_->tables.push_back({std::move(dataset), std::move(type), std::move(extent), shape.path});
  set(shape.path, "unit", shape.unit);
  set(shape.path, "meaning", shape.meaning);
  if (!shape.columns.empty()) {
    Id texts = text_type();
    const hsize_t count = shape.columns.size();
    Id list(H5Screate_simple(1, &count, nullptr), H5Sclose);
    std::vector<const char*> names;
    for (const std::string& name : shape.columns) names.push_back(name.c_str());
    Id attribute(H5Acreate2(handles_->tables.back().dataset, "columns", texts, list, H5P_DEFAULT, H5P_DEFAULT),
                 H5Aclose);
    if (attribute < 0 || H5Awrite(attribute, texts, names.data()) < 0) {
      fail_to_write(path(), "can't write the names of the columns of " + shape.path);
    }
  }
  return static_cast<int>(handles_->tables.size()) - 1;
}

int Hdf5File::open_table(const TableShape& shape) {
  const Quiet quiet;
  if (!has(shape.path)) throw Error(path() + ": there is no dataset " + shape.path);
  Id dataset(H5Dopen2(handles_->file, shape.path.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset < 0) fail(path(), "can't open " + shape.path);
  Id space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extent(std::max(0, H5Sget_simple_extent_ndims(space)));
  if (!extent.empty()) H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  bool fits = extent.size() == 1 + shape.row.size();
  for (std::size_t i = 0; fits && i < shape.row.size(); ++i) {
    fits = extent[i + 1] == static_cast<hsize_t>(shape.row[i]);
  }
  Id type = table_type(shape), stored(H5Dget_type(dataset), H5Tclose);
  if (!fits || H5Tequal(type, stored) <= 0) {
    throw Error(path() + ": dataset " + shape.path + " has another shape or type than a record of this scene");
  }
  const double elements = static_cast<double>(shape.width()) * static_cast<double>(extent.front());
  if (!hdf5::is_credible(elements, H5Tget_size(stored), H5Dget_storage_size(dataset))) {
    throw Error(path() + ": the record is damaged: dataset " + shape.path + " claims " +
                std::to_string(extent.front()) + " rows, but the file holds no such number of them");
  }
  handles_->tables.push_back({std::move(dataset), std::move(type), std::move(extent), shape.path});
  return static_cast<int>(handles_->tables.size()) - 1;
}

std::int64_t Hdf5File::rows(int table) const { return static_cast<std::int64_t>(handles_->tables.at(table).extent[0]); }

void Hdf5File::write_rows(int table, std::int64_t first, const double* data, std::int64_t count) {
  const Quiet quiet;
  handles_->write(table, first, data, count);
}

void Hdf5File::write_rows(int table, std::int64_t first, const std::int64_t* data, std::int64_t count) {
  const Quiet quiet;
  handles_->write(table, first, data, count);
}

std::vector<double> Hdf5File::read_reals(int table, std::int64_t first, std::int64_t count) const {
  const Quiet quiet;
  std::vector<double> data(handles_->row_width(table) * static_cast<std::size_t>(count));
  handles_->read(table, first, count, data.data());
  return data;
}

std::vector<std::int64_t> Hdf5File::read_integers(int table, std::int64_t first, std::int64_t count) const {
  const Quiet quiet;
  std::vector<std::int64_t> data(handles_->row_width(table) * static_cast<std::size_t>(count));
  handles_->read(table, first, count, data.data());
  return data;
}

void Hdf5File::write_texts(const std::string& dataset, const std::vector<std::string>& texts) {
  const Quiet quiet;
  Id type = text_type();
  const hsize_t count = texts.size();
  Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  Id made(H5Dcreate2(handles_->file, dataset.c_str(), type, space, H5P_DEFAULT, without_time(), H5P_DEFAULT), H5Dclose);
  if (made < 0) fail_to_write(path(), "can't make " + dataset);
  std::vector<const char*> pointers;
  pointers.reserve(texts.size());
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  if (count > 0 && H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
    fail_to_write(path(), "can't write " + dataset);
  }
}

std::vector<std::string> Hdf5File::read_texts(const std::string& dataset) const {
  const Quiet quiet;
  if (!has(dataset)) throw Error(path() + ": there is no dataset " + dataset);
  Id opened(H5Dopen2(handles_->file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (opened < 0) fail(path(), "can't open " + dataset);
  Id space(H5Dget_space(opened), H5Sclose), type = text_type();
  const Id stored(H5Dget_type(opened), H5Tclose);
  const hssize_t count = std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space));
  if (!hdf5::is_credible(static_cast<double>(count), H5Tget_size(stored), H5Dget_storage_size(opened))) {
    throw Error(path() + ": the record is damaged: dataset " + dataset + " claims " + std::to_string(count) +
                " texts, but the file holds no such number of them");
  }
  std::vector<char*> pointers(static_cast<std::size_t>(count));
  if (pointers.empty()) return {};
  if (H5Dread(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) fail(path(), "can't read " + dataset);
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* pointer : pointers) texts.emplace_back(pointer != nullptr ? pointer : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return texts;
}

namespace {

/// A dataset of `count` elements that is written at once, compressed.
Id make_compressed(const Id& file, const std::string& dataset, const Id& type, hsize_t count) {
  constexpr hsize_t longest_chunk = hsize_t{1} << 16;
  Id space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  Id creation = without_time();
  if (count > 0) {
    const hsize_t chunk = std::min(count, longest_chunk);
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_shuffle(creation);
    H5Pset_deflate(creation, 2);
  }
  return {H5Dcreate2(file, dataset.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose};
}

/// Elements of a list, once it is certain that the file can hold them.
hsize_t credible_count(const Id& opened, const std::string& path, const std::string& dataset) {
  const Id space(H5Dget_space(opened), H5Sclose), stored(H5Dget_type(opened), H5Tclose);
  const hssize_t count = std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space));
  if (!hdf5::is_credible(static_cast<double>(count), H5Tget_size(stored), H5Dget_storage_size(opened))) {
    throw Error(path + ": the record is damaged: dataset " + dataset + " claims " + std::to_string(count) +
                " elements, but the file holds no such number of them");
  }
  return static_cast<hsize_t>(count);
}

}  // namespace

void Hdf5File::write_long_text(const std::string& dataset, const std::string& text) {
  const Quiet quiet;
  // One element of so many bytes, as h5py then reads it as one text.
  Id type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, std::max<std::size_t>(1, text.size()));
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const Id made = make_compressed(handles_->file, dataset, type, 1);
  if (made < 0) fail_to_write(path(), "can't make " + dataset);
  const std::string bytes = text.empty() ? std::string(1, '\0') : text;
  if (H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0) {
    fail_to_write(path(), "can't write " + dataset);
  }
}

std::string Hdf5File::read_long_text(const std::string& dataset) const {
  const Quiet quiet;
  if (!has(dataset)) throw Error(path() + ": there is no dataset " + dataset);
  const Id opened(H5Dopen2(handles_->file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (opened < 0) fail(path(), "can't open " + dataset);
  const Id type(H5Dget_type(opened), H5Tclose);
  const bool fits = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
  if (!fits || credible_count(opened, path(), dataset) != 1) {
    throw Error(path() + ": the record is damaged: dataset " + dataset + " does not hold one text");
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) fail(path(), "can't read " + dataset);
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

void Hdf5File::write_numbers(const std::string& dataset, const std::vector<double>& numbers) {
  const Quiet quiet;
  const Id type(H5Tcopy(H5T_IEEE_F64LE), H5Tclose);
  const Id made = make_compressed(handles_->file, dataset, type, numbers.size());
  if (made < 0) fail_to_write(path(), "can't make " + dataset);
  if (!numbers.empty() && H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    fail_to_write(path(), "can't write " + dataset);
  }
}

std::vector<double> Hdf5File::read_numbers(const std::string& dataset) const {
  const Quiet quiet;
  if (!has(dataset)) throw Error(path() + ": there is no dataset " + dataset);
  const Id opened(H5Dopen2(handles_->file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (opened < 0) fail(path(), "can't open " + dataset);
  const Id type(H5Dget_type(opened), H5Tclose);
  if (H5Tget_class(type) != H5T_FLOAT) {
    throw Error(path() + ": the record is damaged: dataset " + dataset + " does not hold numbers");
  }
  std::vector<double> numbers(credible_count(opened, path(), dataset));
  if (!numbers.empty() && H5Dread(opened, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) {
    fail(path(), "can't read " + dataset);
  }
  return numbers;
}

void Hdf5File::set(const std::string& object, const std::string& name, double value) {
  const Quiet quiet;
  handles_->set_scalar(object, name, H5T_NATIVE_DOUBLE, &value);
}

void Hdf5File::set(const std::string& object, const std::string& name, std::int64_t value) {
  const Quiet quiet;
  handles_->set_scalar(object, name, H5T_NATIVE_INT64, &value);
}

void Hdf5File::set(const std::string& object, const std::string& name, const std::string& value) {
  const Quiet quiet;
  const char* pointer = value.c_str();
  handles_->set_scalar(object, name, text_type(), &pointer);
}

double Hdf5File::real(const std::string& object, const std::string& name) const {
  const Quiet quiet;
  Id attribute = handles_->open_attribute(object, name);
  double value = 0;
  if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) fail(path(), "can't read attribute '" + name + "'");
  return value;
}

std::int64_t Hdf5File::integer(const std::string& object, const std::string& name) const {
  const Quiet quiet;
  Id attribute = handles_->open_attribute(object, name);
  std::int64_t value = 0;
  if (H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0) fail(path(), "can't read attribute '" + name + "'");
  return value;
}

std::string Hdf5File::text(const std::string& object, const std::string& name) const {
  const Quiet quiet;
  Id attribute = handles_->open_attribute(object, name);
  Id type = text_type();
  char* pointer = nullptr;
  if (H5Aread(attribute, type, &pointer) < 0) fail(path(), "can't read attribute '" + name + "'");
  std::string value = pointer != nullptr ? pointer : "";
  H5free_memory(pointer);
  return value;
}

void Hdf5File::flush() {
  const Quiet quiet;
  if (H5Fflush(handles_->file, H5F_SCOPE_LOCAL) < 0) fail_to_write(path(), "can't write the file");
  handles_->check();
}

void Hdf5File::close() {
  flush();
  const Quiet quiet;
  handles_->tables.clear();
  if (!handles_->file.close()) fail_to_write(path(), "can't close the file");
  handles_->check();
}

}  // namespace carom
