#include "work_folder.h"

#include <cstdlib>
#include <stdexcept>

namespace carom {

namespace fs = std::filesystem;

WorkFolder::WorkFolder() {
  std::string name = (fs::temp_directory_path() / "carom-XXXXXX").string();
  without_signals([&] {
    if (!::mkdtemp(name.data()))
      throw std::runtime_error("can't make a folder in " + fs::temp_directory_path().string());
    path_ = name;
    on_signal_.emplace(name);
  });
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace carom
