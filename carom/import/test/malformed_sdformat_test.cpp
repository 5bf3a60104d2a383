// Every .sdf file in test/malformed has a fault. Its first lines say which: "<!-- expect LINE: sentence -->", one line
// per fault in their order, the sentence word for word.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/import/sdformat.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> malformed_files() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(fs::path(CAROM_SOURCE_DIR) / "carom/import/test/malformed")) {
    if (entry.path().extension() == ".sdf") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> expected_faults(const std::string& path) {
  const std::string start = "<!-- expect ", end = " -->";
  std::vector<std::string> faults;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line.starts_with(start);) {
    faults.push_back(line.substr(start.size(), line.size() - start.size() - end.size()));
  }
  return faults;
}

std::vector<std::string> faults_found(const std::string& path) {
  std::vector<std::string> faults;
  try {
    static_cast<void>(read_sdformat(path));
  } catch (const ImportError& error) {
    for (const ImportNote& fault : error.faults()) {
      EXPECT_EQ(fault.file, path);
      faults.push_back(std::to_string(fault.line) + ": " + fault.text);
    }
  }
  return faults;
}

class MalformedSdformat : public testing::TestWithParam<std::string> {};

TEST_P(MalformedSdformat, IsRefusedWithItsSentences) {
  const std::vector<std::string> expected = expected_faults(GetParam());
  ASSERT_FALSE(expected.empty()) << GetParam() << " says nothing of what it expects";
  EXPECT_EQ(faults_found(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(files, MalformedSdformat, testing::ValuesIn(malformed_files()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

TEST(MalformedSdformatFiles, AreAtLeastThirty) { EXPECT_GE(malformed_files().size(), 30u); }

}  // namespace
}  // namespace carom
