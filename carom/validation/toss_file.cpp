#include "carom/validation/toss_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "carom/error.h"
#include "carom/record/hdf5_handles.h"

namespace carom {
namespace {

constexpr std::size_t columns = 13;
constexpr double unit_tolerance = 1e-6;

/// An identifier of the library, closed at the end of its scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Keeps the library from printing what is told in an Error instead.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// What a dataset must be: its kind, and its extents with 0 for "any number".
struct Wanted {
  std::string name;
  H5T_class_t kind;
  std::vector<hsize_t> extents;
  std::string meaning;  ///< completes "it must hold …"
};

template <class Number>
std::vector<Number> read_dataset(const std::string& path, hid_t file, const Wanted& wanted, hid_t type) {
  const std::string right = fmt::format("it must hold {}", wanted.meaning);
  if (H5Lexists(file, wanted.name.c_str(), H5P_DEFAULT) <= 0) {
    throw Error(fmt::format("{}: there is no dataset {}; {}", path, wanted.name, right));
  }
  const Handle dataset(H5Dopen2(file, wanted.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset < 0) throw Error(fmt::format("{}: {} is no dataset; {}", path, wanted.name, right));
  const Handle space(H5Dget_space(dataset), H5Sclose), stored(H5Dget_type(dataset), H5Tclose);
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!extents.empty()) H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  bool fits = extents.size() == wanted.extents.size();
  std::size_t count = 1;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    fits = fits && (wanted.extents[i] == 0 || wanted.extents[i] == extents[i]);
    count *= extents[i];
  }
  if (!fits) {
    throw Error(
        fmt::format("{}: dataset {} has the shape ({}); {}", path, wanted.name, fmt::join(extents, ", "), right));
  }
  if (H5Tget_class(stored) != wanted.kind) {
    throw Error(fmt::format("{}: dataset {} has elements of another type; {}", path, wanted.name, right));
  }
  const double claimed = std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
  if (!hdf5::is_credible(claimed, H5Tget_size(stored), H5Dget_storage_size(dataset))) {
    throw Error(fmt::format("{}: dataset {} has the shape ({}), but the file holds no such number of elements", path,
                            wanted.name, fmt::join(extents, ", ")));
  }
  std::vector<Number> values(count);
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    throw Error(fmt::format("{}: dataset {} can't be read: the file is damaged", path, wanted.name));
  }
  return values;
}

void check_offsets(const std::string& path, const std::vector<std::int64_t>& offsets, std::int64_t frames) {
  if (offsets.size() < 2) throw Error(path + ": dataset /offsets holds no toss; it must hold at least two numbers");
  if (offsets.front() != 0 || offsets.back() != frames) {
    throw Error(
        fmt::format("{}: dataset /offsets runs from {} to {}; it must run from 0 to {}, the number of rows of /state",
                    path, offsets.front(), offsets.back(), frames));
  }
  for (std::size_t k = 0; k + 1 < offsets.size(); ++k) {
    if (offsets[k] >= offsets[k + 1]) {
      throw Error(
          fmt::format("{}: dataset /offsets holds {} and then {} at index {}; its numbers must ascend, so that "
                      "every toss has a frame",
                      path, offsets[k], offsets[k + 1], k + 1));
    }
  }
}

Pose read_pose(const std::string& path, std::size_t row, const double* state) {
  for (std::size_t column = 0; column < 7; ++column) {
    if (std::isfinite(state[column])) continue;
    throw Error(fmt::format("{}: dataset /state, row {}, column {} is {}; it must be a finite number", path, row,
                            column, state[column]));
  }
  Pose pose{Vec3(state[0], state[1], state[2]), Quaternion(state[3], state[4], state[5], state[6])};
  const double norm = pose.orientation.norm();
  if (std::abs(norm - 1) > unit_tolerance) {
    throw Error(
        fmt::format("{}: dataset /state, row {}: the quaternion in columns 3 to 6 has length {:.9g}; it must be 1",
                    path, row, norm));
  }
  pose.orientation.coeffs() /= norm;
  return pose;
}

}  // namespace

std::vector<Toss> read_tosses(const std::string& path) {
  const Silence silence;
  if (!std::filesystem::exists(path)) throw Error(path + ": there is no such file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0)
    throw Error(path + ": can't be opened as HDF5; it must be an HDF5 file with /state, /offsets and /toss_id");
  const auto state = read_dataset<double>(
      path, file, {"/state", H5T_FLOAT, {0, columns}, "real numbers in the shape (frames, 13)"}, H5T_NATIVE_DOUBLE);
  const auto offsets = read_dataset<std::int64_t>(
      path, file, {"/offsets", H5T_INTEGER, {0}, "integers in the shape (tosses + 1)"}, H5T_NATIVE_INT64);
  check_offsets(path, offsets, static_cast<std::int64_t>(state.size() / columns));
  const std::size_t count = offsets.size() - 1;
  const auto numbers = read_dataset<std::int64_t>(
      path, file,
      {"/toss_id", H5T_INTEGER, {count}, fmt::format("an integer for each of the {} tosses of /offsets", count)},
      H5T_NATIVE_INT64);
  std::vector<Toss> tosses(count);
  for (std::size_t k = 0; k < count; ++k) {
    tosses[k].number = numbers[k];
    for (auto row = static_cast<std::size_t>(offsets[k]); row < static_cast<std::size_t>(offsets[k + 1]); ++row) {
      tosses[k].poses.push_back(read_pose(path, row, &state[row * columns]));
    }
  }
  return tosses;
}

}  // namespace carom
