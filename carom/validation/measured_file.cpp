#include "carom/validation/measured_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "carom/error.h"

namespace carom {

MeasuredFile::MeasuredFile(std::string path, const std::string& contents)
    : path_(std::move(path)), file_(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
  if (!std::filesystem::exists(path_)) throw Error(path_ + ": there is no such file");
  if (file_ < 0) throw Error(path_ + ": can't be opened as HDF5; it must be an HDF5 file with " + contents);
}

template <class Number>
std::vector<Number> MeasuredFile::read(const WantedData& wanted, bool real, std::int64_t type) const {
  const std::string right = fmt::format("it must hold {}", wanted.meaning);
  if (!has(wanted.name)) throw Error(fmt::format("{}: there is no dataset {}; {}", path_, wanted.name, right));
  const hdf5::Id dataset(H5Dopen2(file_, wanted.name.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset < 0) throw Error(fmt::format("{}: {} is no dataset; {}", path_, wanted.name, right));
  const hdf5::Id space(H5Dget_space(dataset), H5Sclose), stored(H5Dget_type(dataset), H5Tclose);
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
        fmt::format("{}: dataset {} has the shape ({}); {}", path_, wanted.name, fmt::join(extents, ", "), right));
  }
  const H5T_class_t kind = H5Tget_class(stored);
  if (real ? kind != H5T_FLOAT : kind != H5T_INTEGER && kind != H5T_ENUM) {
    throw Error(fmt::format("{}: dataset {} has elements of another type; {}", path_, wanted.name, right));
  }
  const double claimed = std::accumulate(extents.begin(), extents.end(), 1.0, std::multiplies<>());
  if (!hdf5::is_credible(claimed, H5Tget_size(stored), H5Dget_storage_size(dataset))) {
    throw Error(fmt::format("{}: dataset {} has the shape ({}), but the file holds no such number of elements", path_,
                            wanted.name, fmt::join(extents, ", ")));
  }
  std::vector<Number> values(count);
  if (count > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    throw Error(fmt::format("{}: dataset {} can't be read: the file is damaged", path_, wanted.name));
  }
  return values;
}

std::vector<double> MeasuredFile::reals(const WantedData& wanted) const {
  return read<double>(wanted, true, H5T_NATIVE_DOUBLE);
}

std::vector<double> MeasuredFile::finite_reals(const WantedData& wanted) const {
  std::vector<double> values = reals(wanted);
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return values;
  std::size_t columns = 1;
  if (wanted.extents.size() > 1) columns = wanted.extents.back();
  if (columns == 0) {
    const auto rows =
        std::accumulate(wanted.extents.begin(), wanted.extents.end() - 1, std::size_t{1}, std::multiplies<>());
    columns = values.size() / std::max<std::size_t>(rows, 1);
  }
  const auto at = static_cast<std::size_t>(bad - values.begin());
  throw Error(fmt::format("{}: dataset {}, row {}, column {} is {}; it must be a finite number", path_, wanted.name,
                          at / columns, at % columns, *bad));
}

std::vector<std::int64_t> MeasuredFile::integers(const WantedData& wanted) const {
  return read<std::int64_t>(wanted, false, H5T_NATIVE_INT64);
}

double MeasuredFile::attribute(const std::string& object, const std::string& name, const std::string& meaning) const {
  return attributes(object, name, 1, meaning).front();
}

std::vector<double> MeasuredFile::attributes(const std::string& object, const std::string& name, std::size_t count,
                                             const std::string& meaning) const {
  const hdf5::Id attribute(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  std::vector<double> values(count, 0.0);
  bool fits = attribute >= 0;
  if (fits) {
    const hdf5::Id space(H5Aget_space(attribute), H5Sclose), stored(H5Aget_type(attribute), H5Tclose);
    fits = H5Sget_simple_extent_npoints(space) == static_cast<hssize_t>(count) && H5Tget_class(stored) == H5T_FLOAT &&
           H5Aread(attribute, H5T_NATIVE_DOUBLE, values.data()) >= 0;
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!fits || !std::all_of(values.begin(), values.end(), finite)) {
    const std::string fault = count == 1 ? "no number" : fmt::format("not {} numbers", count);
    throw Error(
        fmt::format("{}: attribute {} of {} is missing or {}; it must hold {}", path_, name, object, fault, meaning));
  }
  return values;
}

}  // namespace carom
