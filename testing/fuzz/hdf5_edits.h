#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <string>
#include <vector>

namespace carom::fuzz {

/// A well-formed HDF5 file, and the absolute names of what may be changed in it.
struct Hdf5Base {
  std::string bytes;
  std::vector<std::string> objects;  ///< datasets and groups, parents before children
};

/// The file's bytes and objects.
Hdf5Base hdf5_base(const std::string& path);

/// Writes the base to `path` and changes it as the input says, through the library itself. Datasets and attributes are
/// taken away, replaced by others of any type and extent, or get other values. The outcome is a sound HDF5 file whose
/// content lies.
void write_edited(const Hdf5Base& base, const std::string& path, FuzzedDataProvider& input);

}  // namespace carom::fuzz
