#include "carom/version.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <regex>
#include <string>

#include "carom/memory_layout.h"
#include "carom/spatial/types.h"

namespace carom::version_test {
namespace {

TEST(Version, IsThreeNumbersAndTheSameForThePreprocessor) {
  EXPECT_TRUE(std::regex_match(version, std::regex(R"((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))"))) << version;
  EXPECT_STREQ(version, CAROM_VERSION);
}

#ifndef __AVX__
// memory_layout.h assumes that a build for the plain processor aligns matrices to at most 16 bytes. Only such flags may
// then make a program's layout differ from the library's.
TEST(MemoryLayout, OfAPlainBuildIsThatWhichInstalledProgramsAreHeldTo) {
  EXPECT_LE(EIGEN_MAX_ALIGN_BYTES, 16);
  EXPECT_LE(EIGEN_DEFAULT_ALIGN_BYTES, 16);
  for (int size = 1; size < 40; ++size) {
    const VectorX v = VectorX::Ones(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(v.data()) % 16, 0u) << size;
  }
}
#endif

}  // namespace
}  // namespace carom::version_test
