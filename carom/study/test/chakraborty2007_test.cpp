#include "carom/study/chakraborty2007.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace carom {
namespace {

namespace fs = std::filesystem;

const std::string scenes = std::string(CAROM_SOURCE_DIR) + "/scenes";

Validation validated(const std::string& folder) {
  ValidationOptions options;
  options.scenes = folder;
  return validate_chakraborty2007(options);
}

bool fails(const Validation& validation, const std::string& figure) {
  return std::any_of(validation.entries.begin(), validation.entries.end(), [&](const ValidationEntry& entry) {
    return entry.figure == figure && !entry.pass && !entry.explained;
  });
}

TEST(Chakraborty2007, EveryEntryIsWithinItsToleranceOrExplained) {
  const Validation validation = validated(scenes);
  int explained = 0;
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass || entry.explained)
        << entry.figure << ", " << entry.quantity << ": " << entry.value << " instead of " << entry.reference;
    EXPECT_TRUE(!entry.explained || !entry.note.empty());
    explained += entry.explained;
  }
  EXPECT_EQ(explained, 2);  // the core of figure 6, the end of slip of figure 7
  for (const char* figure : {"figure 4", "figure 5", "figure 6", "figure 7", "(14)", "(15)"}) {
    EXPECT_TRUE(std::any_of(validation.entries.begin(), validation.entries.end(), [&](const ValidationEntry& entry) {
      return entry.figure == figure;
    })) << figure;
  }
}

/// Other discs and ellipsoids are found out.
TEST(Chakraborty2007, WrongScenesFail) {
  struct Wrong {
    const char *file, *from, *to, *figure;
  };
  const fs::path folder = fs::temp_directory_path() / ("carom_chakraborty2007_" + std::to_string(::getpid()));
  for (const Wrong& wrong :
       {Wrong{"disc_core.yaml", "thickness: 0.05", "thickness: 0.06", "figure 4"},
        Wrong{"ellipsoid.yaml", "torsional_friction: 0.016", "torsional_friction: 0.012", "figure 6"}}) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::copy(scenes + "/chakraborty2007", folder / "chakraborty2007");
    const fs::path path = folder / "chakraborty2007" / wrong.file;
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    file.close();
    std::string changed = text.str();
    for (std::size_t at = changed.find(wrong.from); at != std::string::npos; at = changed.find(wrong.from, at + 1)) {
      changed.replace(at, std::string(wrong.from).size(), wrong.to);
    }
    std::ofstream(path) << changed;
    EXPECT_TRUE(fails(validated(folder.string()), wrong.figure)) << wrong.file;
  }
  fs::remove_all(folder);
}

}  // namespace
}  // namespace carom
