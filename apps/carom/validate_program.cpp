#include "validate_program.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "carom/error.h"
#include "external_program.h"

namespace carom {
namespace {

std::string find_validate() {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / "libexec" / "carom"}) {
    const std::filesystem::path program = place / "carom-validate";
    if (::access(program.c_str(), X_OK) == 0) return program.string();
  }
  return need_program({"carom-validate"}, "carom; in a clone, `make validate` builds it", "carom validate");
}

}  // namespace

void become_validate(const std::vector<std::string>& words) {
  std::vector<std::string> copies{find_validate()};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  arguments.reserve(copies.size() + 1);
  for (std::string& word : copies) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  throw Error(copies.front() + " can't be started: " + std::strerror(errno));
}

}  // namespace carom
