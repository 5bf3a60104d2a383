#include "carom/import/height_samples.h"

#include <lodepng.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "carom/error.h"

namespace carom {
namespace {

constexpr std::uintmax_t largest_height_file = 64u << 20;
constexpr std::int64_t most_height_samples = 1 << 22;

std::vector<unsigned char> bytes_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw Error("is no regular file");
  if (std::filesystem::file_size(path, error) > largest_height_file || error) throw Error("is larger than 64 MiB");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error("cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_height_count(std::int64_t columns, std::int64_t rows) {
  if (columns >= 2 && rows >= 2 && rows <= most_height_samples / columns) return;
  throw Error("has " + std::to_string(columns) + " × " + std::to_string(rows) +
              " samples; a height field has 2 × 2 or more, and at most 4 million");
}

}  // namespace

bool is_png(const std::string& path) {
  constexpr std::string_view signature = "\x89PNG\r\n\x1a\n";
  std::string start(signature.size(), '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == signature;
}

HeightSamples read_height_image(const std::string& path, ImageDepth depth) {
  const std::vector<unsigned char> file = bytes_of(path);
  unsigned width = 0, height = 0;
  lodepng::State state;
  // Asked before any memory is taken for the samples.
  if (const unsigned fault = lodepng_inspect(&width, &height, &state, file.data(), file.size())) {
    throw Error(std::string("is no PNG image: ") + lodepng_error_text(fault));
  }
  check_height_count(width, height);
  // LodePNG gives 16 bits in colours alone; a grey pixel has three that are equal.
  const bool wide = depth == ImageDepth::sixteen_bits;
  const unsigned bytes = wide ? 6 : 1;
  state.info_raw.colortype = wide ? LCT_RGB : LCT_GREY;
  state.info_raw.bitdepth = wide ? 16 : 8;
  // Packed data may become a thousand times as long; samples have eight bytes at most.
  state.decoder.zlibsettings.max_output_size = 16 * std::size_t{width} * height + (1u << 16);
  state.decoder.read_text_chunks = 0;
  state.decoder.remember_unknown_chunks = 0;
  std::vector<unsigned char> pixels;
  if (const unsigned fault = lodepng::decode(pixels, width, height, state, file)) {
    throw Error(std::string("is a damaged PNG image: ") + lodepng_error_text(fault));
  }
  HeightSamples samples{static_cast<int>(width), static_cast<int>(height), {}};
  samples.values.reserve(std::size_t{width} * height);
  for (unsigned row = 0; row < height; ++row) {
    const unsigned char* pixel = pixels.data() + std::size_t{height - 1 - row} * width * bytes;
    for (unsigned column = 0; column < width; ++column, pixel += bytes) {
      samples.values.push_back(wide ? 256 * pixel[0] + pixel[1] : pixel[0]);
    }
  }
  return samples;
}

HeightSamples read_mujoco_heights(const std::string& path) {
  static_assert(std::endian::native == std::endian::little);
  const std::vector<unsigned char> file = bytes_of(path);
  std::int32_t sizes[2] = {0, 0};
  if (file.size() < sizeof sizes) throw Error("is no height field: it has no room for its numbers of rows and columns");
  std::memcpy(sizes, file.data(), sizeof sizes);
  check_height_count(sizes[1], sizes[0]);
  const std::size_t count = static_cast<std::size_t>(sizes[0]) * static_cast<std::size_t>(sizes[1]);
  if (file.size() != sizeof sizes + count * sizeof(float)) {
    throw Error("is no height field: its first numbers say " + std::to_string(sizes[0]) + " rows of " +
                std::to_string(sizes[1]) + " samples, but " + std::to_string(file.size() - sizeof sizes) +
                " bytes follow in place of " + std::to_string(count * sizeof(float)));
  }
  std::vector<float> numbers(count);
  std::memcpy(numbers.data(), file.data() + sizeof sizes, count * sizeof(float));
  for (const float number : numbers) {
    if (!std::isfinite(number)) throw Error("has a height that is not finite");
  }
  return {sizes[1], sizes[0], {numbers.begin(), numbers.end()}};
}

}  // namespace carom
