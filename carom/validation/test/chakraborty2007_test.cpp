#include "carom/validation/chakraborty2007.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "carom/validation/chakraborty2007_examples.h"
#include "testing/folders.h"

namespace carom::chakraborty2007_test {
namespace {

namespace fs = std::filesystem;

const std::string scenes = source_folder() + "/scenes";

bool fails(const Validation& validation, const std::string& figure) {
  return std::any_of(validation.entries.begin(), validation.entries.end(),
                     [&](const ValidationEntry& entry) { return entry.figure == figure && !entry.pass; });
}

TEST(Chakraborty2007, EveryEntryIsWithinItsToleranceOrExplained) {
  ValidationOptions options;
  options.scenes = scenes;
  const Validation validation = validate_chakraborty2007(options);
  int explained = 0;
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << ", " << entry.quantity << ": " << entry.value << " instead of "
                            << entry.reference;
    EXPECT_TRUE(!entry.explained || !entry.note.empty());
    explained += entry.explained;
  }
  EXPECT_EQ(explained, 3);  // the core of figure 6, the end of slip of figure 7, the multipliers of (15)
  for (const char* figure : {"figure 4", "figure 5", "figure 6", "figure 7", "(14)", "(15)"}) {
    EXPECT_TRUE(std::any_of(validation.entries.begin(), validation.entries.end(), [&](const ValidationEntry& entry) {
      return entry.figure == figure;
    })) << figure;
  }
}

/// Result of a part of the validation on scenes in one of which a text is changed.
Validation changed(decltype(chakraborty2007::validate_disc) part, const std::string& scene, const std::string& from,
                   const std::string& to) {
  const fs::path folder = fs::temp_directory_path() / ("carom_chakraborty2007_" + std::to_string(::getpid()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::copy(scenes + "/chakraborty2007", folder / "chakraborty2007");
  const fs::path path = folder / "chakraborty2007" / scene;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  file.close();
  std::string written = text.str();
  EXPECT_NE(written.find(from), std::string::npos) << scene;
  for (std::size_t at = written.find(from); at != std::string::npos; at = written.find(from, at + to.size())) {
    written.replace(at, from.size(), to);
  }
  std::ofstream(path) << written;
  ValidationOptions options;
  options.scenes = folder.string();
  Validation validation;
  part(options, validation);
  fs::remove_all(folder);
  return validation;
}

TEST(Chakraborty2007, OtherDiscsFail) {
  EXPECT_TRUE(fails(changed(chakraborty2007::validate_disc, "disc_core.yaml", "thickness: 0.05", "thickness: 0.1"),
                    "figure 4"));
}

TEST(Chakraborty2007, OtherEllipsoidsFail) {
  EXPECT_TRUE(
      fails(changed(chakraborty2007::validate_ellipsoid, "ellipsoid.yaml", "e_r: 0.04", "e_r: 0.03"), "figure 6"));
}

TEST(Chakraborty2007, OtherTiltedEllipsoidsFail) {
  const auto fails_with = [](const std::string& from, const std::string& to) {
    return fails(changed(chakraborty2007::validate_tilted, "tilted_ellipsoid.yaml", from, to), "figure 7, K_n = 8000");
  };
  EXPECT_TRUE(fails_with("thickness: 0.005", "thickness: 0.0055"));
  EXPECT_TRUE(fails_with("angular_velocity: [0, 0, 5]", "angular_velocity: [2.5, 0, 5]"));
  EXPECT_TRUE(fails_with("duration: 0.6", "duration: 0.3"));
}

}  // namespace
}  // namespace carom::chakraborty2007_test
