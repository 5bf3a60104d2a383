#include "carom/scene/scene.h"

#include "testing/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return carom::fuzz::read_or_refuse(
      [&] { static_cast<void>(carom::parse_scene(carom::fuzz::text_of(data, size), "fuzz.yaml")); });
}
