#include "testing/fuzz/hdf5_edits.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

namespace carom::fuzz {
namespace {

constexpr std::size_t most_edits = 4;
constexpr hsize_t most_written = 4096;  ///< elements of a new dataset; larger ones are claimed and never filled

herr_t keep_name(hid_t, const char* name, const H5O_info_t*, void* objects) {
  static_cast<std::vector<std::string>*>(objects)->push_back(std::strcmp(name, ".") == 0 ? "/"
                                                                                         : "/" + std::string(name));
  return 0;
}

hid_t some_type(FuzzedDataProvider& input) {
  const std::array<hid_t, 10> types = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_NATIVE_INT, H5T_NATIVE_INT64,
                                       H5T_NATIVE_UINT64, H5T_NATIVE_SCHAR, H5T_STD_I64BE,  H5T_IEEE_F64BE,
                                       H5T_C_S1,          H5T_NATIVE_OPAQUE};
  const hid_t type = H5Tcopy(types.at(input.ConsumeIntegralInRange<std::size_t>(0, types.size() - 1)));
  if (H5Tget_class(type) != H5T_STRING) return type;
  H5Tset_size(type, input.ConsumeBool() ? H5T_VARIABLE : input.ConsumeIntegralInRange<std::size_t>(1, 64));
  return type;
}

hid_t some_space(FuzzedDataProvider& input, std::vector<hsize_t>& extent) {
  extent.resize(input.ConsumeIntegralInRange<std::size_t>(0, 3));
  for (hsize_t& size : extent) {
    size = input.ConsumeIntegralInRange<int>(0, 7) == 0 ? input.ConsumeIntegralInRange<hsize_t>(0, hsize_t{1} << 40)
                                                        : input.ConsumeIntegralInRange<hsize_t>(0, 12);
  }
  return H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
}

/// Bytes for a number of elements of a type; for texts of any length, pointers to one text.
struct Elements {
  std::string bytes, text;
  const char* pointer = nullptr;
};

Elements some_elements(FuzzedDataProvider& input, hid_t type, hsize_t count) {
  Elements elements;
  elements.text = input.ConsumeRandomLengthString(64);
  elements.bytes.resize(count * H5Tget_size(type));
  if (H5Tis_variable_str(type) > 0) {
    elements.pointer = elements.text.c_str();
    for (hsize_t i = 0; i < count; ++i) {
      std::memcpy(elements.bytes.data() + i * sizeof(char*), &elements.pointer, sizeof(char*));
    }
    return elements;
  }
  const std::string& pattern = elements.text;
  for (std::size_t i = 0; i < elements.bytes.size() && !pattern.empty(); ++i) {
    elements.bytes[i] = pattern[i % pattern.size()];
  }
  return elements;
}

void replace(hid_t file, const std::string& name, FuzzedDataProvider& input) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const int kind = input.ConsumeIntegralInRange<int>(0, 7);
  if (kind == 0) return;
  if (kind == 1) {
    H5Gclose(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    return;
  }
  std::vector<hsize_t> extent;
  const hid_t type = some_type(input), space = some_space(input, extent), creation = H5Pcreate(H5P_DATASET_CREATE);
  if (kind == 2 && !extent.empty()) {
    const std::vector<hsize_t> chunk(extent.size(), 4);
    H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_deflate(creation, 2);
  }
  const hid_t made = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  hsize_t count = 1;
  for (const hsize_t size : extent) count = size == 0 ? 0 : std::min(count * size, most_written + 1);
  if (made >= 0 && count > 0 && count <= most_written) {
    H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, some_elements(input, type, count).bytes.data());
  }
  if (made >= 0) H5Dclose(made);
  H5Pclose(creation);
  H5Sclose(space);
  H5Tclose(type);
}

/// Other bytes at one place of a long text, such as the parts of a model.
void rewrite(hid_t dataset, hid_t type, FuzzedDataProvider& input) {
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return;
  const std::string other = input.ConsumeRandomLengthString(16);
  const std::size_t at = input.ConsumeIntegralInRange<std::size_t>(0, text.size() - 1);
  for (std::size_t i = 0; i < other.size() && at + i < text.size(); ++i) text[at + i] = other[i];
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data());
}

/// Another value for one element of a dataset of numbers.
void overwrite(hid_t file, const std::string& name, FuzzedDataProvider& input) {
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  if (dataset < 0) return;
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset), one = H5Screate(H5S_SCALAR);
  const bool is_long_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                            H5Tget_size(type) > 64 && H5Sget_simple_extent_npoints(space) == 1;
  if (is_long_text && input.ConsumeIntegralInRange<int>(0, 7) > 0) {
    rewrite(dataset, type, input);
    H5Sclose(one);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(dataset);
    return;
  }
  std::vector<hsize_t> at(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
  if (!at.empty()) H5Sget_simple_extent_dims(space, at.data(), nullptr);
  for (hsize_t& index : at) index = index == 0 ? 0 : input.ConsumeIntegralInRange<hsize_t>(0, index - 1);
  if (!at.empty() && H5Sget_simple_extent_npoints(space) > 0) {
    H5Sselect_elements(space, H5S_SELECT_SET, 1, at.data());
  }
  if (H5Sget_simple_extent_npoints(space) > 0) {
    H5Dwrite(dataset, type, one, at.empty() ? H5S_ALL : space, H5P_DEFAULT, some_elements(input, type, 1).bytes.data());
  }
  H5Sclose(one);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
}

void change_attribute(hid_t file, const std::string& name, FuzzedDataProvider& input) {
  const hid_t object = H5Oopen(file, name.c_str(), H5P_DEFAULT);
  if (object < 0) return;
  const int count = H5Aget_num_attrs(object);
  if (count > 0) {
    const auto which = static_cast<hsize_t>(input.ConsumeIntegralInRange<int>(0, count - 1));
    std::array<char, 128> attribute{};
    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, which, attribute.data(), attribute.size(), H5P_DEFAULT);
    H5Adelete(object, attribute.data());
    if (input.ConsumeIntegralInRange<int>(0, 5) > 0) {
      std::vector<hsize_t> extent;
      const bool scalar = input.ConsumeBool();
      const hid_t type = some_type(input), space = scalar ? H5Screate(H5S_SCALAR) : some_space(input, extent);
      const hssize_t size = H5Sget_simple_extent_npoints(space);
      const hid_t made =
          size < 1000 ? H5Acreate2(object, attribute.data(), type, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
      if (made >= 0 && size > 0) {
        H5Awrite(made, type, some_elements(input, type, static_cast<hsize_t>(size)).bytes.data());
      }
      if (made >= 0) H5Aclose(made);
      H5Sclose(space);
      H5Tclose(type);
    }
  }
  H5Oclose(object);
}

}  // namespace

Hdf5Base hdf5_base(const std::string& path) {
  Hdf5Base base;
  std::ifstream stream(path, std::ios::binary);
  base.bytes.assign(std::istreambuf_iterator<char>(stream), {});
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, keep_name, &base.objects);
  H5Fclose(file);
  return base;
}

void write_edited(const Hdf5Base& base, const std::string& path, FuzzedDataProvider& input) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << base.bytes;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (std::size_t edit = 0; edit < most_edits && input.remaining_bytes() > 0; ++edit) {
    const std::string& name = base.objects.at(input.ConsumeIntegralInRange<std::size_t>(0, base.objects.size() - 1));
    switch (input.ConsumeIntegralInRange<int>(0, 2)) {
      case 0:
        if (name != "/") replace(file, name, input);
        break;
      case 1:
        overwrite(file, name, input);
        break;
      default:
        change_attribute(file, name, input);
    }
  }
  H5Fclose(file);
}

}  // namespace carom::fuzz
