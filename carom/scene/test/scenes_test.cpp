#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "testing/folders.h"

namespace carom::scenes_test {
namespace {

namespace fs = std::filesystem;

class EveryScene : public testing::TestWithParam<std::string> {};

TEST_P(EveryScene, reads_and_makes_a_model) {
  const Scene scene = load_scene(GetParam());
  ASSERT_NE(scene.model, nullptr);
  EXPECT_GE(scene.model->body_count(), 1);
  EXPECT_EQ(scene.initial.q.size(), scene.model->position_count());
  EXPECT_EQ(scene.initial.v.size(), scene.model->velocity_count());
  EXPECT_NEAR(scene.steps() * scene.method.step, scene.duration, 1e-9);
  EXPECT_FALSE(scene.text.empty());
}

/// Folder and file in letters, digits and strokes below: the rest is no name of a test.
std::string test_name(const testing::TestParamInfo<std::string>& info) {
  const fs::path path(info.param);
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(scenes, EveryScene, testing::ValuesIn(shipped_scenes()), test_name);

/// The text between "```yaml" and "```" in the page.
std::string example(const fs::path& page) {
  std::ifstream file(page);
  std::string text;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line == "```") break;
    if (inside) text += line + "\n";
    inside = inside || line == "```yaml";
  }
  return text;
}

TEST(Manual, its_example_of_a_scene_is_one) {
  const std::string text = example(fs::path(source_folder()) / "docs/manual/scene-format.md");
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(parse_scene(text, "scene-format.md").name, "ramp");
}

}  // namespace
}  // namespace carom::scenes_test
