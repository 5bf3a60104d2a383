#include "testing/folders.h"

#include <algorithm>
#include <cstdlib>

namespace carom {

std::string source_folder() { return CAROM_SOURCE_DIR; }

std::vector<std::string> shipped_scenes() {
  std::vector<std::string> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(source_folder()) / "scenes")) {
    const auto folder = entry.path().parent_path().filename();
    // The robot of cassie_jumps lies beside its measurements, which a clone does not have.
    const bool is_scene = folder != "studies" && folder != "sweeps" && folder != "fits" && folder != "cassie_jumps" &&
                          entry.path().extension() == ".yaml";
    if (is_scene) paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::filesystem::path data_folder() {
  const char* given = std::getenv("CAROM_DATA");
  return given != nullptr ? std::filesystem::path(given) : source_folder() / std::filesystem::path("../shared/data");
}

}  // namespace carom
