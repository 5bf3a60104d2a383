#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "carom/validation/toss_file.h"

namespace carom::test {

/// Builds an HDF5 file with the library itself, right or wrong as a test wants it.
class TossWriter {
 public:
  explicit TossWriter(const std::string& path)
      : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
  ~TossWriter() { H5Fclose(file_); }
  TossWriter(const TossWriter&) = delete;
  TossWriter& operator=(const TossWriter&) = delete;

  void reals(const char* name, const std::vector<hsize_t>& extents, const std::vector<double>& values) const {
    write(name, extents, H5T_NATIVE_DOUBLE, values.data());
  }
  void integers(const char* name, const std::vector<std::int64_t>& values, hid_t stored = H5T_NATIVE_INT64) const {
    write(name, {values.size()}, H5T_NATIVE_INT64, values.data(), stored);
  }
  void group(const char* name) const { H5Gclose(H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }
  void attribute(const char* object, const char* name, double value) const {
    write_attribute(object, name, H5Screate(H5S_SCALAR), &value);
  }
  void attribute(const char* object, const char* name, const std::vector<double>& values) const {
    const hsize_t count = values.size();
    write_attribute(object, name, H5Screate_simple(1, &count, nullptr), values.data());
  }
  /// A dataset of reals of which nothing is ever written.
  void claim(const char* name, const std::vector<hsize_t>& extents) const {
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(extents.size(), 13);
    H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    const hid_t dataset = H5Dcreate2(file_, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
  }
  /// All three datasets; velocities are zero.
  void tosses(const std::vector<Toss>& tosses) const {
    std::vector<double> state;
    std::vector<std::int64_t> offsets{0}, numbers;
    for (const Toss& toss : tosses) {
      for (const Pose& pose : toss.poses) {
        const Quaternion& q = pose.orientation;
        const Vec3& p = pose.position;
        state.insert(state.end(), {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z(), 0, 0, 0, 0, 0, 0});
      }
      offsets.push_back(static_cast<std::int64_t>(state.size() / 13));
      numbers.push_back(toss.number);
    }
    reals("/state", {state.size() / 13, 13}, state);
    integers("/offsets", offsets);
    integers("/toss_id", numbers, H5T_STD_I32LE);
  }

 private:
  void write_attribute(const char* object, const char* name, hid_t space, const double* values) const {
    const hid_t attribute =
        H5Acreate_by_name(file_, object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_NATIVE_DOUBLE, values);
    H5Aclose(attribute);
    H5Sclose(space);
  }
  void write(const char* name, const std::vector<hsize_t>& extents, hid_t type, const void* values,
             hid_t stored = -1) const {
    const hid_t space = H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t dataset =
        H5Dcreate2(file_, name, stored < 0 ? type : stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
  }

  hid_t file_;
};

}  // namespace carom::test
