#include "carom/import/height_samples.h"
#include "testing/fuzz/fuzz_target.h"

// An image, read by both depths, and the same bytes as MuJoCo's own file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const carom::fuzz::TemporaryPath path(".png");
  path.write(data, size);
  using carom::ImageDepth;
  for (const ImageDepth depth : {ImageDepth::eight_bits, ImageDepth::sixteen_bits}) {
    carom::fuzz::read_or_refuse([&] { static_cast<void>(carom::read_height_image(path.name(), depth)); });
  }
  return carom::fuzz::read_or_refuse([] { static_cast<void>(carom::read_mujoco_heights(path.name())); });
}
