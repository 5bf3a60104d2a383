#include "testing/folders.h"

#include <cstdlib>

namespace carom {

std::string source_folder() { return CAROM_SOURCE_DIR; }

std::filesystem::path data_folder() {
  const char* given = std::getenv("CAROM_DATA");
  return given != nullptr ? std::filesystem::path(given) : source_folder() / std::filesystem::path("../shared/data");
}

}  // namespace carom
