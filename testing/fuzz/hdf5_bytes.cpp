// Any bytes as an HDF5 file. Not among the targets that `make fuzz` runs: the HDF5 library is not safe against damage.

#include "carom/record/fclib.h"
#include "carom/record/record.h"
#include "carom/validation/toss_file.h"
#include "testing/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace carom;
  static const fuzz::TemporaryPath path(".h5");
  path.write(data, size);
  fuzz::read_or_refuse([] { static_cast<void>(read_record(path.name())); });
  fuzz::read_or_refuse([] { static_cast<void>(read_problem(path.name())); });
  return fuzz::read_or_refuse([] { static_cast<void>(read_tosses(path.name())); });
}
