#include "output_file.h"

#include <fstream>

#include "carom/error.h"
#include "carom/record/fclib.h"
#include "carom/record/kept_step.h"
#include "record_names.h"

namespace carom {

namespace fs = std::filesystem;

void make_folder_of(const fs::path& file) {
  check_name_length(file.string());
  if (!file.has_parent_path()) return;
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  if (failed) throw Error("can't make the folder " + file.parent_path().string() + ": " + failed.message());
}

fs::path page_place(const std::string& given, const std::string& scene, const std::vector<std::string>& variation,
                    const std::string& what, const std::string& option) {
  const fs::path path =
      given.empty() ? fs::path("runs") / (varied_name(scene, variation) + "-" + what + ".html") : fs::path(given);
  if (path.extension() != ".html") throw Error(option + " " + given + ": it is a page, so its name must end in .html");
  make_folder_of(path);
  check_overwrite(path, "page", "<!doctype html>");
  return path;
}

void prepare_problem_file(const std::string& path) {
  check_hdf5_name(path, "a problem file");
  // First the folder: in NEW/../FILE no file is seen until there is one.
  make_folder_of(path);
  std::error_code ignored;
  if (fs::exists(path, ignored) && !is_problem_file(path)) {
    throw Error(path + " exists and is no problem file; name another with --out, or move it away");
  }
  check_problem_place(path);
}

void prepare_step_file(const std::string& path, const std::string& source) {
  check_hdf5_name(path, "a kept step");
  make_folder_of(path);
  std::error_code ignored;
  if (fs::equivalent(path, source, ignored)) throw Error("--out " + path + " is the file itself; name another");
  if (!fs::exists(path, ignored)) return;
  if (!is_record(path) || !is_kept_step(read_record(path))) {
    throw Error(path + " exists and is no kept step; name another with --out, or move it away");
  }
}

std::string report_path(const std::string& record) {
  fs::path path(record);
  return path.extension() == ".h5" ? path.replace_extension(".html").string() : record + ".html";
}

void check_overwrite(const fs::path& path, const std::string& what, const std::string& beginning) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return;
  if (!fs::is_regular_file(path, ignored)) {
    throw Error(path.string() + " is no ordinary file; name another with --out");
  }
  std::string head(beginning.size(), '\0');
  std::ifstream(path, std::ios::binary).read(head.data(), static_cast<std::streamsize>(head.size()));
  if (fs::file_size(path, ignored) > 0 && head != beginning) {
    throw Error(path.string() + " exists and is no " + what + "; name another with --out, or move it away");
  }
}

}  // namespace carom
