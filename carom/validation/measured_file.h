#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/record/hdf5_handles.h"

namespace carom {

/// A dataset of measurements as it must be.
struct WantedData {
  std::string name;
  std::vector<std::size_t> extents;  ///< 0 for any number
  std::string meaning;               ///< completes "it must hold …"
};

/// An HDF5 file of measurements, to be read. Every fault is an Error that names the file, the dataset and what would be
/// right. The file may be no HDF5. A dataset may be missing, have another shape or type, or claim more than the file
/// holds.
class MeasuredFile {
 public:
  /// `contents` completes "it must be an HDF5 file with …".
  MeasuredFile(std::string path, const std::string& contents);

  const std::string& path() const { return path_; }
  bool has(const std::string& object) const { return hdf5::exists(file_, object); }
  /// Elements of any floating-point type, row after row.
  std::vector<double> reals(const WantedData& wanted) const;
  /// The same, all finite. Throws Error that names row and column of the first that is not. With several extents a
  /// column is a place along the last of them. That one, or all others, must be wanted by number.
  std::vector<double> finite_reals(const WantedData& wanted) const;
  /// Elements of any integer type, or of an enumeration such as NumPy's bool.
  std::vector<std::int64_t> integers(const WantedData& wanted) const;
  /// A number that an object has as an attribute. `meaning` completes "it must hold …".
  double attribute(const std::string& object, const std::string& name, const std::string& meaning) const;
  /// The same of so many numbers.
  std::vector<double> attributes(const std::string& object, const std::string& name, std::size_t count,
                                 const std::string& meaning) const;

 private:
  template <class Number>
  std::vector<Number> read(const WantedData& wanted, bool real, std::int64_t type) const;

  hdf5::Quiet quiet_;
  std::string path_;
  hdf5::Id file_;
};

}  // namespace carom
