#include "carom/scene/fingerprint.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace carom::fingerprint_test {
namespace {

std::string of_text(const std::string& text) {
  const auto path = std::filesystem::path(testing::TempDir()) / ("carom_fingerprint" + std::to_string(::getpid()));
  std::ofstream(path, std::ios::binary) << text;
  const std::string found = fingerprint(path.string());
  std::filesystem::remove(path);
  return found;
}

// Values that the authors of FNV publish for their test strings, 64 bits, variant 1a.
TEST(Fingerprint, IsThatOfFnv) {
  EXPECT_EQ(of_text(""), "cbf29ce484222325");
  EXPECT_EQ(of_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(of_text("foobar"), "85944171f73967e8");
}

}  // namespace
}  // namespace carom::fingerprint_test
