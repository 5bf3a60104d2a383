#include "output_file.h"

#include "carom/error.h"
#include "carom/record/fclib.h"

namespace carom {

namespace fs = std::filesystem;

void make_folder_of(const fs::path& file) {
  if (!file.has_parent_path()) return;
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) throw Error("can't make the folder " + file.parent_path().string() + ": " + failed.message());
}

void prepare_problem_file(const std::string& path) {
  // First the folder: in NEW/../FILE no file is seen until there is one.
  make_folder_of(path);
  std::error_code ignored;
  if (fs::exists(path, ignored) && !is_problem_file(path)) {
    throw Error(path + " exists and is no problem file; name another with --out, or move it away");
  }
  check_problem_place(path);
}

}  // namespace carom
