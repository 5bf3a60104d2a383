// Every file in test/malformed is a scene with faults. Its first lines say which: "# expect LINE:COLUMN: sentence", one
// line per fault in the order of their places, the sentence word for word.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/scene/scene.h"
#include "testing/folders.h"

namespace carom::malformed_test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> malformed_scenes() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(source_folder()) / "carom/scene/test/malformed")) {
    paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> expected_faults(const std::string& path) {
  const std::string mark = "# expect ";
  std::vector<std::string> faults;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line.starts_with('#');) {
    if (line.starts_with(mark)) faults.push_back(line.substr(mark.size()));
  }
  return faults;
}

std::vector<std::string> faults_found(const std::string& path) {
  std::vector<std::string> faults;
  try {
    static_cast<void>(load_scene(path));
  } catch (const SceneError& error) {
    for (const Diagnostic& fault : error.diagnostics()) {
      EXPECT_EQ(fault.file, path);
      faults.push_back(std::to_string(fault.line) + ":" + std::to_string(fault.column) + ": " + fault.message);
    }
  }
  return faults;
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, is_refused_with_its_sentences) {
  const std::vector<std::string> expected = expected_faults(GetParam());
  ASSERT_FALSE(expected.empty()) << GetParam() << " says nothing of what it expects";
  EXPECT_EQ(faults_found(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(scenes, Malformed, testing::ValuesIn(malformed_scenes()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

TEST(MalformedScenes, are_at_least_forty) { EXPECT_GE(malformed_scenes().size(), 40u); }

}  // namespace
}  // namespace carom::malformed_test
