#include "carom/record/recorded_file.h"

#include "carom/error.h"
#include "carom/record/hdf5_file.h"
#include "carom/record/record_file.h"

namespace carom {

std::string recorded_file(const std::string& path) {
  try {
    const Hdf5File file = Hdf5File::open_for_reading(path);
    check_format(file);
    return file.text("/scene", "file");
  } catch (const Error&) {
    return {};
  }
}

}  // namespace carom
