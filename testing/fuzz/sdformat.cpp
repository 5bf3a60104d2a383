#include "carom/import/sdformat.h"

#include <cstdlib>

#include "testing/fuzz/fuzz_model.h"

// libsdformat writes a log below HOME.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const std::string home = carom::fuzz::TemporaryPath("_home").name();
  return std::filesystem::create_directories(home) && ::setenv("HOME", home.c_str(), 1) == 0 ? 0 : 1;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return carom::fuzz::read_model(carom::parse_sdformat, "fuzz.sdf", data, size);
}
