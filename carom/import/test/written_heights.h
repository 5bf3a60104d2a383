#pragma once

#include <lodepng.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/error.h"

// Files of heights that tests of import write.
namespace carom::test {

/// A file `heights.png` or of any other name in a folder of its own, removed at the end.
class TemporaryHeights {
 public:
  explicit TemporaryHeights(const std::string& name = "heights.png") {
    std::string pattern = (std::filesystem::temp_directory_path() / ("heights_" + std::string(6, 'X'))).string();
    if (mkdtemp(pattern.data()) == nullptr) throw Error("no temporary folder can be made");
    folder_ = pattern;
    path_ = (std::filesystem::path(folder_) / name).string();
  }
  ~TemporaryHeights() { std::filesystem::remove_all(folder_); }
  TemporaryHeights(const TemporaryHeights&) = delete;
  TemporaryHeights& operator=(const TemporaryHeights&) = delete;

  const std::string& path() const { return path_; }
  const std::string& folder() const { return folder_; }

  /// A grey PNG image of 8 or 16 bits, by rows from the top.
  void write_image(unsigned columns, unsigned rows, const std::vector<int>& brightness, unsigned bits = 8) const {
    std::vector<unsigned char> bytes;
    for (const int value : brightness) {
      if (bits == 16) bytes.push_back(static_cast<unsigned char>(value >> 8));
      bytes.push_back(static_cast<unsigned char>(value & 0xff));
    }
    if (lodepng::encode(path_, bytes, columns, rows, LCT_GREY, bits) != 0) throw Error(path_ + " can't be written");
  }

  /// MuJoCo's own format, whether or not the numbers are as many as it says.
  void write_numbers(std::int32_t rows, std::int32_t columns, const std::vector<float>& heights) const {
    std::ofstream file(path_, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&rows), sizeof rows);
    file.write(reinterpret_cast<const char*>(&columns), sizeof columns);
    file.write(reinterpret_cast<const char*>(heights.data()),
               static_cast<std::streamsize>(heights.size() * sizeof(float)));
  }

  /// Leaves so many bytes.
  void cut_off(std::uintmax_t left) const { std::filesystem::resize_file(path_, left); }

 private:
  std::string folder_, path_;
};

}  // namespace carom::test
