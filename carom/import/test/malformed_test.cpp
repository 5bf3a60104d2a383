// Every model file in test/malformed has faults. Its first lines say which: "<!-- expect LINE: sentence -->", one line
// per fault in the order of their places, the sentence word for word. FOLDER in it stands for the folder itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "carom/import/mjcf.h"
#include "carom/import/sdformat.h"
#include "carom/import/urdf.h"
#include "testing/folders.h"

namespace carom::malformed_test {
namespace {

namespace fs = std::filesystem;

const fs::path folder = (fs::path(source_folder()) / "carom/import/test/malformed").lexically_normal();

using Reader = ImportedModel (*)(const std::string& path, const ImportOptions& options);
const std::map<std::string, Reader> readers = {{".urdf", read_urdf}, {".sdf", read_sdformat}, {".xml", read_mjcf}};

std::vector<std::string> malformed_files() {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (readers.contains(entry.path().extension().string())) paths.push_back(entry.path().string());
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
    if (at != std::string::npos) fault.replace(at, stand_in.size(), folder.string());
    faults.push_back(fault);
  }
  return faults;
}

std::vector<std::string> faults_found(const std::string& path) {
  std::vector<std::string> faults;
  try {
    static_cast<void>(readers.at(fs::path(path).extension().string())(path, {}));
  } catch (const ImportError& error) {
    for (const ImportNote& fault : error.faults()) {
      EXPECT_EQ(fault.file, path);
      faults.push_back(std::to_string(fault.line) + ": " + fault.text);
    }
  }
  return faults;
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsRefusedWithItsSentences) {
  const std::vector<std::string> expected = expected_faults(GetParam());
  ASSERT_FALSE(expected.empty()) << GetParam() << " says nothing of what it expects";
  EXPECT_EQ(faults_found(GetParam()), expected);
}

INSTANTIATE_TEST_SUITE_P(models, Malformed, testing::ValuesIn(malformed_files()),
                         [](const testing::TestParamInfo<std::string>& info) {
                           const fs::path path(info.param);
                           return path.extension().string().substr(1) + "_" + path.stem().string();
                         });

TEST(MalformedModels, AreAtLeastAHundredAndSixty) { EXPECT_GE(malformed_files().size(), 160u); }

}  // namespace
}  // namespace carom::malformed_test
