#include "carom/version.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace carom::version_test {
namespace {

TEST(Version, IsThreeNumbersAndTheSameForThePreprocessor) {
  EXPECT_TRUE(std::regex_match(version, std::regex(R"((0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*))"))) << version;
  EXPECT_STREQ(version, CAROM_VERSION);
}

}  // namespace
}  // namespace carom::version_test
