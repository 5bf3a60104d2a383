#include "carom/import/mjcf.h"

#include "testing/fuzz/fuzz_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return carom::fuzz::read_model(carom::parse_mjcf, "fuzz.xml", data, size);
}
