#include "carom/validation/stewart2000.h"
#include "testing/folders.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace carom::stewart2000_test {
namespace {

Validation validated() {
  ValidationOptions options;
  options.scenes = source_folder() + "/scenes";
  return validate_stewart2000(options);
}

TEST(Stewart2000, EveryEntryIsWithinItsTolerance) {
  const Validation validation = validated();
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << ", " << entry.quantity << ": " << entry.value << " instead of "
                            << entry.reference;
    EXPECT_TRUE(!entry.explained || !entry.note.empty());
  }
}

TEST(Stewart2000, CoversTheTableAndTheRodAtAllStepSizes) {
  const Validation validation = validated();
  const auto count = [&](const std::string& figure) {
    return std::count_if(validation.entries.begin(), validation.entries.end(),
                         [&](const ValidationEntry& entry) { return entry.figure == figure; });
  };
  EXPECT_EQ(count("table 1"), 15);
  EXPECT_EQ(count("example 1"), 15);  // three events, five step sizes
  EXPECT_EQ(count("figure 4"), 7);    // its order, and the spike of three steppers at two step sizes
}

}  // namespace
}  // namespace carom::stewart2000_test
