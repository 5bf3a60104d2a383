// Every .urdf file in test/malformed has faults. Its first lines say which: "<!-- expect LINE: sentence -->", one line
// per fault in the order of their places, the sentence word for word. FOLDER in it stands for the folder itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "carom/import/urdf.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(CAROM_SOURCE_DIR) / "carom/import/test/malformed";

std::vector<std::string> malformed_robots() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".urdf") paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<std::string> expected_faults(const std::string& path) {
  const std::string start = "<!-- expect ", end = " -->", stand_in = "FOLDER";
  std::vector<std::string> faults;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line) && line.starts_with(start);) {
    std::string fault = line.substr(start.size(), line.size() - start.size() - end.size());
    const std::size_t at = fault.find(stand_in);
    if (at != std::string::npos) fault.replace(at, stand_in.size(), folder.lexically_normal().string());
    faults.push_back(fault);
  }
  return faults;
}

std::vector<std::string> faults_found(const std::string& path) {
  std::vector<std::string> faults;
  try {
    static_cast<void>(read_urdf(path));
  } catch (const ImportError& error) {
    for (const ImportNote& fault : error.faults()) {
      EXPECT_EQ(fault.file, path);
      faults.push_back(std::to_string(fault.line) + ": " + fault.text);
    }
  }
  return faults;
}

class MalformedUrdf : public testing::TestWithParam<std::string> {};

TEST_P(MalformedUrdf, IsRefusedWithItsSentences) {
  const std::vector<std::string> expected = expected_faults(GetParam());
  ASSERT_FALSE(expected.empty()) << GetParam() << " says nothing of what it expects";
  EXPECT_EQ(faults_found(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(robots, MalformedUrdf, testing::ValuesIn(malformed_robots()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           return fs::path(info.param).stem().string();
                         });

TEST(MalformedUrdfs, AreAtLeastForty) { EXPECT_GE(malformed_robots().size(), 40u); }

}  // namespace
}  // namespace carom
