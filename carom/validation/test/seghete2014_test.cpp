#include "carom/validation/seghete2014.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "carom/validation/seghete2014_examples.h"
#include "testing/folders.h"

namespace carom::seghete2014_test {
namespace {

namespace fs = std::filesystem;

const std::string scenes = source_folder() + "/scenes";

Validation validated(const std::string& folder) {
  ValidationOptions options;
  options.scenes = folder;
  return validate_seghete2014(options);
}

TEST(Seghete2014, EveryEntryIsWithinItsTolerance) {
  const Validation validation = validated(scenes);
  EXPECT_GT(validation.entries.size(), 40u);
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << " " << entry.quantity << ": " << entry.reference << ", " << entry.value;
  }
  EXPECT_EQ(validation.figures.size(), 3u);
}

/// A third more mass in one ball of the equal ones: balls no longer exchange their speeds, and no angle is 120°.
TEST(Seghete2014, BallsThatAreNotEqualFail) {
  const fs::path folder = fs::temp_directory_path() / ("carom_seghete2014_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  fs::copy(scenes + "/seghete2014", folder / "seghete2014");
  fs::copy(scenes + "/studies", folder / "studies");
  const fs::path file = folder / "seghete2014" / "cradle_equal.yaml";
  std::string text;
  {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t at = text.find("mass: 1,");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 8, "mass: 1.3,");
  std::ofstream(file) << text;
  const Validation validation = validated(folder.string());
  fs::remove_all(folder);
  const auto failed = [&](const std::string& figure) {
    return std::any_of(validation.entries.begin(), validation.entries.end(),
                       [&](const ValidationEntry& entry) { return entry.figure == figure && !entry.pass; });
  };
  EXPECT_TRUE(failed("(15)"));
  EXPECT_TRUE(failed("theorem 3"));
  EXPECT_FALSE(failed("example 1"));  // the collisions beside it know the masses
}

/// Without restitution three equal balls move on together, by Bullet as by every law: with a third of the energy.
TEST(Seghete2014, BulletsThreeBallsMoveOnTogetherWithoutRestitution) {
  EXPECT_NEAR(seghete2014::bullet_energy_ratio(1, 0, 6000), 1.0 / 3, 1e-3);
}

}  // namespace
}  // namespace carom::seghete2014_test
