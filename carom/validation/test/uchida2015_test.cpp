#include "carom/validation/uchida2015.h"
#include "testing/folders.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace carom::uchida2015_test {
namespace {

namespace fs = std::filesystem;

const std::string scenes = source_folder() + "/scenes";

Validation validated(const std::string& folder, const std::string& output = {}) {
  ValidationOptions options;
  options.scenes = folder;
  options.output = output;
  return validate_uchida2015(options);
}

/// A folder that is gone at the end.
class Folder {
 public:
  explicit Folder(const std::string& name) : path(fs::temp_directory_path() / (name + std::to_string(::getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path path;
};

TEST(Uchida2015, EveryEntryIsWithinItsTolerance) {
  const Folder folder("carom_uchida2015_out_");
  const Validation validation = validated(scenes, folder.path.string());
  for (const ValidationEntry& entry : validation.entries) {
    EXPECT_TRUE(entry.pass) << entry.figure << ", " << entry.quantity << ": " << entry.value << " instead of "
                            << entry.reference;
    EXPECT_TRUE(!entry.explained || !entry.note.empty());
  }
  for (const char* figure : {"figure 8", "figure 9", "figure 10", "figure 12", "figure 13", "figure 14 A",
                             "figure 14 B", "figure 14 C", "figure 15", "table 2", "table A1"}) {
    EXPECT_TRUE(std::any_of(validation.entries.begin(), validation.entries.end(), [&](const ValidationEntry& entry) {
      return entry.figure == figure;
    })) << figure;
  }
  ASSERT_EQ(validation.files.size(), 3u);
  for (const std::string& file : validation.files) EXPECT_GT(fs::file_size(file), 1000u) << file;
}

/// Other bricks, balls and pendulums are found out.
TEST(Uchida2015, WrongScenesFail) {
  struct Wrong {
    const char *file, *from, *to, *figure;
  };
  const Folder folder("carom_uchida2015_scenes_");
  fs::copy(scenes + "/uchida2015", folder.path / "uchida2015");
  for (const Wrong& wrong :
       {Wrong{"brick_on_vertex.yaml", "velocity: [-5, 0, -5.74]", "velocity: [-4, 0, -5.74]", "figure 10"},
        Wrong{"row_of_balls.yaml", "velocity: [-2, 0, 0]", "velocity: [-1.9, 0, 0]", "figure 14 B"},
        Wrong{"triple_pendulum.yaml", "position: =theta_1 + pi/2", "position: =theta_1", "section 4(d)"}}) {
    const fs::path path = folder.path / "uchida2015" / wrong.file;
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    std::string edited = text.str();
    const std::size_t at = edited.find(wrong.from);
    ASSERT_NE(at, std::string::npos) << wrong.file;
    std::ofstream(path) << edited.replace(at, std::string(wrong.from).size(), wrong.to);
  }
  const Validation validation = validated(folder.path.string());
  for (const char* figure : {"figure 10", "figure 14 B", "section 4(d)"}) {
    EXPECT_TRUE(std::any_of(validation.entries.begin(), validation.entries.end(), [&](const ValidationEntry& entry) {
      return entry.figure == figure && !entry.pass;
    })) << figure;
  }
}

}  // namespace
}  // namespace carom::uchida2015_test
